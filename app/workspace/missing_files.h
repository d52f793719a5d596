// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QStringList>

class QLabel;
class QPushButton;

namespace dubito {

/// A missing or changed file as shown by MissingFiles.
struct ShownProblem {
  QString message;
  bool can_accept = false;  ///< the file exists but has changed
};

/// Shows the missing or changed files of a workspace, one at a time, with buttons to locate, accept
/// or skip the file. Hidden if no file is missing or changed.
class MissingFiles : public QFrame {
  Q_OBJECT
 public:
  explicit MissingFiles(QWidget* parent = nullptr);

  /// Shows the first of `problems` and their number.
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
  QPushButton* skip_;
};

}  // namespace dubito
