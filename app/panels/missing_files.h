// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QStringList>

class QLabel;
class QPushButton;

namespace dubito {

/// A file that is not as it was, as it is shown.
struct ShownProblem {
  QString message;
  bool can_accept = false;  ///< there is a file, though another one
};

/// Says which file of a workspace is not as it was and offers what can be done about it, one file
/// at a time; never modal. Hidden without any.
class MissingFiles : public QFrame {
  Q_OBJECT
 public:
  explicit MissingFiles(QWidget* parent = nullptr);

  /// The first of `problems` is shown, with their number.
  void setProblems(const QList<ShownProblem>& problems);

 Q_SIGNALS:
  void locateRequested();
  void acceptRequested();
  void leaveOutRequested();

 private:
  QPushButton* addButton(const char* name, const QString& text, const QString& tip);

  QLabel* text_;
  QLabel* count_;
  QPushButton* locate_;
  QPushButton* accept_;
  QPushButton* leave_out_;
};

}  // namespace dubito
