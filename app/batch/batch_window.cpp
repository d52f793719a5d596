// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/batch_window.h"

#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>
#include <cstdio>

#include "app/shell/file_drop.h"
#include "app/shell/page_stack.h"
#include "app/shell/workspace_commands.h"
#include "app/shift/shift_page.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

void processFor(int milliseconds) {
  QEventLoop loop;
  QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
  loop.exec();
}

}  // namespace

void say(const QString& text) {
  std::fprintf(stderr, "%s\n", qPrintable(text));
}

bool makeFolder(const QString& folder) {
  const bool made = QDir(folder).mkpath(QStringLiteral("."));
  if (!made) {
    say(tr("%1: cannot create folder; choose another one").arg(folder));
  }
  return made;
}

void sayCannotWrite(const QString& folder) {
  say(tr("%1: cannot write file; choose another folder").arg(folder));
}

BatchWindow::BatchWindow()
    : settings_(std::make_unique<QSettings>(folder_.filePath(QStringLiteral("batch.ini")),
                                            QSettings::IniFormat)),
      window_(std::make_unique<MainWindow>(*settings_)) {
  settings_->setValue(QStringLiteral("review/folder"), folder_.filePath(QStringLiteral("labels")));
  Workbench& workbench = window_->workbench();
  const auto fail = [this](const QString& message) {
    failed_ = true;
    say(message);
  };
  QObject::connect(&workbench.messages(), &Messages::failed, window_.get(), fail);
  QObject::connect(&window_->workspaceCommands(), &WorkspaceCommands::failed, window_.get(), fail);
  QObject::connect(&workbench.messages(), &Messages::noticed, window_.get(), say);
  QObject::connect(&workbench.jobs(), &WindowJobs::started, window_.get(),
                   [](const QString& title) { say(title); });
  QObject::connect(&workbench.jobs(), &WindowJobs::finished, window_.get(),
                   [](const QString& text) {
                     if (!text.isEmpty()) {
                       say(text);
                     }
                   });
  QObject::connect(&workbench.jobs(), &WindowJobs::progressed, window_.get(),
                   [stage = std::string()](const Progress& progress) mutable {
                     if (progress.stage != stage) {
                       stage = progress.stage;
                       say(QStringLiteral("  ") + QString::fromStdString(stage));
                     }
                   });
}

bool BatchWindow::fill(const BatchInput& input) {
  Workbench& workbench = window_->workbench();
  window_->show();
  if (input.files.isEmpty() && input.ood_files.isEmpty()) {
    workbench.opener().openDemo();
  } else {
    window_->fileDrop().open(input.files, false);
    window_->fileDrop().open(input.ood_files, true);
  }
  settle();
  QString reason;
  if (!failed_ && !window_->session().activeAnalysis() &&
      workbench.computer().canCompute(&reason)) {
    workbench.computer().compute(workbench.computer().settings());
    settle();
  }
  if (failed_) {
    return false;
  }
  if (!window_->session().activeAnalysis()) {
    say(tr("nothing to show; pass a run, or a model and a dataset, as arguments"));
    if (!reason.isEmpty()) {
      say(reason);
    }
    return false;
  }
  return true;
}

void BatchWindow::computeMore() {
  Workbench& workbench = window_->workbench();
  const ComputeSettings first = workbench.computer().settings();
  ComputeSettings settings = first;
  settings.seed = first.seed + 1;
  workbench.computer().compute(settings);
  settle();
  settings.method = MapOptions{};
  workbench.computer().compute(settings);
  settle();
  workbench.computer().setSettings(first);
  window_->session().setActiveAnalysis(0);
  settle();
  window_->pages().shift().compute(CorruptionKind::kRotation);
  settle();
}

void BatchWindow::settle() {
  // Galleries request pictures 50 ms after scrolling stops, so wait longer than that.
  int quiet = 0;
  while (quiet < 4) {
    processFor(50);
    const bool listed =
        !window_->session().activeAnalysis() || window_->session().listing().items();
    const bool idle = !window_->workbench().jobs().busy() && listed && window_->settled();
    quiet = idle ? quiet + 1 : 0;
  }
}

void BatchWindow::play(const Page& page, int seconds) {
  QElapsedTimer watch;
  watch.start();
  while (page.busy() && watch.elapsed() < 1000 * qint64{seconds}) {
    processFor(50);
  }
}

}  // namespace dubito
