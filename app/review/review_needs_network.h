// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/review/review_mode.h"

class QLabel;

namespace dubito {

/// In place of a mode for which the labels of another program are not enough: says what is missing
/// and offers to let a network look at the images.
class ReviewNeedsNetwork : public ReviewMode {
  Q_OBJECT
 public:
  explicit ReviewNeedsNetwork(QWidget* parent = nullptr);

  /// States what is missing, and what happens to the decisions.
  void setText(const QString& text);

  void showState() override {}
  void showItem() override {}
  bool takeKey(const QKeyEvent& /*event*/) override { return false; }
  [[nodiscard]] bool busy() const override { return false; }
  [[nodiscard]] bool showsQueue() const override { return false; }

 Q_SIGNALS:
  void networkRequested();

 private:
  QLabel* text_;
};

}  // namespace dubito
