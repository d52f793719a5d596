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

/// Writes what is shown to files: report, metrics, evaluation, the run itself.
class ExportMenu : public QMenu {
  Q_OBJECT
 public:
  using ReportMaker = std::function<ReportInput()>;

  /// `workbench` outlives the menu; `make` draws what a report needs of the window.
  ExportMenu(Workbench& workbench, ReportMaker make, QWidget* parent = nullptr);

  /// Adds a menu of the cards on the page that `page` answers, each with what it can be saved as.
  void addPanels(std::function<QWidget*()> page);

  /// Asks for a file and writes a run with everything that belongs to it (saveRun). By value: the
  /// list of runs may change while a user looks for a place.
  void saveRun(AnalysisPtr analysis);

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
