// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/export_menu.h"

#include <QFileDialog>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/report/study_pdf.h"
#include "app/session/error_text.h"
#include "app/workspace/workspace_paths.h"
#include "core/base/json_text.h"
#include "widgets/card.h"

namespace dubito {
namespace {

/// For a writer that saves no runs.
Expected<WrittenRuns> withoutRuns(const Status& status) {
  return status ? Expected<WrittenRuns>(WrittenRuns()) : failWith(status);
}

/// Writes the run with its OOD runs and posterior.
auto runWriter() {
  return [](const Analysis& analysis, const QString& path, RunContext& context) {
    return saveRun(analysis, absolutePath(path.toStdString()), context);
  };
}

}  // namespace

ExportMenu::ExportMenu(Session& session, WindowJobs& jobs, ReportMaker make, QWidget* parent)
    : QMenu(parent), session_(session), job_(jobs.fileThread()) {
  setObjectName(QStringLiteral("exportMenu"));
  setTitle(tr("Export"));
  add(tr("Report…"), "exportReport", QStringLiteral("report"), true, [make = std::move(make)] {
    return [input = make()](const Analysis&, const QString& path,
                            RunContext& context) -> Expected<WrittenRuns> {
      const Expected<QStringList> files = writeReport(path, input, context);
      return files ? Expected<WrittenRuns>(WrittenRuns()) : failWith(files);
    };
  });
  add(tr("Metrics as CSV…"), "exportMetrics", QStringLiteral("metrics.csv"), false, [] {
    return [](const Analysis& analysis, const QString& path, RunContext&) {
      return withoutRuns(
          writeFile(path, QByteArray::fromStdString(metricsCsv(analysis.evaluation))));
    };
  });
  add(tr("Evaluation as JSON…"), "exportEvaluation", QStringLiteral("evaluation.json"), false, [] {
    return [](const Analysis& analysis, const QString& path, RunContext&) {
      return withoutRuns(writeFile(
          path, QByteArray::fromStdString(jsonText(toJson(analysis.evaluation), 2) + "\n")));
    };
  });
  add(tr("Run…"), "exportRun", QStringLiteral("run.npz"), false, [] { return runWriter(); });
}

void ExportMenu::add(const QString& text, const char* name, const QString& suggestion, bool folder,
                     std::function<Writer()> prepare) {
  QAction* const action = addAction(text);
  action->setObjectName(QLatin1String(name));
  connect(action, &QAction::triggered, this,
          [this, suggestion, folder, prepare = std::move(prepare)] {
            const QString path = askForFile(
                folder ? tr("Choose a folder for the report") : tr("Export"), suggestion, folder);
            if (!path.isEmpty()) {
              // Without a run there is nothing to prepare; write() reports it.
              const AnalysisPtr analysis = session_.activeAnalysis();
              write(analysis, path, analysis ? prepare() : Writer());
            }
          });
}

void ExportMenu::addPanels(std::function<QWidget*()> page) {
  QMenu* const panels = addMenu(tr("Single panel"));
  panels->setObjectName(QStringLiteral("exportPanels"));
  // Filled when shown, because the page's content changes with its run and choices.
  connect(this, &QMenu::aboutToShow, panels, [panels, page = std::move(page)] {
    panels->clear();
    qDeleteAll(panels->findChildren<QMenu*>(Qt::FindDirectChildrenOnly));
    for (const Card* const card : page()->findChildren<Card*>()) {
      if (auto* const menu = new QMenu(card->title(), panels);
          card->isVisibleTo(page()) && card->addExport(*menu)) {
        panels->addMenu(menu);
      } else {
        delete menu;
      }
    }
    panels->menuAction()->setEnabled(!panels->isEmpty());
  });
}

void ExportMenu::addStudyReport(std::function<QString()> folder) {
  QAction* const action = addAction(tr("Study report as PDF"));
  action->setObjectName(QStringLiteral("exportStudyReport"));
  connect(this, &QMenu::aboutToShow, action,
          [action, folder] { action->setVisible(!folder().isEmpty()); });
  connect(action, &QAction::triggered, this, [this, folder = std::move(folder)] {
    const QString path = folder();
    if (path.isEmpty()) {
      Q_EMIT failed(tr("No study is open; open the folder of one first"));
      return;
    }
    const bool started = job_.start<QString>(
        tr("Writing the report of %1").arg(path), {},
        [path](RunContext&) { return writeStudyPdf(path); }, this,
        [this](const Expected<QString>& file) {
          if (file) {
            Q_EMIT written(*file);
          } else {
            Q_EMIT failed(errorText(file.error()));
          }
        });
    if (!started) {
      Q_EMIT failed(
          tr("%1: another file is being written; try again when it has finished").arg(path));
    }
  });
}

QString ExportMenu::askForFile(const QString& title, const QString& suggestion, bool folder) {
  const QString path = std::exchange(next_file_name_, {});
  if (!path.isEmpty()) {
    return path;
  }
  return folder ? QFileDialog::getExistingDirectory(parentWidget(), title)
                : QFileDialog::getSaveFileName(parentWidget(), title, suggestion);
}

void ExportMenu::saveRun(AnalysisPtr analysis) {
  const std::string& run = analysis->name;
  const std::string& set = analysis->in().name;
  const std::string name = plainFileName(run == set ? run : run + " " + set) + ".npz";
  const QString path = askForFile(tr("Save run as"), QString::fromStdString(name), false);
  if (!path.isEmpty()) {
    write(analysis, path, runWriter());
  }
}

void ExportMenu::write(const AnalysisPtr& analysis, const QString& path, Writer writer) {
  if (!analysis) {
    Q_EMIT failed(tr("%1: nothing to export yet; compute or open a run first").arg(path));
    return;
  }
  const bool started = job_.start<WrittenRuns>(
      tr("Writing %1").arg(path), {},
      [analysis, path, writer = std::move(writer)](RunContext& context) {
        return writer(*analysis, path, context);
      },
      this,
      [this, path](const Expected<WrittenRuns>& runs) {
        if (!runs) {
          Q_EMIT failed(errorText(runs.error()));
          return;
        }
        for (const auto& [run, file] : *runs) {
          session_.runFiles().setFile(run, file);
        }
        Q_EMIT written(path);
      });
  if (!started) {
    Q_EMIT failed(
        tr("%1: another file is being written; try again when it has finished").arg(path));
  }
}

}  // namespace dubito
