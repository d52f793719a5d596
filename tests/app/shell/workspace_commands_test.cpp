// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <filesystem>
#include <memory>

#include "app/shell/error_banner.h"
#include "app/shell/export_menu.h"
#include "app/shell/file_drop.h"
#include "app/shell/main_window.h"
#include "app/shell/page_stack.h"
#include "app/shell/workspace_commands.h"
#include "app/shift/shift_page.h"
#include "app/shift/shift_request.h"
#include "app/tune/tune_page.h"
#include "app/workspace/missing_files.h"
#include "app/workspace/workspace_row.h"
#include "core/io/run_file.h"
#include "core/io/run_summary.h"
#include "tests/app/support/test_window.h"
#include "tests/app/support/workspace_files.h"
#include "tests/core/io/damage.h"
#include "tests/support/gui_test.h"
#include "tests/support/shared_data.h"
#include "widgets/card.h"
#include "widgets/curve_plot.h"
#include "widgets/reliability_plot.h"

namespace dubito::test {

/// Saving and opening workspaces through the window, with files of its own.
class WorkspaceWindowTest : public QObject, private TestWindow {
  Q_OBJECT

 private:
  std::unique_ptr<WorkspaceFiles> files_;

  WorkspaceCommands& commands() { return window_->workspaceCommands(); }
  QString path(const char* name) { return QString::fromStdString(dir_->file(name)); }

