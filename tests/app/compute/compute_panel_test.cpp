// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <cmath>
#include <memory>

#include "app/compute/compute_panel.h"
#include "app/compute/site_list.h"
#include "app/shell/error_banner.h"
#include "app/shell/export_menu.h"
#include "app/shell/file_drop.h"
#include "app/shell/main_window.h"
#include "app/shell/open_menu.h"
#include "app/shift/shift_page.h"
#include "app/workspace/workspace_row.h"
#include "tests/app/support/test_window.h"
#include "tests/app/support/workspace_files.h"
#include "tests/support/gui_test.h"
#include "tests/support/shared_data.h"
#include "widgets/card.h"
#include "widgets/class_probability_plot.h"
#include "widgets/curve_plot.h"
#include "widgets/histogram_plot.h"
#include "widgets/image_gallery.h"

namespace dubito::test {

/// The way from files to plots with a small real network and the committed samples.
class ComputeTest : public QObject, private TestWindow {
  Q_OBJECT

 private:
  static std::string samples(const std::string& name, int items) {
    const std::string base = (sourceDir() / "datasets/samples" / name).string();
    return "idx:" + base + "-images-idx3-ubyte.gz," + base +
           "-labels-idx1-ubyte.gz?items=0:" + std::to_string(items);
  }
  static std::string trainingDigits() {
    const std::string digits = samples("mnist-2000", 0);
    return digits.substr(0, digits.find('?')) + "?items=600:700&role=train";
  }
  void openNetworkAndImages(int items) {
    window_->workbench().opener().open(
        {{(sourceDir() / "tests/data/models/scripted.pt").string(), FileKind::kModel, false, {}},
         {samples("mnist-2000", items), FileKind::kDataset, false, "digits"},
         {samples("kmnist-1000", 40), FileKind::kDataset, true, "signs"}});
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 2U, kPatience);
    QCOMPARE(session().models().size(), 1U);
  }

 private Q_SLOTS:
  void init() {
    openFolder();
    openWindow();
  }
  void cleanup() { closeAll(); }

  void computePanelRunsDropoutOnAllDatasets() {
    openNetworkAndImages(60);
    part<QPushButton>("computeButton").click();
    QVERIFY(part<ComputePanel>("computePanel").isVisible());
    QVERIFY(part<QLabel>("computeTarget").text().contains("digits"));
    QVERIFY(!part<QLabel>("preprocessingLine").text().isEmpty());
    QVERIFY(!part<SiteList>("siteList").findChildren<QCheckBox*>().isEmpty());
    part<QPushButton>("startCompute").click();
    QTRY_VERIFY_WITH_TIMEOUT(session().activeAnalysis() != nullptr, kPatience);
    const AnalysisPtr analysis = session().activeAnalysis();
    QCOMPARE(analysis->parts.size(), 2U);
    QCOMPARE(analysis->parts[0].run->itemCount(), 60);
    QCOMPARE(analysis->parts[1].run->itemCount(), 40);
    QCOMPARE(analysis->parts[1].name, std::string("signs"));
    QCOMPARE(analysis->in().run->drawCount(), 50);
    QCOMPARE(part<HistogramPlot>("confidenceHistogram").histograms().groups.size(),
             analysis->overview.correct > 0 ? 3U : 2U);
    QTRY_VERIFY(part<ImageGallery>("overviewGallery").count() > 0);
    QCOMPARE(otherMessages(), QStringList());
  }

