// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/batch.h"

#include <QApplication>
#include <QComboBox>
#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QProcess>
#include <QProcessEnvironment>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTimer>
#include <cstdio>

#include "app/labs/figures/lab_figures.h"
#include "app/labs/labs_page.h"
#include "app/report/study_pdf.h"
#include "app/review/grid/review_grid.h"
#include "app/review/review_page.h"
#include "app/shell/error_banner.h"
#include "app/shell/file_drop.h"
#include "app/shell/page_stack.h"
#include "app/shell/workspace_commands.h"
#include "app/shift/shift_page.h"
#include "app/study/study_editor.h"
#include "app/study/study_page.h"
#include "app/train/train_page.h"
#include "app/train/train_set_up.h"
#include "app/tune/tune_page.h"
#include "core/labs/catalogue/laboratories.h"
#include "widgets/theme.h"
#include "widgets/tile_grid.h"

namespace dubito {
namespace {

constexpr char kScaleVariable[] = "QT_SCALE_FACTOR";
// Different from 1, so that the pictures show a change.
constexpr double kShownTemperature = 0.6;

void say(const QString& text) {
  std::fprintf(stderr, "%s\n", qPrintable(text));
}

/// Of a laboratory in the pictures of pages; chains would go on for a minute.
constexpr int kShownSeconds = 15;
/// Of a laboratory in the pictures of figures.
constexpr int kFigureSeconds = 90;
/// In the picture of the page Review.
constexpr int kReviewedImages = 6;

/// Returns false, with a message, if it cannot be made.
bool makeFolder(const QString& folder) {
  const bool made = QDir(folder).mkpath(QStringLiteral("."));
  if (!made) {
    say(QCoreApplication::translate("batch", "%1: cannot create folder; choose another one")
            .arg(folder));
  }
  return made;
}

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

void processFor(int milliseconds) {
  QEventLoop loop;
  QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
  loop.exec();
}

}  // namespace

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
    say(QCoreApplication::translate(
        "batch", "nothing to show; pass a run, or a model and a dataset, as arguments"));
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

void BatchWindow::review(int count) {
  window_->showPage(PageId::kReview);
  window_->pages().review().showMode(QStringLiteral("single"));
  Reviewer& reviewer = window_->pages().review().reviewer();
  if (!reviewer.active()) {
    reviewer.start();
  }
  for (int i = 0; i < count; ++i) {
    settle();
    const std::optional<std::int64_t> row = reviewer.row();
    const std::int64_t label =
        row ? reviewer.analysis()->in().run->labels.data()[*row] : std::int64_t{-1};
    if (label >= 0) {
      reviewer.choose(label);
    }
  }
  settle();
  if (auto* const similar = window_->findChild<QPushButton*>(QStringLiteral("reviewSimilarStart"));
      similar->isVisible()) {
    similar->click();
    settle();
  }
}

void BatchWindow::reviewMany() {
  window_->pages().review().showMode(QStringLiteral("grid"));
  settle();
  const ClassPages& pages = window_->findChild<ReviewGrid*>()->pages();
  TileGrid& tiles = *window_->findChild<TileGrid*>();
  const Run& run = *window_->pages().review().reviewer().analysis()->in().run;
  for (std::size_t i = 0; i < pages.rows().size(); ++i) {
    const std::int64_t label = run.labels.data()[pages.rows()[i]];
    tiles.setMarked(static_cast<int>(i), label >= 0 && label != pages.shownClass());
  }
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

void BatchWindow::play(int seconds) {
  QElapsedTimer watch;
  watch.start();
  while (window_->pages().labs().busy() && watch.elapsed() < 1000 * qint64{seconds}) {
    processFor(50);
  }
}

namespace {

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
  window.findChild<ErrorBanner*>()->dismiss();
}

/// Computes the study of the sample digits, which the page shows afterwards.
void runStudyOf(BatchWindow& batch) {
  const QTemporaryDir folder;
  StudyPage& page = batch.window().pages().study();
  page.startNew(QStringLiteral("sample"));
  page.editor().setFolder(folder.filePath(QStringLiteral("digits-that-turn")));
  page.run();
  batch.settle();
  // The picture shows a target on which promises break.
  auto& targets = *page.findChild<QComboBox*>(QStringLiteral("studyTarget"));
  targets.setCurrentIndex(targets.count() - 1);
}

}  // namespace

int runReport(const BatchInput& input, const QString& folder) {
  BatchWindow batch;
  batch.window().resize(1440, 900);
  if (!batch.fill(input)) {
    return 1;
  }
  static_cast<void>(batch.window().grabPages());  // lays out hidden pages, so that they load
  for (const auto page : {PageId::kImages, PageId::kTune, PageId::kOverview}) {
    batch.window().showPage(page);
    batch.settle();
  }
  RunContext context;
  const Expected<QStringList> files = writeReport(folder, batch.window().reportInput(), context);
  if (!files) {
    say(QString::fromStdString(files.error().message));
    return 1;
  }
  say(QCoreApplication::translate("batch", "Report written to %1:")
          .arg(QDir(folder).absolutePath()));
  for (const QString& file : *files) {
    say(QStringLiteral("  ") + QDir(folder).relativeFilePath(file));
  }
  return 0;
}

int runStudyReport(const QString& folder) {
  const Expected<QString> file = writeStudyPdf(folder);
  if (!file) {
    say(QString::fromStdString(file.error().message));
    return 1;
  }
  say(QDir::toNativeSeparators(*file));
  return 0;
}

int runFigures(const QString& folder, const QSize& size) {
  if (!makeFolder(folder)) {
    return 1;
  }
  BatchWindow batch;
  MainWindow& window = batch.window();
  window.resize(size);
  window.show();
  window.showPage(PageId::kLabs);
  for (const LabFigure& figure : labFigures()) {
    const QString file = QDir(folder).filePath(QLatin1String(figure.key) + QStringLiteral(".png"));
    say(file);
    window.pages().labs().showFigure(figure);
    batch.play(kFigureSeconds);
    batch.settle();
    if (!window.grab().save(file)) {
      say(QCoreApplication::translate("batch", "%1: cannot write file; choose another folder")
              .arg(folder));
      return 1;
    }
  }
  return 0;
}

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
  const auto save = [&](const QString& name) {
    batch.settle();
    const QString file =
        QDir(folder).filePath(name + (scaled ? QStringLiteral("@2x.png") : QStringLiteral(".png")));
    say(file);
    return window.grab().save(file);
  };
  for (const auto& [theme, name] : {std::pair(Theme::light(), QStringLiteral("light")),
                                    std::pair(Theme::darkTheme(), QStringLiteral("dark"))}) {
    applyTheme(*application, theme);
    window.showPage(PageId::kOverview);
    bool fine = save(QStringLiteral("overview-") + name);
    window.setComputeOpen(true);
    fine = fine && save(QStringLiteral("compute-") + name);
    window.setComputeOpen(false);
    window.showPage(PageId::kImages);
    fine = fine && save(QStringLiteral("images-") + name);
    window.showPage(PageId::kCompare);
    fine = fine && save(QStringLiteral("compare-") + name);
    window.showPage(PageId::kTune);
    batch.settle();
    window.pages().tune().setTemperature(kShownTemperature);
    fine = fine && save(QStringLiteral("tune-") + name);
    window.showPage(PageId::kShift);
    fine = fine && save(QStringLiteral("shift-") + name);
    window.showPage(PageId::kTrain);
    fine = fine && save(QStringLiteral("train-") + name);
    window.showPage(PageId::kStudy);
    StudyPage& studies = window.pages().study();
    if (studies.view().study()) {
      studies.showResults();
      fine = fine && save(QStringLiteral("study-") + name);
      studies.showEditor();
      fine = fine && save(QStringLiteral("study-file-") + name);
    }
    batch.review(kReviewedImages);
    fine = fine && save(QStringLiteral("review-") + name);
    batch.reviewMany();
    fine = fine && save(QStringLiteral("review-many-") + name);
    for (const char* const mode : {"automatic", "learn", "results"}) {
      window.pages().review().showMode(QLatin1String(mode));
      fine = fine && save(QStringLiteral("review-%1-").arg(QLatin1String(mode)) + name);
    }
    window.pages().review().showMode(QStringLiteral("single"));
    window.showPage(PageId::kLabs);
    for (const LaboratoryInfo& laboratory : laboratories()) {
      window.pages().labs().showLaboratory(laboratory.id);
      batch.play(kShownSeconds);
      fine = fine && save(QStringLiteral("lab-%1-").arg(QLatin1String(laboratory.key)) + name);
    }
    if (!fine) {
      say(QCoreApplication::translate("batch", "%1: cannot write file; choose another folder")
              .arg(folder));
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
