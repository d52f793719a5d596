// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <vector>

#include "core/labels/decision.h"

class QLabel;

namespace dubito {

class Reviewer;

/// Decisions of other persons about the image under review, with the time, and what most of them
/// say. Hidden until the person has decided if their opinion should not be influenced.
class ReviewOpinions : public QWidget {
  Q_OBJECT
 public:
  /// `reviewer` must outlive the widget.
  explicit ReviewOpinions(Reviewer& reviewer, QWidget* parent = nullptr);

  void showItem();

 private:
  void showRead(std::int64_t item, const std::vector<Decision>& opinions);
  /// "2 of 3 say “cat”", "no majority"; empty for fewer than two opinions.
  [[nodiscard]] QString majorityText(const std::vector<Decision>& opinions) const;

  Reviewer& reviewer_;
  QLabel* title_;
  QLabel* text_;
};

}  // namespace dubito