  void anOodSetCanBeLeftOutOfARun() {
    openNetworkAndImages(30);
    window_->workbench().opener().open(
        {{samples("fashion-mnist-1000", 20), FileKind::kDataset, true, "clothes"}});
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 3U, kPatience);
    part<QPushButton>("computeButton").click();
    part<ComputePanel>("computePanel").chooseMethod("map");
    QVERIFY(part<QLabel>("computeTarget").text().contains("signs"));
    part<QCheckBox>("ood0").click();
    QVERIFY(!part<QLabel>("computeTarget").text().contains("signs"));
    QVERIFY(part<QLabel>("computeTarget").text().contains("clothes"));
    part<QPushButton>("startCompute").click();
    QTRY_VERIFY_WITH_TIMEOUT(session().activeAnalysis() != nullptr, kPatience);
    QCOMPARE(session().activeAnalysis()->parts.size(), 2U);
    QCOMPARE(session().activeAnalysis()->parts[1].name, std::string("clothes"));
    // The choice stays with the dataset.
    session().setOod(2, false);
    session().setOod(2, true);
    QVERIFY(!part<QCheckBox>("ood0").isChecked());
  }

  void temperatureAsksForACalibrationSet() {
    openNetworkAndImages(60);
    part<QPushButton>("computeButton").click();
    ComputePanel& panel = part<ComputePanel>("computePanel");
    QComboBox& calibration = part<QComboBox>("calibrationChooser");
    QVERIFY(!calibration.isVisible());
    panel.chooseMethod("temperature");
    QVERIFY(calibration.isVisible());
    QVERIFY(!part<QPushButton>("startCompute").isEnabled());
    QVERIFY(part<QLabel>("computeReason").text().contains("calibration set"));
    window_->workbench().opener().open(
        {{samples("mnist-2000", 2000)
              .replace(samples("mnist-2000", 2000).find("items=0:2000"), 12,
                       "items=100:300&role=calibration"),
          FileKind::kDataset, false, "held out"}});
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 3U, kPatience);
    session().setActiveDataset(0);
    QCOMPARE(calibration.currentText(), QString("held out"));
    QVERIFY(part<QPushButton>("startCompute").isEnabled());
    part<QPushButton>("startCompute").click();
    QTRY_VERIFY_WITH_TIMEOUT(session().activeAnalysis() != nullptr, kPatience);
    const Run& run = *session().activeAnalysis()->in().run;
    QCOMPARE(run.meta.method, std::string("temperature"));
    QVERIFY(toText(run.meta.notes.front()).find("fitted on 200 items") != std::string::npos);
    QCOMPARE(run.itemCount(), 60);
  }

  void aPartOfTheEvaluatedImagesCanCalibrate() {
    openNetworkAndImages(60);
    part<QPushButton>("computeButton").click();
    part<ComputePanel>("computePanel").chooseMethod("temperature");
    QComboBox& calibration = part<QComboBox>("calibrationChooser");
    QCOMPARE(calibration.count(), 1);
    QCOMPARE(calibration.itemText(0), QString("a part of digits"));
    QVERIFY(!part<QPushButton>("startCompute").isEnabled());  // nothing is held out unasked
    calibration.setCurrentIndex(0);
    QSpinBox& count = part<QSpinBox>("holdOutCount");
    QVERIFY(count.isVisible());
    QCOMPARE(count.value(), 12);
    count.setValue(20);
    QVERIFY(part<QLabel>("holdOutRest").text().contains("40 evaluated"));
    QVERIFY(part<QPushButton>("startCompute").isEnabled());
    part<QPushButton>("startCompute").click();
    QTRY_VERIFY_WITH_TIMEOUT(session().activeAnalysis() != nullptr, kPatience);
    const AnalysisPart& in = session().activeAnalysis()->in();
    QCOMPARE(in.run->itemCount(), 40);
    QCOMPARE(session().activeAnalysis()->parts[1].run->itemCount(), 40);
    std::string notes;
    for (const Note& note : in.run->meta.notes) {
      notes += toText(note) + '\n';
    }
    QVERIFY2(notes.find("20 of the 60 items of digits were held out") != std::string::npos,
             notes.c_str());
    QVERIFY2(notes.find("fitted on 20 items") != std::string::npos, notes.c_str());
    QVERIFY2(part<ErrorBanner>("errorBanner").messages().join('\n').contains("were held out"),
             qPrintable(part<ErrorBanner>("errorBanner").messages().join('\n')));
    QVERIFY(in.run->meta.dataset_spec.find("part=rest:20") != std::string::npos);
    // Another method evaluates all images again.
    part<ComputePanel>("computePanel").chooseMethod("map");
    QVERIFY(!count.isVisible());
    window_->workbench().computer().compute(part<ComputePanel>("computePanel").settings());
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 2U, kPatience);
    QCOMPARE(session().activeAnalysis()->in().run->itemCount(), 60);
  }

  void aCalibrationSetIsOpenedFromThePanel() {
    openNetworkAndImages(60);
    part<QPushButton>("computeButton").click();
    part<ComputePanel>("computePanel").chooseMethod("temperature");
    const std::string other = samples("mnist-2000", 0);
    part<OpenMenu>("openMenu")
        .setNextFileName(
            QString::fromStdString(other.substr(0, other.find('?')) + "?items=100:300"));
    part<QAction>("openCalibrationFile").trigger();
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 3U, kPatience);
    QVERIFY(session().datasets()[2].dataset->info().role == Role::kCalibration);
    QCOMPARE(part<QComboBox>("calibrationChooser").currentText(), session().datasets()[2].name);
    QVERIFY(part<QPushButton>("startCompute").isEnabled());
    QCOMPARE(otherMessages(), QStringList());
  }

  void theDemoHasWhatTheMethodsNeed() {
    window_->workbench().opener().openDemo();
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 1U, 4 * kPatience);
    ComputePanel& panel = part<ComputePanel>("computePanel");
    part<QPushButton>("computeButton").click();
    const std::int64_t evaluated = session().activeAnalysis()->in().run->itemCount();
    for (const char* const method : {"temperature", "laplace"}) {
      panel.chooseMethod(QLatin1String(method));
      QVERIFY2(part<QPushButton>("startCompute").isEnabled(),
               qPrintable(part<QLabel>("computeReason").text()));
      const std::size_t before = session().analyses().size();
      window_->workbench().computer().compute(panel.settings());
      QTRY_VERIFY2_WITH_TIMEOUT(session().analyses().size() == before + 1,
                                qPrintable(part<ErrorBanner>("errorBanner").messages().join('\n')),
                                4 * kPatience);
      const Run& run = *session().activeAnalysis()->in().run;
      QCOMPARE(run.meta.method, std::string(method));
      QCOMPARE(run.itemCount(), evaluated);
      const MethodOptions& fitted = *session().activeAnalysis()->method;
      if (const auto* const scaling = std::get_if<TemperatureOptions>(&fitted)) {
        // Without a mistake among the calibration items nothing determines it, and it stays 1.
        QVERIFY2(*scaling->temperature > 0.5 && *scaling->temperature < 0.99,
                 qPrintable(QString::number(*scaling->temperature)));
      }
    }
  }

  void anEnsembleJoinsTheRunsThatAreTicked() {
    openNetworkAndImages(30);
    part<QPushButton>("computeButton").click();
    ComputePanel& panel = part<ComputePanel>("computePanel");
    panel.chooseMethod("ensemble");
    QVERIFY(!part<QPushButton>("startCompute").isEnabled());
    QVERIFY(part<QLabel>("computeReason").text().contains("two members"));
    ComputeSettings settings = window_->workbench().computer().settings();
    std::get<McDropoutOptions>(settings.method).draws = 4;
    for (const std::uint64_t seed : {1, 2, 3}) {
      settings.seed = seed;
      window_->workbench().computer().compute(settings);
      QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), seed, kPatience);
      QTRY_VERIFY_WITH_TIMEOUT(!window_->workbench().jobs().busy(), kPatience);
    }
    // The rows of the list tell the runs apart.
    QCOMPARE(part<WorkspaceRow>("run1").text(), QStringLiteral("MC dropout, 4 draws"));
    QVERIFY(part<WorkspaceRow>("run1").detail().startsWith("seed 2"));
    QVERIFY(part<WorkspaceRow>("run2").detail().startsWith("seed 3"));
    // All take part until one is left out.
    QCOMPARE(panel.settings().members.size(), 3U);
    part<QCheckBox>("member1").click();
    QCOMPARE(panel.settings().members.size(), 2U);
    QVERIFY(part<QPushButton>("startCompute").isEnabled());
    part<QPushButton>("startCompute").click();
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 4U, kPatience);
    const AnalysisPtr joined = session().activeAnalysis();
    const std::vector<AnalysisPtr>& all = session().analyses();
    QCOMPARE(joined->parts.size(), 2U);
    QCOMPARE(joined->parts[1].name, std::string("signs"));
    for (std::size_t number = 0; number < 2; ++number) {
      const Run& run = *joined->parts[number].run;
      QCOMPARE(run.meta.method, std::string("ensemble"));
      QCOMPARE(run.drawCount(), 8);
      for (std::int64_t i = 0; i < run.itemCount(); ++i) {
        const double mean =
            0.5 * (all[0]->parts[number].run->prob(i, 3) + all[2]->parts[number].run->prob(i, 3));
        QVERIFY(std::abs(run.prob(i, 3) - mean) < 1e-6);
      }
    }
    QVERIFY(joined->in().has(Measure::kMutualInformation));
    QVERIFY(joined->in().dataset != nullptr);
    // What a reader must know of an ensemble is said.
    const QStringList& messages = part<ErrorBanner>("errorBanner").messages();
    QCOMPARE(messages.filter("all 8 draws").size(), 1);
    QVERIFY2(messages.filter("all 8 draws").front().startsWith("2 members on digits: "),
             qPrintable(messages.join('\n')));
    // It goes with the run.
    session().removeAnalysis(3);
    QVERIFY(messages.filter("all 8 draws").isEmpty());
  }

  void anEnsembleOverOtherItemsIsRefusedBeforeItIsStarted() {
    openNetworkAndImages(30);
    ComputeSettings settings = window_->workbench().computer().settings();
    settings.method = MapOptions{};
    const auto compute = [&](std::size_t runs) {
      window_->workbench().computer().compute(settings);
      QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), runs, kPatience);
      QTRY_VERIFY_WITH_TIMEOUT(!window_->workbench().jobs().busy(), kPatience);
    };
    compute(1);
    settings.method = McDropoutOptions{.draws = 3};
    compute(2);
    window_->workbench().opener().open(
        {{samples("mnist-2000", 25), FileKind::kDataset, false, "fewer"}});
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 3U, kPatience);
    compute(3);
    part<QPushButton>("computeButton").click();
    part<ComputePanel>("computePanel").chooseMethod("ensemble");
    QPushButton& start = part<QPushButton>("startCompute");
    QLabel& reason = part<QLabel>("computeReason");
    part<QCheckBox>("member0").setChecked(true);
    part<QCheckBox>("member1").setChecked(true);
    part<QCheckBox>("member2").setChecked(true);
    QVERIFY(!start.isEnabled());
    QVERIFY2(reason.text().contains("25 items, not 30"), qPrintable(reason.text()));
    part<QCheckBox>("member2").setChecked(false);
    QVERIFY(start.isEnabled());
    QVERIFY(reason.text().isEmpty());
  }

  void whatWasRefusedIsForgottenAfterASuccess() {
    ComputeSettings settings;
    settings.method = MapOptions{};
    RunComputer& computer = window_->workbench().computer();
    const QStringList& messages = part<ErrorBanner>("errorBanner").messages();
    computer.compute(settings);
    QCOMPARE(messages.filter("No model is open").size(), 1);
    window_->workbench().opener().open(
        {{(sourceDir() / "tests/data/models/scripted.pt").string(), FileKind::kModel, false, {}}});
    QTRY_COMPARE_WITH_TIMEOUT(session().models().size(), 1U, kPatience);
    computer.compute(settings);
    QCOMPARE(messages.filter("No dataset is open").size(), 1);
    window_->workbench().opener().open(
        {{samples("mnist-2000", 30), FileKind::kDataset, false, "digits"}});
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 1U, kPatience);
    computer.compute(settings);
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 1U, kPatience);
    QVERIFY(messages.filter("is open").isEmpty());
  }

  void tellsWhatItWillTakeBeforeItIsStarted() {
    openNetworkAndImages(60);
    part<QPushButton>("computeButton").click();
    QLabel& estimate = part<QLabel>("computeEstimate");
    QTRY_VERIFY_WITH_TIMEOUT(estimate.text().contains("of results"), kPatience);
    QVERIFY(estimate.isVisible());
    part<ComputePanel>("computePanel").chooseMethod("ensemble");
    QVERIFY(!estimate.isVisible());
  }

  void aShiftRepeatsTheRunOnChangedImages() {
    openNetworkAndImages(20);
    window_->showPage(PageId::kShift);
    QPushButton& start = part<QPushButton>("shiftStart");
    QVERIFY(!start.isEnabled());
    ComputeSettings settings = window_->workbench().computer().settings();
    std::get<McDropoutOptions>(settings.method).draws = 4;
    settings.seed = 6;
    window_->workbench().computer().compute(settings);
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 1U, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(start.isEnabled(), kPatience);
    QComboBox& kind = part<QComboBox>("shiftKind");
    kind.setCurrentIndex(kind.findText("rotation"));
    start.click();
    ShiftPage& page = part<ShiftPage>("shiftPage");
    QTRY_VERIFY_WITH_TIMEOUT(page.result() != nullptr, kPatience);
    const ShiftResult& result = *page.result();
    QCOMPARE(result.steps.size(), std::size_t{13});
    QCOMPARE(result.items, 20);
    // Without corruption it is the run that is shown, draw by draw.
    const Run& shown = *session().activeAnalysis()->in().run;
    for (std::int64_t i = 0; i < 20; ++i) {
      QVERIFY(std::abs(result.steps[0].run->prob(i, 2) - shown.prob(i, 2)) < 1e-6);
    }
    QVERIFY(result.steps[6].evaluation.mmc != result.steps[0].evaluation.mmc);
    const CurvePlotValue& shares = part<CurvePlot>("shiftShares").curves();
    QCOMPARE(shares.curves.size(), std::size_t{3});
    QCOMPARE(shares.curves[0].curve.x.back(), 180.0);
    QCOMPARE(shares.curves[0].curve.y.front(), *result.steps[0].evaluation.accuracy);
    QCOMPARE(part<CurvePlot>("shiftEntropies").curves().curves.size(), std::size_t{3});
    QTRY_COMPARE_WITH_TIMEOUT(part<ImageGallery>("shiftSteps").count(), 13, kPatience);
    QCOMPARE(otherMessages(), QStringList());
  }

  void shiftsOfSeveralRunsAreOverlaid() {
    openNetworkAndImages(20);
    window_->showPage(PageId::kShift);
    ShiftPage& page = part<ShiftPage>("shiftPage");
    ComputeSettings settings = window_->workbench().computer().settings();
    settings.method = MapOptions{};
    for (std::size_t run = 0; run < 2; ++run) {
      window_->workbench().computer().compute(settings);
      QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), run + 1, kPatience);
      QTRY_VERIFY_WITH_TIMEOUT(!window_->workbench().jobs().busy(), kPatience);
      page.compute(CorruptionKind::kBlur);
      QTRY_COMPARE_WITH_TIMEOUT(page.overlaid().size(), run + 1, kPatience);
      settings.method = McDropoutOptions{.draws = 4};
    }
    const CurvePlotValue& shares = part<CurvePlot>("shiftShares").curves();
    QCOMPARE(shares.curves.size(), std::size_t{2});
    QCOMPARE(shares.curves[0].curve.name, std::string("MAP softmax"));
    QCOMPARE(shares.curves[1].curve.name, std::string("MC dropout, 4 draws"));
    for (std::size_t run = 0; run < 2; ++run) {
      const ShiftResult& result = *page.overlaid()[run];
      for (std::size_t step = 0; step < result.steps.size(); ++step) {
        QCOMPARE(shares.curves[run].curve.y[step], *result.steps[step].evaluation.accuracy);
      }
    }
    // The run shown alone has its three curves again.
    Card& card = part<Card>("shiftSharesCard");
    QComboBox& choices = *card.findChild<QComboBox*>("cardChoices");
    choices.setCurrentIndex(0);
    Q_EMIT choices.activated(0);
    QCOMPARE(part<CurvePlot>("shiftShares").curves().curves.size(), std::size_t{3});
    session().removeAnalysis(0);
    QCOMPARE(page.overlaid().size(), std::size_t{1});
    QCOMPARE(card.title(), QStringLiteral("Accuracy and calibration"));
    QVERIFY(choices.isHidden());
  }

  void fieldsWithoutEffectAreGreyedOut() {
    openNetworkAndImages(5);
    part<QPushButton>("computeButton").click();
    ComputePanel& panel = part<ComputePanel>("computePanel");
    panel.chooseMethod("laplace");
    const auto editor = [&panel](const char* name) {
      return panel.findChild<QWidget*>(QLatin1String(name));
    };
    QVERIFY(!editor("samples")->isEnabled());
    QVERIFY(editor("samples")->toolTip().contains("Link: mc"));
    auto* const link = qobject_cast<QComboBox*>(editor("link"));
    link->setCurrentText("mc");
    Q_EMIT link->activated(link->currentIndex());
    QVERIFY(editor("samples")->isEnabled());
    QVERIFY(!editor("samples")->toolTip().contains("Requires"));
    QVERIFY(!editor("weight_draws")->isEnabled());
  }

  void unknownDrawsAreRepeatedByTheirKeys() {
    openNetworkAndImages(5);
    ComputeSettings settings = window_->workbench().computer().settings();
    std::get<McDropoutOptions>(settings.method).draws = 6;
    settings.seed = 3;
    window_->workbench().computer().compute(settings);
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 1U, kPatience);
    settings.predict.keep_samples_mb = 0;
    window_->workbench().computer().compute(settings);
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 2U, kPatience);
    QVERIFY(!session().activeAnalysis()->in().run->samples);
    const ItemRef item{0, 2};
    session().listing().setPrimary(item);
    ClassProbabilityPlot& plot = part<ClassProbabilityPlot>("classProbabilityPlot");
    QTRY_COMPARE_WITH_TIMEOUT(plot.probabilities().samples.size(), 60, kPatience);
    const Run& kept = *session().analyses()[0]->in().run;
    for (std::int64_t t = 0; t < 6; ++t) {
      for (std::size_t k = 0; k < 10; ++k) {
        const float stored = kept.samples->row(t)[static_cast<std::size_t>(item.row) * 10 + k];
        QVERIFY(std::abs(plot.probabilities().samples.row(t)[k] - stored) < 1e-6F);
      }
    }
  }

  void aFittedPosteriorSurvivesWhatFailsAfterIt() {
    qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(dir_->file("cache")));
    openNetworkAndImages(60);
    window_->workbench().opener().open(
        {{tooBrightImages(dir_->file("bright.npz")), FileKind::kDataset, true, "bright"},
         {trainingDigits(), FileKind::kDataset, false, "training"}});
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), 4U, kPatience);
    ComputeSettings settings = window_->workbench().computer().settings();
    settings.method = LaplaceOptions{};
    settings.data.fit = session().datasets()[3].dataset;
    window_->workbench().computer().compute(settings);
    const auto messages = [this] { return part<ErrorBanner>("errorBanner").messages(); };
    QTRY_COMPARE_WITH_TIMEOUT(messages().size(), 1, kPatience);
    QVERIFY2(messages().front().contains("the fitted posterior was kept: continue with it"),
             qPrintable(messages().front()));
    QVERIFY2(
        messages().front().contains("Posterior: " + QString::fromStdString(dir_->file("cache"))),
        qPrintable(messages().front()));
    QVERIFY(session().analyses().empty());
    part<ErrorBanner>("errorBanner").dismiss();
    // The second attempt does not fit; its cancel says that the posterior is still there.
    const QMetaObject::Connection cancelling =
        connect(&window_->workbench().jobs(), &WindowJobs::progressed, this,
                [this](const Progress&) { window_->workbench().jobs().cancel(); });
    window_->workbench().computer().compute(settings);
    QTRY_COMPARE_WITH_TIMEOUT(messages().size(), 1, kPatience);
    QVERIFY2(messages().front().contains("The fitted posterior was kept"),
             qPrintable(messages().front()));
    disconnect(cancelling);
    part<ErrorBanner>("errorBanner").dismiss();
    session().removeDataset(2);
    window_->workbench().computer().compute(settings);
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 1U, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(messages().join(' ').contains("nothing was fitted again"), kPatience);
    QCOMPARE(session().activeAnalysis()->parts.size(), 2U);
    qunsetenv("XDG_CACHE_HOME");
  }

  void cancelEndsAComputationWithoutARun() {
    openNetworkAndImages(2000);
    ComputeSettings settings = window_->workbench().computer().settings();
    std::get<McDropoutOptions>(settings.method).draws = 20000;
    settings.predict.batch = 50;
    settings.predict.keep_samples_mb = 0;
    QSignalSpy progress(&window_->workbench().jobs(), &WindowJobs::progressed);
    window_->workbench().computer().compute(settings);
    QTRY_VERIFY_WITH_TIMEOUT(progress.count() > 0, kPatience);
    QVERIFY(window_->workbench().computer().queue().running());
    window_->workbench().jobs().cancel();
    QTRY_COMPARE_WITH_TIMEOUT(window_->workbench().computer().queue().job().state(),
                              JobState::kCancelled, kPatience);
    QVERIFY(session().analyses().empty());
    QCOMPARE(otherMessages(), QStringList());
    QVERIFY(window_->workbench().computer().canCompute());
  }

  void whatIsComputedMeanwhileWaitsInAQueue() {
    openNetworkAndImages(2000);
    Workbench& workbench = window_->workbench();
    ComputeSettings settings = workbench.computer().settings();
    std::get<McDropoutOptions>(settings.method).draws = 20000;
    settings.predict.batch = 50;
    settings.predict.keep_samples_mb = 0;
    workbench.computer().compute(settings);
    part<QPushButton>("computeButton").click();
    part<ComputePanel>("computePanel").chooseMethod("map");
    QPushButton& start = part<QPushButton>("startCompute");
    QVERIFY(start.isEnabled());
    QCOMPARE(start.text(), QStringLiteral("Add to queue"));
    QVERIFY(part<QLabel>("computeReason").text().isEmpty());
    start.click();
    settings.method = MapOptions{};
    settings.seed = 7;
    workbench.computer().compute(settings);
    settings.seed = 8;
    workbench.computer().compute(settings);
    QCOMPARE(workbench.computer().queue().entries().size(), 4U);
    QVERIFY(workbench.computer().queue().entries()[0].running);
    QVERIFY(!workbench.computer().queue().entries()[1].running);
    QCOMPARE(part<WorkspaceRow>("queued0").figure(), QStringLiteral("running"));
    QCOMPARE(part<WorkspaceRow>("queued1").text(), QStringLiteral("MAP softmax"));
    QVERIFY(part<WorkspaceRow>("queued1").detail().contains("digits"));
    // The one with seed 7 is taken out.
    part<WorkspaceRow>("queued2").findChild<QAction*>("removeQueued")->trigger();
    QCOMPARE(workbench.computer().queue().entries().size(), 3U);
    QVERIFY(!window_->close());  // it says that a computation is running
    QVERIFY(part<ErrorBanner>("errorBanner").messages().join(' ').contains("is running"));
    QVERIFY(session().analyses().empty());
    // Cancelling ends the one that runs; the others follow.
    workbench.jobs().cancel();
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 2U, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!workbench.jobs().busy(), kPatience);
    QCOMPARE(session().analyses()[0]->in().run->meta.method, std::string("map"));
    QCOMPARE(session().analyses()[1]->in().run->meta.seed, 8U);
    QCOMPARE(start.text(), QStringLiteral("Compute"));
    // Nothing says any more that something is running.
    QVERIFY(!part<ErrorBanner>("errorBanner").messages().join(' ').contains("is running"));
  }

  void anExportedRunOpensAgainWithItsImages() {
    openNetworkAndImages(30);
    window_->workbench().computer().compute(window_->workbench().computer().settings());
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 1U, kPatience);
    const QString path = QString::fromStdString(dir_->file("run.npz"));
    ExportMenu& menu = part<ExportMenu>("exportMenu");
    QSignalSpy written(&menu, &ExportMenu::written);
    menu.setNextFileName(path);
    part<QAction>("exportRun").trigger();
    QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, kPatience);
    window_->fileDrop().open({path}, false);
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 2U, kPatience);
    const Analysis& reopened = *session().activeAnalysis();
    QCOMPARE(reopened.in().run->itemCount(), 30);
    QVERIFY(reopened.in().dataset != nullptr);
    QCOMPARE(*reopened.evaluation.accuracy, *session().analyses()[0]->evaluation.accuracy);
  }

  void aReportHoldsPagesTableAndNumbers() {
    openNetworkAndImages(30);
    window_->workbench().computer().compute(window_->workbench().computer().settings());
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 1U, kPatience);
    ExportMenu& menu = part<ExportMenu>("exportMenu");
    QSignalSpy written(&menu, &ExportMenu::written);
    menu.setNextFileName(QString::fromStdString(dir_->file("report")));
    part<QAction>("exportReport").trigger();
    QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, kPatience);
    const std::string csv = readBytes(dir_->path() / "report/metrics.csv");
    QCOMPARE(csv.substr(0, 25), std::string("group,metric,score,value\n"));
    QVERIFY(csv.find("accuracy") != std::string::npos);
    const std::string html = readBytes(dir_->path() / "report/report.html");
    QVERIFY(html.find("data:image/png;base64,") != std::string::npos);
    QVERIFY(html.find("AUROC") != std::string::npos);
    const QImage picture(QString::fromStdString(dir_->file("report/overview.png")));
    QVERIFY(picture.width() >= 1280);
    QCOMPARE(readBytes(dir_->path() / "report/report.pdf").substr(0, 5), std::string("%PDF-"));
    QVERIFY(readBytes(dir_->path() / "report/evaluation.json").find("\"accuracy\"") !=
            std::string::npos);
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ComputeTest)
#include "compute_panel_test.moc"
