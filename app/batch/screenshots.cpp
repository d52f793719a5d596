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
#include "app/labs/labs_page.h"
#include "app/review/review_page.h"
#include "app/shell/error_banner.h"
#include "app/shell/page_stack.h"
#include "app/study/study_editor.h"
#include "app/study/study_page.h"
#include "app/train/train_page.h"
#include "app/train/train_set_up.h"
#include "app/tune/tune_page.h"
#include "core/labs/catalogue/laboratories.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr char kScaleVariable[] = "QT_SCALE_FACTOR";
// Different from 1, so that the pictures show a change.
constexpr double kShownTemperature = 0.6;
/// Of a laboratory in the pictures; chains would go on for a minute.
constexpr int kShownSeconds = 15;
/// In the picture of the page Review.
constexpr int kReviewedImages = 6;

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

/// Writes a picture of the window to the file named after `key`; false: it cannot be written.
using SavePicture = std::function<bool(const QString& key)>;

bool saveCompute(BatchWindow& batch, const SavePicture& save) {
  batch.window().setComputeOpen(true);
  const bool fine = save(QStringLiteral("compute"));
  batch.window().setComputeOpen(false);
  return fine;
}

/// The results of a study and its file; nothing if none is open.
bool saveStudy(BatchWindow& batch, const SavePicture& save) {
  StudyPage& page = batch.window().pages().study();
  if (!page.view().study()) {
    return true;
  }
  page.showResults();
  const bool fine = save(QStringLiteral("study"));
  page.showEditor();
  return fine && save(QStringLiteral("study-file"));
}

/// The modes of the review.
bool saveReview(BatchWindow& batch, const SavePicture& save) {
  batch.review(kReviewedImages);
  bool fine = save(QStringLiteral("review"));
  batch.reviewMany();
  fine = fine && save(QStringLiteral("review-many"));
  ReviewPage& page = batch.window().pages().review();
  for (const char* const mode : {"automatic", "learn", "results"}) {
    page.showMode(QLatin1String(mode));
    fine = fine && save(QStringLiteral("review-%1").arg(QLatin1String(mode)));
  }
  page.showMode(QStringLiteral("single"));
  return fine;
}

bool saveLabs(BatchWindow& batch, const SavePicture& save) {
  return std::ranges::all_of(laboratories(), [&](const LaboratoryInfo& laboratory) {
    batch.window().pages().labs().showLaboratory(laboratory.id);
    batch.play(kShownSeconds);
    return save(QStringLiteral("lab-%1").arg(QLatin1String(laboratory.key)));
  });
}

/// Writes the pictures of a page: one of its first look, unless it has others.
bool savePage(BatchWindow& batch, const PageInfo& page, const SavePicture& save) {
  const QString key = QLatin1String(page.key);
  batch.window().showPage(page.id);
  switch (page.id) {
    case PageId::kOverview:
      return save(key) && saveCompute(batch, save);
    case PageId::kTune:
      batch.settle();
      batch.window().pages().tune().setTemperature(kShownTemperature);
      return save(key);
    case PageId::kReview:
      return saveReview(batch, save);
    case PageId::kStudy:
      return saveStudy(batch, save);
    case PageId::kLabs:
      return saveLabs(batch, save);
    default:
      return save(key);
  }
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
    const SavePicture save = [&](const QString& key) {
      batch.settle();
      const QString file =
          QDir(folder).filePath(QStringLiteral("%1-%2%3.png")
                                    .arg(key, theme, scaled ? QStringLiteral("@2x") : QString()));
      say(file);
      return window.grab().save(file);
    };
    const bool fine = std::ranges::all_of(
        allPages(), [&](const PageInfo& page) { return savePage(batch, page, save); });
    if (!fine) {
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