  void openFiles() {
    window_->workbench().opener().open({{files_->model, FileKind::kModel, false, "net"},
                                        {files_->digits, FileKind::kDataset, false, "digits"},
                                        {files_->signs, FileKind::kDataset, true, "signs"}});
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 2U, kPatience);
  }
  void startComputing() {
    ComputeSettings settings = window_->workbench().computer().settings();
    settings.method = MapOptions{};
    window_->workbench().computer().compute(settings);
  }
  void compute() {
    const std::size_t before = session().analyses().size();
    startComputing();
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), before + 1, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workbench().jobs().busy(), kPatience);
  }
  void saveAs(const char* name) {
    QSignalSpy saved(&commands().keeper(), &WorkspaceKeeper::saved);
    commands().setNextFileName(path(name));
    part<QAction>("saveWorkspaceAs").trigger();
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, kPatience);
  }
  /// A workspace with a run, saved as tree/work.dubito, and a fresh window.
  void makeWorkspace() {
    openFiles();
    compute();
    saveAs("tree/work.dubito");
    openWindow();
  }
  void open(const char* name) {
    window_->fileDrop().open({path(name)}, false);
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workbench().jobs().busy(), kPatience);
  }

 private Q_SLOTS:
  void init() {
    openFolder();
    files_ = std::make_unique<WorkspaceFiles>(dir_->file("tree"));
    openWindow();
  }
  void cleanup() {
    closeAll();
    files_.reset();
  }

  void whatWasSavedOpensByItsPathInAnotherWindow() {
    openFiles();
    compute();
    session().plots().setThreshold(Measure::kConfidence, 0.75);
    session().plots().setReliabilityOptions({.bins = 10, .equal_mass = true});
    session().listing().selectRange(Measure::kConfidence, {0.0, 0.9});
    const ItemQuery query = session().listing().query();
    QTRY_VERIFY(session().listing().items() != nullptr && session().listing().items()->size() > 3);
    session().moveShownItem(2);
    const std::optional<ItemRef> primary = session().listing().primary();
    QVERIFY(primary.has_value());
    saveAs("tree/work");  // without its ending
    const std::optional<double> nll = session().activeAnalysis()->evaluation.nll;
    openWindow();
    open("tree/work.dubito");
    QCOMPARE(session().models().size(), 1U);
    QCOMPARE(session().models().front().name, QStringLiteral("net"));
    QCOMPARE(session().datasets().size(), 2U);
    QVERIFY(session().datasets()[1].ood);
    QCOMPARE(session().analyses().size(), 1U);
    QCOMPARE(session().activeAnalysis()->parts.size(), 2U);
    QCOMPARE(session().activeAnalysis()->evaluation.nll, nll);
    QCOMPARE(session().plots().threshold(Measure::kConfidence).value(), 0.75);
    QVERIFY(session().listing().query() == query);
    QVERIFY(session().listing().primary() == primary);
    QCOMPARE(session().plots().reliabilityOptions().bins, 10);
    QTRY_COMPARE(part<ReliabilityPlot>("reliabilityPlot").diagram().bins.size(),
                 session().plots().reliability()
                     ? session().plots().reliability()->diagram.bins.size()
                     : 0U);
    QVERIFY(part<Card>("reliabilityPlotCard").subtitle().contains("equal mass"));
    QCOMPARE(session().activeDatasetPosition(), 0);
    QVERIFY(part<MissingFiles>("missingFiles").isHidden());
    QVERIFY(window_->workbench().opener().recentFiles().list().contains(path("tree/work.dubito")));
    QVERIFY(window_->workbench().computer().canCompute());
  }

  void theCurvesOfShiftAreSavedAndShownAgain() {
    openFiles();
    compute();
    saveAs("tree/work.dubito");
    QVERIFY(!window_->isWindowModified());
    ShiftPage& before = window_->pages().shift();
    before.compute(CorruptionKind::kContrast);
    QTRY_VERIFY_WITH_TIMEOUT(before.result() != nullptr, kPatience);
    QVERIFY(window_->isWindowModified());
    const std::optional<double> accuracy = before.result()->steps.back().evaluation.accuracy;
    saveAs("tree/work.dubito");
    QVERIFY(!window_->isWindowModified());
    openWindow();
    open("tree/work.dubito");
    ShiftPage& after = window_->pages().shift();
    QVERIFY(after.result() != nullptr);
    QVERIFY(after.result()->kind == CorruptionKind::kContrast);
    QCOMPARE(after.result()->analysis->in().run, session().activeAnalysis()->in().run);
    QCOMPARE(after.result()->steps.back().evaluation.accuracy, accuracy);
    QCOMPARE(part<QComboBox>("shiftKind").currentData().toInt(),
             static_cast<int>(CorruptionKind::kContrast));
    QVERIFY(!part<CurvePlot>("shiftShares").curves().curves.empty());
    QVERIFY(!window_->isWindowModified());
    // They go with the run.
    session().removeAnalysis(0);
    QVERIFY(session().shifts().empty());
  }

  void theFileOfARunFindsTheModelThatMadeIt() {
    openFiles();
    compute();
    const std::string run = dir_->file("run.npz");
    RunContext context;
    QVERIFY(writeRun(*session().activeAnalysis()->in().run, run, context));
    openWindow();
    const auto openRun = [&] {
      const std::size_t before = session().analyses().size();
      window_->workbench().opener().open({{run, FileKind::kPredictions, false, ""}});
      QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), before + 1, kPatience);
    };
    openRun();
    QVERIFY(!session().activeAnalysis()->model);
    QVERIFY(QString::fromStdString(whyNoShift(*session().activeAnalysis())).contains("not open"));
    openFiles();
    openRun();
    QCOMPARE(session().activeAnalysis()->model, session().models().front().model);
    QVERIFY(session().activeAnalysis()->method.has_value());
    QCOMPARE(whyNoShift(*session().activeAnalysis()), std::string());
  }

  void aDamagedLargeArrayIsFoundInTheBackground() {
    // The draws alone are too large to be compared on opening.
    Run run;
    constexpr std::int64_t kItems = 50;
    run.ids = Array<std::int64_t>::zeros({kItems});
    run.labels = Array<std::int64_t>::zeros({kItems});
    Array<float> probs = Array<float>::zeros({kItems, 2});
    for (std::int64_t i = 0; i < kItems; ++i) {
      run.ids.mutableData()[i] = i;
      run.labels.mutableData()[i] = 1;
      probs.mutableData()[2 * i + 1] = 1.0F;
    }
    run.probs = probs;
    Array<float> samples = Array<float>::zeros({50'000, kItems, 2});
    for (std::int64_t i = 1; i < samples.size(); i += 2) {
      samples.mutableData()[i] = 1.0F;
    }
    run.samples = samples;
    RunContext context;
    fillFromProbs(run, context);
    const std::string file = dir_->file("run.npz");
    QVERIFY(writeRun(run, file, context));
    openFiles();
    window_->workbench().opener().open({{file, FileKind::kPredictions, false, ""}});
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 1U, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(window_->settled(), kPatience);
    QVERIFY(part<WorkspaceRow>("run0").warnings().isEmpty());
    QVERIFY(part<ErrorBanner>("errorBanner").messages().isEmpty());

    flipBit(file, "samples", 70'000'003);
    openWindow();
    openFiles();
    compute();
    window_->workbench().opener().open({{file, FileKind::kPredictions, false, ""}});
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 2U, kPatience);
    session().setRunLabel(1, {"mine", ""});
    session().setActiveAnalysis(0);
    const QString expected = path("run.npz") + ": array 'samples' is damaged";
    QTRY_VERIFY_WITH_TIMEOUT(part<WorkspaceRow>("run1").warnings().join(' ').contains(expected),
                             kPatience);
    QVERIFY(part<ErrorBanner>("errorBanner").messages().join(' ').contains(expected));
    QTRY_VERIFY_WITH_TIMEOUT(window_->settled(), kPatience);
    QCOMPARE(part<ErrorBanner>("errorBanner").messages().filter("damaged").size(), 1);
    QVERIFY(part<WorkspaceRow>("run0").warnings().filter("damaged").isEmpty());
    QCOMPARE(session().activeAnalysisPosition(), 0);
    QCOMPARE(session().runLabel(1).name, std::string("mine"));
    QCOMPARE(session().runFiles().fileOf(session().analyses()[1]->in().run), file);
    // It stays with the run when that is evaluated anew.
    session().setActiveAnalysis(1);
    window_->workbench().evaluator().reevaluate({.bins = 7});
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses()[1]->evaluation.ece_bins, 7, kPatience);
    QVERIFY(part<WorkspaceRow>("run1").warnings().join(' ').contains(expected));
  }

  void theTitleNamesTheWorkspaceAndMarksChanges() {
    openFiles();
    QVERIFY(!window_->windowTitle().contains("work"));
    saveAs("tree/work.dubito");
    QVERIFY2(window_->windowTitle().contains("work[*]"), qPrintable(window_->windowTitle()));
    QVERIFY(!window_->isWindowModified());
    compute();
    QVERIFY(window_->isWindowModified());
    QSignalSpy saved(&commands().keeper(), &WorkspaceKeeper::saved);
    part<QAction>("saveWorkspace").trigger();  // asks for no name any more
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, kPatience);
    QVERIFY(!window_->isWindowModified());
    // Looking at something else is no change.
    compute();
    part<QAction>("saveWorkspace").trigger();
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 2, kPatience);
    session().setActiveAnalysis(0);
    session().browse(0);
    QVERIFY(!window_->isWindowModified());
    session().endBrowsing();
    session().setOod(0, true);
    QVERIFY(window_->isWindowModified());
    part<QAction>("saveWorkspace").trigger();
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 3, kPatience);
    QVERIFY(!window_->isWindowModified());
    // A change that was taken back is none.
    session().setRunLabel(0, {"mine", ""});
    QVERIFY(window_->isWindowModified());
    session().setRunLabel(0, {});
    QVERIFY(!window_->isWindowModified());
  }

  void aMissingFileIsLocatedAndWhatLiesBesideItIsFoundWithIt() {
    makeWorkspace();
    std::filesystem::rename(dir_->file("tree/data"), dir_->file("moved"));
    open("tree/work.dubito");
    QCOMPARE(commands().keeper().problems().size(), 4U);
    QVERIFY(part<MissingFiles>("missingFiles").isVisible());
    QVERIFY(part<QLabel>("missingText")
                .text()
                .contains("digits-images-idx3-ubyte.gz: no longer exists"));
    QVERIFY(part<QPushButton>("acceptFile").isHidden());
    QCOMPARE(session().analyses().size(), 1U);
    QVERIFY(!session().activeAnalysis()->in().dataset);

    commands().setNextFileName(path("moved/digits-images-idx3-ubyte.gz"));
    part<QPushButton>("locateFile").click();
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 2U, kPatience);
    QVERIFY(commands().keeper().problems().empty());
    QVERIFY(part<MissingFiles>("missingFiles").isHidden());
    QVERIFY(session().activeAnalysis()->in().dataset == session().datasets()[0].dataset);
    QVERIFY(window_->isWindowModified());
  }

  void anotherFileInItsPlaceIsTakenOnlyWhenAccepted() {
    makeWorkspace();
    std::filesystem::rename(files_->model, dir_->file("gone.pt"));
    const std::string other = dir_->file("other.pt");
    std::filesystem::copy_file(sourceDir() / "tests/data/models/traced_train.pt", other);
    open("tree/work.dubito");
    QVERIFY(session().models().empty());
    commands().setNextFileName(QString::fromStdString(other));
    part<QPushButton>("locateFile").click();
    QTRY_VERIFY_WITH_TIMEOUT(part<QLabel>("missingText").text().contains("has changed"), kPatience);
    QVERIFY(session().models().empty());
    QVERIFY(part<QPushButton>("acceptFile").isVisible());
    part<QPushButton>("acceptFile").click();
    QTRY_COMPARE_WITH_TIMEOUT(session().models().size(), 1U, kPatience);
    QCOMPARE(session().models().front().model->path(), other);
  }

  void savingWaitsForMissingFilesSoThatNoneIsForgotten() {
    makeWorkspace();
    std::filesystem::remove(files_->model);
    open("tree/work.dubito");
    part<QAction>("saveWorkspace").trigger();
    QVERIFY(part<ErrorBanner>("errorBanner").messages().front().contains("locate or skip them"));
    part<QPushButton>("leaveOutFile").click();
    QVERIFY(part<MissingFiles>("missingFiles").isHidden());
    QSignalSpy saved(&commands().keeper(), &WorkspaceKeeper::saved);
    part<QAction>("saveWorkspace").trigger();
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, kPatience);
    open("tree/work.dubito");
    QVERIFY(commands().keeper().problems().empty());
    QCOMPARE(session().analyses().size(), 1U);
  }

  void leavingAFileOutEndsTheSearchForIt() {
    makeWorkspace();
    std::filesystem::rename(files_->model, dir_->file("gone.pt"));
    open("tree/work.dubito");
    WorkspaceKeeper& keeper = commands().keeper();
    QCOMPARE(keeper.problems().size(), 1U);
    keeper.locate(path("gone.pt"));
    keeper.skip();
    QVERIFY(keeper.problems().empty());
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workbench().jobs().busy(), kPatience);
    QVERIFY(keeper.problems().empty());
    QVERIFY(session().models().empty());
  }

  void whatIsAskedWhileAWorkspaceOpensIsRefused() {
    makeWorkspace();
    std::filesystem::rename(files_->model, dir_->file("gone.pt"));
    std::filesystem::copy_file(sourceDir() / "tests/data/models/traced_train.pt", files_->model);
    open("tree/work.dubito");
    WorkspaceKeeper& keeper = commands().keeper();
    QCOMPARE(keeper.problems().size(), 1U);
    QSignalSpy failed(&keeper, &WorkspaceKeeper::failed);
    keeper.accept();
    QVERIFY(keeper.opening());
    keeper.accept();
    keeper.skip();
    keeper.locate(path("gone.pt"));
    keeper.save(path("tree/work.dubito"));
    QCOMPARE(failed.count(), 4);
    // Cancelled: the file is still asked for, and nothing else has changed.
    window_->workbench().jobs().cancel();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workbench().jobs().busy(), kPatience);
    QCOMPARE(keeper.problems().size(), 1U);
    QVERIFY(session().models().empty());
    QVERIFY(!keeper.modified());
    keeper.locate(path("gone.pt"));
    keeper.open(path("tree/work.dubito"));  // the search is not for this one's problem
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workbench().jobs().busy(), kPatience);
    QCOMPARE(keeper.problems().size(), 1U);
    QVERIFY(session().models().empty());
  }

  void aRunEvaluatedAnewIsReplacedWhenItsPicturesAreFound() {
    makeWorkspace();
    std::filesystem::rename(dir_->file("tree/data"), dir_->file("moved"));
    open("tree/work.dubito");
    EvaluationOptions options;
    options.bins = 7;
    const AnalysisPtr before = session().activeAnalysis();
    window_->workbench().evaluator().reevaluate(options);
    QTRY_VERIFY_WITH_TIMEOUT(session().activeAnalysis() != before, kPatience);
    commands().keeper().locate(path("moved/digits-images-idx3-ubyte.gz"));
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 2U, kPatience);
    QCOMPARE(session().analyses().size(), 1U);
    QVERIFY(session().activeAnalysis()->in().dataset == session().datasets()[0].dataset);
    QCOMPARE(session().activeAnalysis()->evaluation.ece_bins, 7);
  }

  void theFirstComputationIsNotClosedByAWorkspaceUnasked() {
    makeWorkspace();
    openFiles();
    startComputing();
    QVERIFY(!window_->close());  // and the second time it would
    window_->fileDrop().open({path("tree/work.dubito")}, false);
    QVERIFY(
        part<ErrorBanner>("errorBanner").messages().join(' ').contains("a computation is running"));
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 1U, kPatience);
    QVERIFY(commands().keeper().path().isEmpty());
  }

  void aRunThatWasComputedWhileAWorkspaceOpensStays() {
    makeWorkspace();
    openFiles();
    startComputing();
    QSignalSpy failed(&commands().keeper(), &WorkspaceKeeper::failed);
    commands().keeper().open(path("tree/work.dubito"));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workbench().jobs().busy(), kPatience);
    QCOMPARE(failed.count(), 1);
    QCOMPARE(session().analyses().size(), 1U);
    QCOMPARE(commands().keeper().unsavedRunCount(), 1);
  }

  void closingWaitsForASaveAndStaysWhereThatFails() {
    openFiles();
    compute();
    WorkspaceKeeper& keeper = commands().keeper();
    QSignalSpy not_saved(&keeper, &WorkspaceKeeper::notSaved);
    // A file is no folder: that save fails, however quick or slow it is.
    keeper.save(path("tree/model/net.pt/work.dubito"));
    QVERIFY(keeper.saving());
    QVERIFY(!window_->close());
    keeper.open(path("tree/work.dubito"));
    QVERIFY(!keeper.opening());
    QTRY_COMPARE_WITH_TIMEOUT(not_saved.count(), 1, kPatience);
    QVERIFY(window_->isVisible());
    // What waited for that one does not happen after the next.
    saveAs("tree/work.dubito");
    QVERIFY(window_->isVisible());
    keeper.save(path("tree/work.dubito"));
    QVERIFY(!window_->close());
    QTRY_VERIFY_WITH_TIMEOUT(!window_->isVisible(), kPatience);
  }

  void anEndingIsAddedToANewNameAlone() {
    openFiles();
    saveAs("tree/work.dubito");
    std::filesystem::rename(dir_->file("tree/work.dubito"), dir_->file("tree/work.json"));
    writeBytes(dir_->file("tree/other.dubito"), "of somebody else");
    openWindow();
    commands().keeper().open(path("tree/work.json"));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workbench().jobs().busy(), kPatience);
    QSignalSpy saved(&commands().keeper(), &WorkspaceKeeper::saved);
    part<QAction>("saveWorkspace").trigger();
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, kPatience);
    QCOMPARE(saved.front().front().toString(), path("tree/work.json"));
    QVERIFY(!std::filesystem::exists(dir_->file("tree/work.json.dubito")));
    // The ending makes it the name of another file, which is not replaced unasked.
    commands().setNextFileName(path("tree/other"));
    commands().setNextAnswer(QMessageBox::No);
    part<QAction>("saveWorkspaceAs").trigger();
    QVERIFY(!commands().keeper().saving());
    QCOMPARE(readBytes(dir_->file("tree/other.dubito")), std::string("of somebody else"));
    commands().setNextAnswer(QMessageBox::Yes);
    saveAs("tree/other");
    QCOMPARE(commands().keeper().path(), path("tree/other.dubito"));
  }

  void aDamagedWorkspaceLeavesWhatIsOpen() {
    openFiles();
    writeBytes(dir_->file("broken.dubito"), "{");
    open("broken.dubito");
    QCOMPARE(part<ErrorBanner>("errorBanner").messages().size(), 1);
    QVERIFY(part<ErrorBanner>("errorBanner").messages().front().contains("broken.dubito"));
    QCOMPARE(session().datasets().size(), 2U);
    // The message goes with the next one that opens.
    saveAs("tree/work.dubito");
    open("tree/work.dubito");
    QVERIFY(part<ErrorBanner>("errorBanner").messages().filter("broken.dubito").isEmpty());
  }

  void anotherWorkspaceDoesNotReplaceComputedRunsUnasked() {
    makeWorkspace();
    openFiles();
    compute();
    commands().setNextAnswer(QMessageBox::Cancel);
    open("tree/work.dubito");
    QCOMPARE(commands().keeper().path(), QString());
    commands().setNextAnswer(QMessageBox::Save);
    commands().setNextFileName(path("tree/mine.dubito"));
    window_->fileDrop().open({path("tree/work.dubito")}, false);
    QTRY_COMPARE_WITH_TIMEOUT(commands().keeper().path(), path("tree/work.dubito"), kPatience);
    QVERIFY(std::filesystem::exists(dir_->file("tree/mine.dubito")));
    QCOMPARE(session().analyses().size(), 1U);
    QCOMPARE(session().datasets().size(), 2U);
  }

  void aRunKeptFromTuneIsAskedAbout() {
    openFiles();
    compute();
    saveAs("tree/work.dubito");
    window_->showPage(PageId::kTune);
    QTRY_VERIFY_WITH_TIMEOUT(window_->pages().tune().tuner().result() != nullptr, kPatience);
    window_->pages().tune().setTemperature(2.0);
    QTRY_VERIFY_WITH_TIMEOUT(!window_->pages().tune().busy(), kPatience);
    part<QPushButton>("tuneKeep").click();
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 2U, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workbench().jobs().busy(), kPatience);
    QVERIFY(window_->isWindowModified());
    QCOMPARE(commands().keeper().unsavedRunCount(), 1);
    commands().setNextAnswer(QMessageBox::Cancel);
    QVERIFY(!window_->close());
    commands().setNextAnswer(QMessageBox::Save);
    QVERIFY(!window_->close());
    QTRY_VERIFY_WITH_TIMEOUT(!window_->isVisible(), kPatience);
    openWindow();
    open("tree/work.dubito");
    QCOMPARE(session().analyses().size(), 2U);
  }

  void changesThatTheTitleMarksAreAskedAbout() {
    makeWorkspace();
    open("tree/work.dubito");
    QVERIFY(!window_->isWindowModified());
    session().plots().setThreshold(Measure::kConfidence, 0.75);
    QVERIFY(window_->isWindowModified());
    commands().setNextAnswer(QMessageBox::Cancel);
    QVERIFY(!window_->close());
    commands().setNextAnswer(QMessageBox::Cancel);
    window_->fileDrop().open({path("tree/work.dubito")}, false);
    QVERIFY(!commands().keeper().opening());
    QCOMPARE(session().plots().threshold(Measure::kConfidence).value(), 0.75);
    commands().setNextAnswer(QMessageBox::Discard);
    QVERIFY(window_->close());
  }

  void theQuestionNeverDiscardsByDefault() {
    openFiles();
    compute();
    bool asked = false;
    QTimer::singleShot(0, this, [&asked] {
      auto* const box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box == nullptr) {
        return;
      }
      asked = true;
      QCOMPARE(box->defaultButton(), box->button(QMessageBox::Save));
      QCOMPARE(box->escapeButton(), box->button(QMessageBox::Cancel));
      QVERIFY(box->text().contains("Unsaved runs: 1"));
      box->reject();
    });
    QVERIFY(!window_->close());
    QVERIFY(asked);
  }

  void aSingleRunIsSavedFromItsRow() {
    openFiles();
    compute();
    compute();
    QCOMPARE(commands().keeper().unsavedRunCount(), 2);
    ExportMenu& menu = part<ExportMenu>("exportMenu");
    QSignalSpy written(&menu, &ExportMenu::written);
    menu.setNextFileName(path("mine.npz"));
    auto& row = part<WorkspaceRow>("run0");
    row.findChild<QAction*>("saveRun")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, kPatience);
    QVERIFY(std::filesystem::exists(dir_->file("mine.npz")));
    QVERIFY(std::filesystem::exists(dir_->file("mine-ood-signs.npz")));
    QCOMPARE(commands().keeper().unsavedRunCount(), 1);
    QCOMPARE(session().runFiles().fileOf(session().analyses()[0]->in().run),
             dir_->file("mine.npz"));
    // Another run may not replace what lies next to its file.
    writeBytes(dir_->file("other-ood-signs.npz"), "of somebody else");
    QSignalSpy failed(&menu, &ExportMenu::failed);
    menu.setNextFileName(path("other.npz"));
    part<WorkspaceRow>("run1").findChild<QAction*>("saveRun")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kPatience);
    QVERIFY(failed.front().front().toString().contains("other-ood-signs.npz: already exists"));
    QVERIFY(!std::filesystem::exists(dir_->file("other.npz")));
    QCOMPARE(readBytes(dir_->file("other-ood-signs.npz")), std::string("of somebody else"));
  }

  void aRunIsRenamedInPlaceAndKeepsNameNoteAndWarnings() {
    openFiles();
    compute();
    auto run = std::make_shared<Analysis>(*session().activeAnalysis());
    Run noted = *run->in().run;
    noted.meta.notes.push_back("one image could not be read");
    run->parts.front().run = std::make_shared<const Run>(noted);
    session().replaceAnalysis(0, run);
    QVERIFY(part<WorkspaceRow>("run0").warnings().join(' ').contains("could not be read"));
    QVERIFY(part<WorkspaceRow>("run0").detail().contains("digits"));
    saveAs("tree/work.dubito");
    QTest::mouseDClick(&part<WorkspaceRow>("run0"), Qt::LeftButton);
    auto& edit = part<QLineEdit>("nameEdit");
    QTest::keyClicks(&edit, "my baseline");
    session().plots().setThreshold(Measure::kEntropy, 0.5);
    session().setOod(0, true);  // the list is built anew when the name is there
    session().setOod(0, false);
    QVERIFY(part<WorkspaceRow>("run0").renaming());
    QTest::keyClick(&edit, Qt::Key_Return);
    QCOMPARE(part<WorkspaceRow>("run0").text(), QStringLiteral("my baseline"));
    QVERIFY(window_->windowTitle().contains("my baseline"));
    QVERIFY(window_->isWindowModified());
    // Esc changes nothing.
    part<WorkspaceRow>("run0").setFocus();
    QTest::keyClick(&part<WorkspaceRow>("run0"), Qt::Key_F2);
    QTest::keyClicks(&part<QLineEdit>("nameEdit"), "other");
    QTest::keyClick(&part<QLineEdit>("nameEdit"), Qt::Key_Escape);
    QCOMPARE(part<WorkspaceRow>("run0").text(), QStringLiteral("my baseline"));
    part<WorkspaceRow>("run0").findChild<QAction*>("runDetails")->trigger();
    QVERIFY(part<QLabel>("runDetailsWarnings").text().contains("could not be read"));
    part<QPlainTextEdit>("runDetailsNote").setPlainText("for the paper");
    part<QDialogButtonBox>("runDetailsButtons").button(QDialogButtonBox::Ok)->click();
    saveAs("tree/work.dubito");
    openWindow();
    open("tree/work.dubito");
    QCOMPARE(part<WorkspaceRow>("run0").text(), QStringLiteral("my baseline"));
    QCOMPARE(session().runLabel(0).note, std::string("for the paper"));
    QVERIFY(part<WorkspaceRow>("run0").warnings().join(' ').contains("could not be read"));
    QVERIFY(!window_->isWindowModified());
    // An empty name brings the generated one back.
    part<WorkspaceRow>("run0").beginRename();
    part<QLineEdit>("nameEdit").clear();
    QTest::keyClick(&part<QLineEdit>("nameEdit"), Qt::Key_Return);
    QCOMPARE(part<WorkspaceRow>("run0").text(), QStringLiteral("MAP softmax"));
  }

  void modelAndDatasetsOfTheRunShownAreMarked() {
    openFiles();
    QVERIFY(!part<WorkspaceRow>("model0").related());
    compute();
    window_->workbench().opener().open({{files_->digits, FileKind::kDataset, false, "others"}});
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 3U, kPatience);
    QVERIFY(part<WorkspaceRow>("model0").related());
    QVERIFY(part<WorkspaceRow>("dataset0").related());
    QVERIFY(part<WorkspaceRow>("dataset1").related());
    QVERIFY(!part<WorkspaceRow>("dataset2").related());
    QVERIFY(part<WorkspaceRow>("dataset2").chosen());
  }

  void closingAsksOnlyWhereComputedRunsWouldBeLost() {
    openFiles();
    QVERIFY(window_->close());
    window_->show();
    compute();
    commands().setNextAnswer(QMessageBox::Cancel);
    QVERIFY(!window_->close());
    commands().setNextAnswer(QMessageBox::Save);
    commands().setNextFileName(path("tree/work.dubito"));
    QVERIFY(!window_->close());
    QTRY_VERIFY_WITH_TIMEOUT(!window_->isVisible(), kPatience);
    QVERIFY(std::filesystem::exists(dir_->file("tree/work.dubito")));
    window_->show();
    QVERIFY(window_->close());
    window_->show();
    compute();
    commands().setNextAnswer(QMessageBox::Discard);
    QVERIFY(window_->close());
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::WorkspaceWindowTest)
#include "workspace_commands_test.moc"
