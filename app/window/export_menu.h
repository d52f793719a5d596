// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <QString>
#include <functional>
#include <vector>

#include "app/files/save_run.h"
#include "app/jobs/job.h"
#include "app/report/report.h"
#include "app/session/workbench.h"

class QWidget;

namespace dubito {

/// Writes the run shown to files: report, metrics, evaluation, the run itself.
class ExportMenu : public QMenu {
  Q_OBJECT
 public:
  using ReportMaker = std::function<ReportInput()>;

  /// `workbench` outlives the menu; `make` renders what a report needs from the window.
  ExportMenu(Workbench& workbench, ReportMaker make, QWidget* parent = nullptr);

  /// Adds a menu of the cards on the page returned by `page`, with the export actions of each.
  void addPanels(std::function<QWidget*()> page);

  /// Asks for a file and writes a run with everything that belongs to it (saveRun). By value: the
  /// list of runs may change while the dialog is open.
  void saveRun(AnalysisPtr analysis);

  /// Skips the next file dialog and returns this name; for tests.
  void setNextFileName(const QString& name) { next_file_name_ = name; }

 Q_SIGNALS:
  void failed(const QString& message);
  void written(const QString& path);

 private:
  /// Returns the runs that are now saved in files.
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
