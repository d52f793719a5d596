// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QStringList>

class QLabel;
class QPushButton;

namespace dubito {

/// A missing or changed file, as displayed.
struct ShownProblem {
  QString message;
  bool can_accept = false;  ///< the file exists but has changed
};

/// Shows missing or changed files of a workspace, one at a time, with the possible actions; never
/// modal. Hidden if there are none.
class MissingFiles : public QFrame {
  Q_OBJECT
 public:
  explicit MissingFiles(QWidget* parent = nullptr);

  /// Shows the first of `problems` and their count.
  void setProblems(const QList<ShownProblem>& problems);

 Q_SIGNALS:
  void locateRequested();
  void acceptRequested();
  void skipRequested();

 private:
  QPushButton* addButton(const char* name, const QString& text, const QString& tip);

  QLabel* text_;
  QLabel* count_;
  QPushButton* locate_;
  QPushButton* accept_;
  QPushButton* leave_out_;
};

}  // namespace dubito
