// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/page/page.h"
#include "app/study/study_runner.h"
#include "app/study/study_view.h"

class QHBoxLayout;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace dubito {

class Card;
class StudyEditor;
class StudyResultsView;

/// Studies: opens the folder of a finished one and shows it, or writes the file of a new one and
/// computes it in a separate process.
class StudyPage : public Page {
  Q_OBJECT
 public:
  /// All arguments must outlive the page.
  StudyPage(Session& session, WindowJobs& jobs, RunComputer& computer, RecentFiles& recent,
            QWidget* parent = nullptr);

  [[nodiscard]] StudyView& view() { return view_; }
  [[nodiscard]] StudyRunner& runner() { return runner_; }
  [[nodiscard]] StudyEditor& editor() { return *editor_; }
  /// Opens the folder of a finished study.
  void openFolder(const QString& folder) { view_.open(folder); }
  /// Opens a study file in the form.
  void openFile(const QString& path);
  /// Starts a study file in the form: "sample", "open" (of what is open) or "empty".
  void startNew(const QString& kind);
  void showResults();
  void showEditor();
  /// Has the same effect as pressing Run.
  void run();
  [[nodiscard]] bool busy() const override { return view_.busy() || runner_.running() || reading_; }
  /// The results of a study and its file; nothing if none is open.
  [[nodiscard]] std::vector<ScreenshotStep> screenshots() override;
  /// The next question for a file or folder gets this answer without a dialog.
  void setNextFileName(const QString& name) { next_file_name_ = name; }

 Q_SIGNALS:
  /// Asks the window to show the Overview page, because runs were opened.
  void overviewRequested();

 private:
  [[nodiscard]] QWidget* buildStart();
  [[nodiscard]] Card* buildBar();
  QPushButton* addButton(QHBoxLayout& bar, const QString& text, const char* name,
                         const QString& tip);
  void connectParts();
  void askForFolder();
  void askForFile();
  void readFile(const QString& path, bool is_shown);
  /// Puts the study file of the opened folder into the editor.
  void takeStudyFile();
  void showPart(QWidget* part);
  void showState();
  /// Why nothing can be computed now, and what to do; empty if it can.
  [[nodiscard]] QString obstacle() const;

  const Session& session_;
  const RecentFiles& recent_;
  StudyView view_;
  StudyRunner runner_;
  Job reading_job_;
  bool reading_ = false;
  std::string taken_;  ///< what takeStudyFile() has put into the editor
  QString progress_;
  QString next_file_name_;

  QStackedWidget* parts_;
  QWidget* start_;
  StudyResultsView* results_;
  StudyEditor* editor_;
  QPushButton* show_results_ = nullptr;
  QPushButton* show_editor_ = nullptr;
  QPushButton* run_ = nullptr;
  QPushButton* cancel_ = nullptr;
  QLabel* status_ = nullptr;
};

}  // namespace dubito
