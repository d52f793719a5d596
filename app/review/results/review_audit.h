// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QSpinBox;

namespace dubito {

class Auditor;
class KeyValueList;

/// What a random sample of the automatic labels says about their guarantee, and the way to check
/// more.
class ReviewAudit : public QWidget {
  Q_OBJECT
 public:
  /// `auditor` must outlive the widget.
  explicit ReviewAudit(Auditor& auditor, QWidget* parent = nullptr);

 Q_SIGNALS:
  /// The sample became the queue.
  void opened();

 private:
  void showAudit();

  Auditor& auditor_;
  QLabel* text_;
  KeyValueList* numbers_;
  QSpinBox* size_;
  QPushButton* open_;
};

}  // namespace dubito
