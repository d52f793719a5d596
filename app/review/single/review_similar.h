// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <vector>

#include "app/review/single/decided_neighbours.h"

class QLabel;
class QPushButton;

namespace dubito {

class Reviewer;
class ReviewPictureRow;

/// A row of decided images that resemble the one under review: "these 5 were called 4". Hidden with
/// the suggestion, because it hints at the answer.
class ReviewSimilar : public QWidget {
  Q_OBJECT
 public:
  /// Both must outlive the widget.
  ReviewSimilar(Reviewer& reviewer, WindowJobs& jobs, RunComputer& computer,
                QWidget* parent = nullptr);

  void showItem();
  /// Shows the text without the images, where there is little room.
  void setFolded(bool folded);
  [[nodiscard]] bool busy() const;

 Q_SIGNALS:
  /// The keyboard belongs to the image again.
  void finished();

 private:
  void showState();
  void showFound(std::int64_t row, const std::vector<std::int64_t>& neighbours);
  void clear(const QString& text);
  [[nodiscard]] QString summary(const QStringList& names) const;

  Reviewer& reviewer_;
  DecidedNeighbours neighbours_;
  QLabel* text_;
  QPushButton* button_;  ///< starts, or cancels
  ReviewPictureRow* gallery_;
  bool folded_ = false;
};

}  // namespace dubito
