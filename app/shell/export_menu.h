// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <QString>
#include <functional>
#include <vector>

#include "app/files/save_run.h"
#include "app/jobs/job.h"
#include "app/jobs/window_jobs.h"
#include "app/report/report.h"
#include "app/session/session.h"

class QWidget;

namespace dubito {

/// Menu that writes the run shown to files: report, metrics, evaluation, or the run itself.
class ExportMenu : public QMenu {
  Q_OBJECT
 public:
  using ReportMaker = std::function<ReportInput()>;

  /// The arguments outlive the menu. `make` renders the figures and pages of a report.
  ExportMenu(Session& session, WindowJobs& jobs, ReportMaker make, QWidget* parent = nullptr);

  /// Adds a submenu with the export actions of each card on the current page, which `page` returns.
  void addPanels(std::function<QWidget*()> page);

  /// Adds an entry that writes report.pdf into the folder of a study, which `folder` returns;
  /// hidden while that is empty.
  void addStudyReport(std::function<QString()> folder);

  /// Asks for a file name and writes all runs of `analysis` (dubito::saveRun). Takes the analysis
  /// by value, because it may be closed while the dialog is open.
  void saveRun(AnalysisPtr analysis);

  /// For tests: the next file dialog is skipped and returns `name`.
  void setNextFileName(const QString& name) { next_file_name_ = name; }

 Q_SIGNALS:
  void failed(const QString& message);
  void written(const QString& path);

 private:
  /// Writes a file and returns the runs that are stored in files as a result.
  using Writer =
      std::function<Expected<WrittenRuns>(const Analysis&, const QString& path, RunContext&)>;
  void add(const QString& text, const char* name, const QString& suggestion, bool folder,
           std::function<Writer()> prepare);
  [[nodiscard]] QString askForFile(const QString& title, const QString& suggestion, bool folder);
  void write(const AnalysisPtr& analysis, const QString& path, Writer writer);

  Session& session_;
  Job job_;
  QString next_file_name_;
};

}  // namespace dubito
