// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/study/study_draft.h"

class QLineEdit;
class QPushButton;

namespace dubito {

class Card;
class RecentFiles;
class Session;
class StudyForm;
class StudyJsonView;
class WindowJobs;

/// Writes a study file: a form at the left, its text at the right; a change of one shows in the
/// other, and errors at once.
class StudyEditor : public QWidget {
  Q_OBJECT
 public:
  /// All arguments must outlive the editor.
  StudyEditor(Session& session, WindowJobs& jobs, const RecentFiles& recent, QWidget* parent);

  [[nodiscard]] const StudyDraft& draft() const { return draft_; }
  [[nodiscard]] StudyForm& form() { return *form_; }
  /// Begins with another study. `file`: where it was read from, and is saved to; may be empty.
  void setStudy(StudyDraft draft, const QString& file);
  /// Where the results go.
  [[nodiscard]] QString folder() const;
  void setFolder(const QString& folder);
  /// Nothing can be changed while the study runs.
  void setLocked(bool locked);
  /// The next question for a file or folder gets this answer without a dialog.
  void setNextFileName(const QString& name) { next_file_name_ = name; }

 Q_SIGNALS:
  /// draft() or folder() changed.
  void changed();
  void failed(const QString& message);

 private:
  void change(const StudyJson::json_pointer& place, const StudyJson& value);
  void showDraft();
  void chooseFolder();
  void save();

  WindowJobs& jobs_;
  const RecentFiles& recent_;
  StudyDraft draft_;
  QString file_;
  QString next_file_name_;
  Card* form_card_;
  Card* text_card_;
  StudyForm* form_;
  StudyJsonView* text_;
  QLineEdit* folder_;
  QPushButton* choose_;
};

}  // namespace dubito
