// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <QString>
#include <functional>
#include <vector>

#include "app/jobs/job.h"
#include "app/report/report.h"
#include "app/session/save_run.h"
#include "app/session/workbench.h"

namespace dubito {

/// Writes what is shown to files: report, metrics, evaluation, the run itself.
class ExportMenu : public QMenu {
  Q_OBJECT
 public:
  using PageGrabber = std::function<std::vector<ReportPage>()>;

  /// `workbench` outlives the menu; `grab` takes the pictures for a report.
  ExportMenu(Workbench& workbench, PageGrabber grab, QWidget* parent = nullptr);

  /// Asks for a file and writes a run with everything that belongs to it (saveRun).
  void saveRun(const AnalysisPtr& analysis);

  /// The next file dialog is not shown and answers this; for tests.
  void setNextFileName(const QString& name) { next_file_name_ = name; }

 Q_SIGNALS:
  void failed(const QString& message);
  void written(const QString& path);

 private:
  /// Returns the runs that lie in files now.
  using Writer =
      std::function<Expected<WrittenRuns>(const Analysis&, const QString& path, RunContext&)>;
  void add(const QString& text, const char* name, const QString& suggestion, bool folder,
           std::function<Writer()> prepare);
  [[nodiscard]] QString askForFile(const QString& title, const QString& suggestion, bool folder);
  void write(const AnalysisPtr& analysis, const QString& path, Writer writer);

  Workbench& workbench_;
  Job job_;
  QString next_file_name_;
};

}  // namespace dubito
