// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

#include "app/review/queue/item_filter.h"

class QCheckBox;
class QComboBox;
class QFrame;
class QLineEdit;

namespace dubito {

class LabelFile;
class ReviewQueue;

/// A button that chooses which images are reviewed: by file name, given label, what was decided
/// about them and by whom. It shows the filter that holds.
class ReviewFilter : public QPushButton {
  Q_OBJECT
 public:
  /// Both must outlive the widget.
  ReviewFilter(ReviewQueue& queue, const LabelFile& file, QWidget* parent = nullptr);

  /// Shows the filter that holds.
  void showState();
  /// Opens the form.
  void open();

 Q_SIGNALS:
  /// The keyboard belongs to the image again.
  void finished();

 private:
  void fill();
  [[nodiscard]] ItemFilter chosen() const;

  ReviewQueue& queue_;
  const LabelFile& file_;
  QFrame* form_;
  QLineEdit* name_;
  QComboBox* given_;
  QComboBox* state_;
  QComboBox* decided_;
  QComboBox* person_;
  QComboBox* part_;
  QCheckBox* commented_;
};

}  // namespace dubito
