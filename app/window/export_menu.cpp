// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/export_menu.h"

#include <QFileDialog>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/json_text.h"
#include "core/io/run_file.h"

namespace dubito {

ExportMenu::ExportMenu(Workbench& workbench, PageGrabber grab, QWidget* parent)
    : QMenu(parent), workbench_(workbench), job_(workbench.fileThread()) {
  setObjectName(QStringLiteral("exportMenu"));
  setTitle(tr("Export"));
  add(tr("Report…"), "exportReport", QStringLiteral("report"), true, [grab = std::move(grab)] {
    return [pages = grab()](const Analysis& analysis, const QString& path, RunContext&) -> Status {
      const Expected<QStringList> files = writeReport(path, analysis, pages);
      return files ? Status() : failWith(files);
    };
  });
  add(tr("Metrics as CSV…"), "exportMetrics", QStringLiteral("metrics.csv"), false, [] {
    return [](const Analysis& analysis, const QString& path, RunContext&) {
      return writeFile(path, QByteArray::fromStdString(metricsCsv(analysis.evaluation)));
    };
  });
  add(tr("Evaluation as JSON…"), "exportEvaluation", QStringLiteral("evaluation.json"), false, [] {
    return [](const Analysis& analysis, const QString& path, RunContext&) {
      return writeFile(path,
                       QByteArray::fromStdString(jsonText(toJson(analysis.evaluation), 2) + "\n"));
    };
  });
  add(tr("Run…"), "exportRun", QStringLiteral("run.npz"), false, [] {
    return [](const Analysis& analysis, const QString& path, RunContext& context) {
      return writeRun(*analysis.in().run, path.toStdString(), context);
    };
  });
}

void ExportMenu::add(const QString& text, const char* name, const QString& suggestion, bool folder,
                     std::function<Writer()> prepare) {
  QAction* const action = addAction(text);
  action->setObjectName(QLatin1String(name));
  connect(
      action, &QAction::triggered, this, [this, suggestion, folder, prepare = std::move(prepare)] {
        QString path = std::exchange(next_file_name_, {});
        if (path.isEmpty()) {
          path = folder ? QFileDialog::getExistingDirectory(parentWidget(), tr("Report"))
                        : QFileDialog::getSaveFileName(parentWidget(), tr("Export"), suggestion);
        }
        if (!path.isEmpty()) {
          write(path, prepare());
        }
      });
}

void ExportMenu::write(const QString& path, Writer writer) {
  const AnalysisPtr analysis = workbench_.session().activeAnalysis();
  if (!analysis) {
    Q_EMIT failed(tr("%1: there is nothing to export yet; compute or open a run first").arg(path));
    return;
  }
  struct Done {};
  const bool started = job_.start<Done>(
      tr("Writing %1").arg(path), {},
      [analysis, path, writer = std::move(writer)](RunContext& context) -> Expected<Done> {
        const Status status = writer(*analysis, path, context);
        return status ? Expected<Done>(Done{}) : failWith(status);
      },
      this,
      [this, path](Expected<Done> done) {
        if (done) {
          Q_EMIT written(path);
        } else {
          Q_EMIT failed(QString::fromStdString(done.error().message));
        }
      });
  if (!started) {
    Q_EMIT failed(tr("%1: another file is being written; try again when it is done").arg(path));
  }
}

}  // namespace dubito
