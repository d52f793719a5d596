// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/screenshots.h"

#include <QApplication>
#include <QComboBox>
#include <QCoreApplication>
#include <QDir>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <algorithm>
#include <functional>

#include "app/batch/child_of.h"
#include "app/shell/error_banner.h"
#include "app/shell/page_stack.h"
#include "app/study/study_editor.h"
#include "app/study/study_page.h"
#include "app/train/train_page.h"
#include "app/train/train_set_up.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr char kScaleVariable[] = "QT_SCALE_FACTOR";

/// The head in the picture of the page Train: its units learn different rates in a few seconds.
HeadOptions shownHead() {
  return {.layers = 2,
          .units = 64,
          .dropout = "multi",
          .epochs = 40,
          .validation_share = 0.2,
          .patience = 40,
          .feature_cache_mb = 0};
}

/// Trains a head, which the page shows afterwards; the other pages have the models of before.
void trainHeadOf(BatchWindow& batch) {
  const QTemporaryDir folder;
  MainWindow& window = batch.window();
  Session& session = window.session();
  const std::size_t before = session.models().size();
  window.pages().train().setUp().setOptions(shownHead());
  window.pages().train().setUp().setPath(folder.filePath(QStringLiteral("lenet-multi.pt")));
  window.pages().train().train();
  batch.settle();
  if (session.models().size() > before) {
    session.removeModel(before);
    session.setActiveModel(0);
  }
  // That the demo's digits have the role test concerns none of the pictures.
  childOf<ErrorBanner>(window).dismiss();
}

/// Computes the study of the sample digits, which the page shows afterwards.
void runStudyOf(BatchWindow& batch) {
  const QTemporaryDir folder;
  StudyPage& page = batch.window().pages().study();
  page.startNew(QStringLiteral("sample"));
  page.editor().setFolder(folder.filePath(QStringLiteral("digits-that-turn")));
  page.run();
  batch.settle();
  // The picture shows a target on which guarantees break.
  auto& targets = childOf<QComboBox>(page, QStringLiteral("studyTarget"));
  targets.setCurrentIndex(targets.count() - 1);
}

/// Writes a picture of the window to the file named after `name`; false: it cannot be written.
using SavePicture = std::function<bool(const QString& name)>;

bool saveCompute(BatchWindow& batch, const SavePicture& save) {
  batch.window().setComputeOpen(true);
  batch.settle();
  const bool fine = save(QStringLiteral("compute"));
  batch.window().setComputeOpen(false);
  return fine;
}

/// Shows a page and writes its pictures.
bool savePage(BatchWindow& batch, Page& page, const SavePicture& save) {
  batch.window().showPage(page.id());
  for (const ScreenshotStep& step : page.screenshots()) {
    if (step.show) {
      step.show();
    }
    BatchWindow::play(page, step.seconds);
    batch.settle();
    if (!step.name.isEmpty() && !save(step.name)) {
      return false;
    }
  }
  return true;
}

bool savePages(BatchWindow& batch, const SavePicture& save) {
  return std::ranges::all_of(batch.window().pages().all(), [&](Page* page) {
    // The panel Compute is shown next to the first page.
    return savePage(batch, *page, save) &&
           (page->id() != allPages().front().id || saveCompute(batch, save));
  });
}

}  // namespace

int runScreenshots(const BatchInput& input, const QString& folder, const QSize& size) {
  if (!makeFolder(folder)) {
    return 1;
  }
  BatchWindow batch;
  MainWindow& window = batch.window();
  window.resize(size);
  if (!batch.fill(input)) {
    return 1;
  }
  if (input.files.isEmpty()) {
    batch.computeMore();
    trainHeadOf(batch);
    runStudyOf(batch);
  }
  const bool scaled = qEnvironmentVariableIsSet(kScaleVariable);
  auto* const application = qobject_cast<QApplication*>(QCoreApplication::instance());
  for (const bool is_dark : {false, true}) {
    applyTheme(*application, is_dark ? Theme::darkTheme() : Theme::light());
    const QString theme = is_dark ? QStringLiteral("dark") : QStringLiteral("light");
    const SavePicture save = [&](const QString& name) {
      const QString file =
          QDir(folder).filePath(QStringLiteral("%1-%2%3.png")
                                    .arg(name, theme, scaled ? QStringLiteral("@2x") : QString()));
      say(file);
      return window.grab().save(file);
    };
    if (!savePages(batch, save)) {
      sayCannotWrite(folder);
      return 1;
    }
  }
  if (scaled) {
    return 0;
  }
  // The scale factor is read at startup, so run the program again for the large pictures.
  QProcess again;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QString::fromLatin1(kScaleVariable), QStringLiteral("2"));
  again.setProcessEnvironment(environment);
  again.setProcessChannelMode(QProcess::ForwardedChannels);
  again.start(QCoreApplication::applicationFilePath(), QCoreApplication::arguments().mid(1));
  return again.waitForFinished(-1) && again.exitStatus() == QProcess::NormalExit ? again.exitCode()
                                                                                 : 1;
}

}  // namespace dubito
