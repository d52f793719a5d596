// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;

namespace dubito {

class Reviewer;

/// Where the labels of the review are, and how they get to another file or a server that several
/// persons share.
class ReviewPlace : public QWidget {
  Q_OBJECT
 public:
  /// `reviewer` must outlive the widget.
  explicit ReviewPlace(Reviewer& reviewer, QWidget* parent = nullptr);

  void refresh();
  /// For tests: the next file dialog is skipped and returns `name`.
  void setNextFileName(const QString& name) { next_file_name_ = name; }

 private:
  void askForCopy();
  void copy(const QString& path);
  void useServer();
  void say(const QString& text);

  Reviewer& reviewer_;
  QLabel* place_;
  QLineEdit* server_;
  QLabel* message_;
  QString next_file_name_;
};

}  // namespace dubito
