// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "app/study/study_draft.h"

class QLabel;
class QPlainTextEdit;

namespace dubito {

/// The text of a study file in an editor. The line of an error is marked; the error is below.
class StudyJsonView : public QWidget {
  Q_OBJECT
 public:
  explicit StudyJsonView(QWidget* parent);

  /// Shows the text unless the editor has it, and what is wrong with it. `fine` is said of a study
  /// without a problem.
  void showDraft(const StudyDraft& draft, const QString& fine);
  /// The line that is marked, from 1; 0: none.
  [[nodiscard]] int markedLine() const { return marked_; }

 Q_SIGNALS:
  void edited(const QString& text);

 private:
  void mark(int line);

  QPlainTextEdit* text_;
  QLabel* message_;
  int marked_ = 0;
  bool is_loading_ = false;
};

}  // namespace dubito
