// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tune/tune_page.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/tune/tune_values.h"
#include "app/workbench/workbench.h"
#include "core/decisions/tempered_run.h"
#include "core/methods/method_data.h"
#include "core/runs/tuned_run.h"
#include "tests/core/analysis/sample_analysis.h"
#include "tests/support/gui_test.h"
#include "tests/support/shared_data.h"
#include "widgets/busy_veil.h"
#include "widgets/card.h"
#include "widgets/change_list.h"
#include "widgets/histogram_plot.h"
#include "widgets/landscape_plot.h"
#include "widgets/reliability_plot.h"
#include "widgets/value_slider.h"

namespace dubito::test {

class TunePageTest : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<TempDir> dir_;
  std::unique_ptr<QSettings> settings_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Workbench> workbench_;
  std::unique_ptr<TunePage> page_;

  static constexpr int kPatience = 60000;

  /// A small network, 60 digits, and other digits.
  void openDigits(const std::string& others, const std::string& name) {
    const std::string base = (sourceDir() / "datasets/samples/mnist-2000").string();
    const std::string digits =
        "idx:" + base + "-images-idx3-ubyte.gz," + base + "-labels-idx1-ubyte.gz?items=";
    workbench_->opener().open(
        {{(sourceDir() / "tests/data/models/scripted.pt").string(), FileKind::kModel, false, {}},
         {digits + "0:60", FileKind::kDataset, false, "digits"},
         {digits + others, FileKind::kDataset, false, name}});
    QTRY_COMPARE_WITH_TIMEOUT(session_->datasets().size(), 2U, kPatience);
    session_->setActiveDataset(0);
  }

  template <class T>
  T& part(const char* name) {
    return partOf<T>(*page_, name);
  }
  QSlider& slider(const char* name) {
    return *part<ValueSlider>(name).findChild<QSlider*>("slider");
  }

  void show(const AnalysisPtr& analysis) {
    session_->addAnalysis(analysis);
    QTRY_VERIFY(page_->tuner().result() != nullptr && !page_->busy());
  }
  [[nodiscard]] double shownEce() { return part<ReliabilityPlot>("tuneReliability").diagram().ece; }

 private Q_SLOTS:
  void init() {
    dir_ = std::make_unique<TempDir>();
    settings_ = std::make_unique<QSettings>(QString::fromStdString(dir_->file("settings.ini")),
                                            QSettings::IniFormat);
    session_ = std::make_unique<Session>();
    workbench_ = std::make_unique<Workbench>(*session_, *settings_);
    page_ = std::make_unique<TunePage>(*session_, workbench_->jobs(), workbench_->computer());
    page_->resize(760, 690);
    page_->show();
    QVERIFY(QTest::qWaitForWindowExposed(page_.get()));
  }
  void cleanup() {
    page_.reset();
    workbench_.reset();
    session_.reset();
    settings_.reset();
    dir_.reset();
  }

  void theEmptyPageSaysWhatToDo() {
    QVERIFY(part<Card>("tuneCard").emptyText().contains("run"));
    QVERIFY(!part<QPushButton>("tuneKeep").isEnabled());
  }

  void atFirstItShowsTheRunAsItIs() {
    const AnalysisPtr analysis = sampleAnalysis();
    show(analysis);
    QVERIFY(part<Card>("tuneCard").emptyText().isEmpty());
    QCOMPARE(shownEce(), analysis->overview.reliability.ece);
    QCOMPARE(part<HistogramPlot>("tuneHistogram").histograms().groups.size(), 3U);
    for (const Change& change : part<ChangeList>("tuneChanges").changes()) {
      QCOMPARE(change.before, change.now);
      QVERIFY(change.verdict == Change::Verdict::kNone);
    }
    QVERIFY(part<ChangeList>("tuneChanges").changes().size() >= 7U);
    // An AUROC names what it separates, as on the other pages.
    QStringList names;
    for (const Change& change : part<ChangeList>("tuneChanges").changes()) {
      names << change.name;
    }
    for (const char* const name : {"AUROC correct vs misclassified", "AUROC in vs OOD noise"}) {
      QVERIFY2(names.contains(name), qPrintable(names.join('\n')));
    }
    QVERIFY(!part<QPushButton>("tuneKeep").isEnabled());
    // Draws can be chosen, a link cannot.
    QCOMPARE(part<ValueSlider>("tuneDraws").range().high, 8.0);
    QVERIFY(part<ValueSlider>("tuneDraws").isVisible());
    QVERIFY(!part<QComboBox>("tuneLink").isVisible());
  }

  void whatWasEvaluatedIsShownAtOnce() {
    page_->tuner().setLimits({.items_moving = 40});
    const AnalysisPtr analysis = sampleAnalysis();
    session_->addAnalysis(analysis);
    const TuneResultPtr shown = page_->tuner().result();
    QVERIFY(shown != nullptr);
    for (const char* const name : {"tuneReliabilityCard", "tuneHistogramCard", "tuneChangesCard"}) {
      QVERIFY2(part<Card>(name).emptyText().isEmpty(), name);
    }
    QVERIFY(part<Card>("tuneHistogramCard").subtitle().contains("N 80"));
    // The curves say that they are still to come.
    QCOMPARE(part<Card>("tuneLandscapeCard").emptyText(),
             QString::fromUtf8("Evaluating all temperatures…"));
    QTRY_VERIFY(!page_->busy());
    QVERIFY(part<Card>("tuneLandscapeCard").emptyText().isEmpty());
    // It is what a computation gives.
    RunContext context;
    const auto computed =
        computeTuned(shown->basis, shown->tuning, false, nullptr, nullptr, context);
    QVERIFY(computed);
    QCOMPARE(shown->stage->runs, (*computed)->stage->runs);
    QCOMPARE(*shown->now.nll, *(*computed)->now.nll);
    QCOMPARE(shown->overview.reliability.ece, (*computed)->overview.reliability.ece);
    const std::vector<Change> changes = tuneChanges(shown->now, (*computed)->now);
    QCOMPARE(changes.size(), part<ChangeList>("tuneChanges").changes().size());
    for (const Change& change : changes) {
      QCOMPARE(change.before, change.now);
    }
    QCOMPARE(shown->overview.histograms.size(), (*computed)->overview.histograms.size());
    for (std::size_t i = 0; i < shown->overview.histograms.size(); ++i) {
      QCOMPARE(shown->overview.histograms[i].measure, (*computed)->overview.histograms[i].measure);
    }
    // So is the way back to it.
    page_->setTemperature(2.0);
    QTRY_COMPARE(page_->tuner().result()->tuning.temperature, 2.0);
    part<QPushButton>("tuneReset").click();
    QCOMPARE(page_->tuner().result()->tuning.temperature, 1.0);
    QVERIFY(!page_->tuner().computesResult());
  }

  void draggingTheSliderMovesThePlots() {
    page_->tuner().setLimits({.items_moving = 40});
    const AnalysisPtr analysis = sampleAnalysis();
    show(analysis);
    QSlider& temperature = slider("tuneTemperature");
    QTRY_VERIFY(!part<LandscapePlot>("tuneLandscape").landscape().curves.empty());
    const Interval before{0.0, part<HistogramPlot>("tuneHistogram").topShare()};
    temperature.setSliderDown(true);
    temperature.setSliderPosition(700);
    QTRY_VERIFY(page_->tuner().result()->moving && !page_->busy());
    const double dragged = part<ValueSlider>("tuneTemperature").value();
    QCOMPARE(dragged, 2.512);
    QCOMPARE(page_->tuner().result()->tuning.temperature, dragged);
    QCOMPARE(page_->tuner().result()->stage->items->count, 40);
    QVERIFY(part<Card>("tuneHistogramCard").subtitle().contains("40 of 80 items while dragging"));
    // Reliability counts what has a label.
    const QString labelled = QStringLiteral("%1 of 60 items while dragging")
                                 .arg(page_->tuner().result()->stage->items->labelled);
    QVERIFY2(part<Card>("tuneReliabilityCard").subtitle().contains(labelled),
             qPrintable(part<Card>("tuneReliabilityCard").subtitle()));
    // Axes stay put.
    QCOMPARE(part<HistogramPlot>("tuneHistogram").topShare(), before.high);
    // Many moves: the newest wins.
    for (int step = 650; step >= 300; step -= 7) {
      temperature.setSliderPosition(step);
    }
    QTRY_COMPARE(page_->tuner().result()->tuning.temperature,
                 part<ValueSlider>("tuneTemperature").value());
    QVERIFY(page_->tuner().result()->moving);
    temperature.setSliderPosition(600);
    temperature.setSliderDown(false);
    QTRY_VERIFY(!page_->tuner().result()->moving && !page_->busy());
    // All items, and the numbers of the formula.
    QCOMPARE(page_->tuner().result()->stage->items->count, 80);
    // N counts what a plot shows: the OOD items are in the histogram only.
    QVERIFY(part<Card>("tuneReliabilityCard").subtitle().contains("insects · N 60"));
    QVERIFY(part<Card>("tuneHistogramCard").subtitle().contains("insects + noise · N 80"));
    RunContext context;
    const auto tempered = temperedRun(*analysis->in().run, 1.585, context);
    const auto evaluated = evaluate(*tempered, {}, {}, context);
    QCOMPARE(shownEce(), *evaluated->ece);
    QVERIFY(shownEce() != analysis->overview.reliability.ece);
    QCOMPARE(part<LandscapePlot>("tuneLandscape").position(), std::optional<double>(1.585));
    const std::vector<Change>& changes = part<ChangeList>("tuneChanges").changes();
    QVERIFY(changes[1].before != changes[1].now);
    QVERIFY(changes[1].difference.startsWith(QString::fromUtf8("−")) ||
            changes[1].difference.startsWith('+'));
    QCOMPARE(changes[0].before, changes[0].now);  // the same predictions
  }

  void plotsFadeWhileTheyAreComputedAgain() {
    show(sampleAnalysis());
    QTRY_VERIFY(!page_->busy());
    const auto isBusy = [this](const char* card) {
      return partOf<BusyVeil>(part<Card>(card), "busyVeil").isBusy();
    };
    page_->setTemperature(2.0);
    for (const char* const card : {"tuneReliabilityCard", "tuneHistogramCard", "tuneChangesCard"}) {
      QVERIFY2(isBusy(card), card);
    }
    QVERIFY(!isBusy("tuneLandscapeCard"));  // it does not depend on the temperature
    QTRY_COMPARE(page_->tuner().result()->tuning.temperature, 2.0);
    QTRY_VERIFY(!page_->busy() && !isBusy("tuneReliabilityCard"));
    // Other draws give other curves.
    slider("tuneDraws").setValue(slider("tuneDraws").minimum());
    QTRY_VERIFY(isBusy("tuneLandscapeCard") || page_->tuner().hasLandscapeOf({.draws = 1}));
    QTRY_VERIFY(!page_->busy() && !isBusy("tuneLandscapeCard"));
  }

  void theBestTemperatureOfTheItemsIsMarkedAndSaysSo() {
    show(sampleAnalysis());
    LandscapePlot& landscape = part<LandscapePlot>("tuneLandscape");
    QTRY_VERIFY(landscape.mark().has_value());
    QVERIFY(part<Card>("tuneLandscapeCard").subtitle().contains("not for reporting"));
    QCOMPARE(part<ValueSlider>("tuneTemperature").mark(), landscape.mark());
    part<QPushButton>("tuneOptimum").click();
    QTRY_VERIFY(!page_->busy());
    QCOMPARE(page_->tuner().result()->tuning.temperature, *landscape.mark());
    QVERIFY(part<QLabel>("tuneStatus").text().contains("evaluated items"));
    // No other temperature has a lower likelihood.
    for (const double nll : landscape.landscape().curves[0].y) {
      QVERIFY(*page_->tuner().result()->now.nll <= nll + 1e-6);
    }
    part<QPushButton>("tuneReset").click();
    QTRY_COMPARE(page_->tuner().result()->tuning.temperature, 1.0);
    QVERIFY(part<QLabel>("tuneStatus").text().isEmpty());
    // The line of the landscape is a slider too.
    Q_EMIT landscape.positionMoved(3.0);
    QCOMPARE(part<ValueSlider>("tuneTemperature").value(), 3.0);
    Q_EMIT landscape.positionReleased(4.0);
    QTRY_COMPARE(page_->tuner().result()->tuning.temperature, 4.0);
  }

  void fewerDraws() {
    const AnalysisPtr analysis = sampleAnalysis();
    show(analysis);
    QTRY_VERIFY(!part<LandscapePlot>("tuneLandscape").landscape().curves.empty());
    const std::vector<double> landscape =
        part<LandscapePlot>("tuneLandscape").landscape().curves[0].y;
    QPushButton& optimum = part<QPushButton>("tuneOptimum");
    QVERIFY(optimum.isEnabled());
    slider("tuneDraws").setValue(2);  // as a key does
    QVERIFY(!optimum.isEnabled());    // it would be that of all draws
    QTRY_VERIFY(page_->tuner().result()->tuning.draws == 3 && !page_->busy());
    RunContext context;
    const auto fewer = firstDraws(*analysis->in().run, 3, context);
    const auto evaluated = evaluate(*fewer, {}, {}, context);
    QCOMPARE(*page_->tuner().result()->now.nll, *evaluated->nll);
    QVERIFY(part<Card>("tuneChangesCard").subtitle().contains("first 3 of 8 draws"));
    // The landscape follows them.
    QVERIFY(part<LandscapePlot>("tuneLandscape").landscape().curves[0].y != landscape);
    QVERIFY(optimum.isEnabled());
    QVERIFY(part<QPushButton>("tuneKeep").isEnabled());
    slider("tuneDraws").setValue(7);
    QTRY_VERIFY(page_->tuner().result()->tuning.draws == 8);
    QVERIFY(!part<QPushButton>("tuneKeep").isEnabled());
  }

  void theLandscapeIsOfWhatWasAskedForLast() {
    show(sampleAnalysis());
    TuneController& tuner = page_->tuner();
    const RunTuning all = tuner.result()->tuning;
    QTRY_VERIFY(tuner.hasLandscapeOf(all));
    RunTuning fewer = all;
    fewer.draws = 2;
    tuner.computeLandscape(fewer);
    QVERIFY(page_->busy());
    tuner.computeLandscape(all);  // which is there
    QVERIFY(!page_->busy());
    QVERIFY(tuner.hasLandscapeOf(all));
    // That of two draws would be shown before one that is computed after it.
    QSignalSpy shown(&tuner, &TuneController::landscapeChanged);
    RunTuning next = all;
    next.draws = 3;
    tuner.computeLandscape(next);
    QVERIFY(shown.wait());
    QVERIFY(tuner.hasLandscapeOf(next));
  }

  void aTemperatureBelongsToTheDrawsItWasFoundFor() {
    show(sampleAnalysis());
    ValueSlider& temperature = part<ValueSlider>("tuneTemperature");
    QLabel& status = part<QLabel>("tuneStatus");
    const RunTuning all = page_->tuner().result()->tuning;
    Q_EMIT page_->tuner().fitted(all, 2.5, "fitted on 9 items");
    QTRY_COMPARE(page_->tuner().result()->tuning.temperature_source,
                 std::string("fitted on 9 items"));
    QCOMPARE(temperature.value(), 2.5);
    QCOMPARE(temperature.mark(), std::optional<double>(2.5));
    QCOMPARE(status.text(), "fitted on 9 items");
    // With other draws it is one by hand.
    slider("tuneDraws").setValue(2);
    QVERIFY(!temperature.mark().has_value());
    QVERIFY(status.text().isEmpty());
    QTRY_COMPARE(page_->tuner().result()->tuning.draws, std::optional<std::int64_t>(3));
    QCOMPARE(page_->tuner().result()->tuning.temperature, 2.5);
    QVERIFY(page_->tuner().result()->tuning.temperature_source.empty());
    QTRY_VERIFY(!page_->busy());
    // A fit that comes late is not taken.
    Q_EMIT page_->tuner().fitted(all, 4.0, "fitted on 9 items");
    QCOMPARE(temperature.value(), 2.5);
    QVERIFY(temperature.mark() != std::optional<double>(4.0));
    QVERIFY(status.text().startsWith("Fit discarded"));
    part<QPushButton>("tuneOptimum").click();
    QVERIFY(status.text().startsWith("tuned on"));
    slider("tuneDraws").setValue(4);
    QVERIFY(status.text().isEmpty());
    QTRY_COMPARE(page_->tuner().result()->tuning.draws, std::optional<std::int64_t>(5));
    QVERIFY(page_->tuner().result()->tuning.temperature_source.empty());
  }

  void theRunBeforeIsNotShownUnderTheNextOne() {
    const auto emptyTexts = [this] {
      QStringList texts;
      for (const char* const name :
           {"tuneReliabilityCard", "tuneHistogramCard", "tuneLandscapeCard", "tuneChangesCard"}) {
        texts += part<Card>(name).emptyText();
      }
      texts.removeDuplicates();
      return texts;
    };
    show(sampleAnalysis());
    QTRY_COMPARE(emptyTexts(), QStringList{QString()});
    // Other bins than those of the analyses, so that they must be evaluated first.
    ComputeSettings settings = workbench_->computer().settings();
    settings.evaluation.bins = 10;
    workbench_->computer().setSettings(settings);
    session_->addAnalysis(sampleAnalysisWithoutDraws());
    QCOMPARE(emptyTexts(), QStringList{QString::fromUtf8("Preparing…")});
    QVERIFY(part<Card>("tuneReliabilityCard").figure().isEmpty());
    // What cannot be prepared says why.
    Q_EMIT page_->tuner().failed("no memory");
    QCOMPARE(emptyTexts(), QStringList{"no memory"});
    QTRY_COMPARE(emptyTexts(), QStringList{QString()});
    QCOMPARE(part<HistogramPlot>("tuneHistogram").histograms().groups.size(), 2U);
  }

  void whatWasTunedIsKeptAsARun() {
    const AnalysisPtr analysis = sampleAnalysis();
    show(analysis);
    slider("tuneDraws").setValue(3);
    page_->setTemperature(2.0);
    QTRY_VERIFY(!page_->busy());
    const Evaluation shown = page_->tuner().result()->now;
    part<QPushButton>("tuneKeep").click();
    QTRY_COMPARE(session_->analyses().size(), 2U);
    QCOMPARE(session_->analyses()[0], analysis);
    const AnalysisPtr kept = session_->analyses()[1];
    QCOMPARE(session_->activeAnalysis(), kept);
    QCOMPARE(QString::fromStdString(kept->name), "MC dropout, 4 draws, temperature 2");
    QCOMPARE(*kept->evaluation.nll, *shown.nll);
    QCOMPARE(*kept->evaluation.ece, *shown.ece);
    QCOMPARE(kept->parts.size(), 2U);
    const auto options = nlohmann::json::parse(kept->in().run->meta.method_options);
    QCOMPARE(options["of"]["method"].get<std::string>(), "mc-dropout");
    QCOMPARE(options["order"].size(), 2U);
    QCOMPARE(options["temperature"].get<double>(), 2.0);
    // The page goes on with the new run.
    QTRY_VERIFY(page_->tuner().result() != nullptr &&
                page_->tuner().result()->basis->analysis == kept);
    QCOMPARE(part<ValueSlider>("tuneTemperature").value(), 1.0);
  }

  void priorAndLinkGoThroughTheNetworkOnce() {
    openDigits("100:300&role=train", "seen before");
    ComputeSettings settings = workbench_->computer().settings();
    LaplaceOptions laplace;
    laplace.gauge = 0;
    settings.method = laplace;
    settings.data.fit = session_->datasets()[1].dataset;
    workbench_->computer().compute(settings);
    QTRY_VERIFY_WITH_TIMEOUT(session_->activeAnalysis() != nullptr, kPatience);
    const AnalysisPtr analysis = session_->activeAnalysis();
    QTRY_VERIFY_WITH_TIMEOUT(page_->tuner().result() != nullptr && !page_->busy(), kPatience);
    QVERIFY(part<ValueSlider>("tuneTau").isVisible());
    QVERIFY(part<QComboBox>("tuneLink").isVisible());
    const double own = std::get<LaplaceOptions>(*analysis->method).fitted->scale.tau;
    QCOMPARE(part<ValueSlider>("tuneTau").value(), own);
    QVERIFY(page_->tuner().network() == nullptr);

    slider("tuneTau").setValue(450);
    const double tau = part<ValueSlider>("tuneTau").value();
    QTRY_VERIFY_WITH_TIMEOUT(page_->tuner().result()->tuning.tau == tau && !page_->busy(),
                             kPatience);
    const TuneNetworkPtr network = page_->tuner().network();
    QVERIFY(network != nullptr);
    QComboBox& link = part<QComboBox>("tuneLink");
    link.setCurrentText("probit");
    Q_EMIT link.activated(link.currentIndex());
    QTRY_VERIFY_WITH_TIMEOUT(page_->tuner().result()->tuning.link == "probit" && !page_->busy(),
                             kPatience);
    QCOMPARE(page_->tuner().network(), network);
    QVERIFY(part<Card>("tuneChangesCard").subtitle().contains("link probit, prior"));

    // Another prior's landscape waits for its items, and is not that of the items which are there.
    const RunTuning shown_tuning = page_->tuner().result()->tuning;
    QVERIFY(page_->tuner().hasLandscapeOf(shown_tuning));
    RunTuning other = shown_tuning;
    other.tau = 2.0 * tau;
    page_->tuner().computeLandscape(other);
    QVERIFY(!page_->busy());

    QComboBox& choice = *part<Card>("tuneLandscapeCard").findChild<QComboBox*>("cardChoices");
    choice.setCurrentIndex(1);
    Q_EMIT choice.activated(1);
    LandscapePlot& landscape = part<LandscapePlot>("tuneLandscape");
    QTRY_COMPARE_WITH_TIMEOUT(landscape.landscape().curves.size(), 3U, kPatience);
    QCOMPARE(landscape.position(), std::optional<double>(tau));
    QCOMPARE(landscape.mark(), std::optional<double>(own));

    const double shown = *page_->tuner().result()->now.nll;
    QTRY_VERIFY_WITH_TIMEOUT(!page_->busy(), kPatience);
    part<QPushButton>("tuneKeep").click();
    QTRY_COMPARE_WITH_TIMEOUT(session_->analyses().size(), 2U, kPatience);
    const Run& kept = *session_->activeAnalysis()->in().run;
    QCOMPARE(kept.meta.method, std::string("laplace"));
    QCOMPARE(tauOf(kept), std::optional<double>(tau));
    QCOMPARE(linkOf(kept), std::string("probit"));
    QVERIFY(std::abs(*session_->activeAnalysis()->evaluation.nll - shown) < 1e-6);
  }

  void theTemperatureIsFittedOnCalibrationItems() {
    openDigits("100:300&role=calibration", "held out");
    ComputeSettings settings = workbench_->computer().settings();
    settings.method = MapOptions{};
    workbench_->computer().compute(settings);
    QTRY_VERIFY_WITH_TIMEOUT(session_->activeAnalysis() != nullptr, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(page_->tuner().result() != nullptr && !page_->busy(), kPatience);
    QVERIFY(part<QPushButton>("tuneFit").isEnabled());
    part<QPushButton>("tuneFit").click();
    QTRY_VERIFY_WITH_TIMEOUT(part<QLabel>("tuneStatus").text().startsWith("fitted on 200 items"),
                             kPatience);
    const double fitted = part<ValueSlider>("tuneTemperature").value();
    // As the method of that name fits it.
    RunContext context;
    MethodData data;
    data.calibration = session_->datasets()[1].dataset;
    const auto method =
        prepareMethod(*session_->activeModel(), TemperatureOptions{}, data, {}, context);
    QVERIFY(method);
    QCOMPARE(fitted, *std::get<TemperatureOptions>(*method).temperature);
    QTRY_COMPARE_WITH_TIMEOUT(page_->tuner().result()->tuning.temperature, fitted, kPatience);
    QCOMPARE(part<ValueSlider>("tuneTemperature").mark(), std::optional<double>(fitted));
    part<QPushButton>("tuneKeep").click();
    QTRY_COMPARE_WITH_TIMEOUT(session_->analyses().size(), 2U, kPatience);
    const auto options =
        nlohmann::json::parse(session_->analyses()[1]->in().run->meta.method_options);
    QVERIFY(options["temperature_from"].get<std::string>().starts_with("fitted on 200 items"));
    QCOMPARE(options["order"][0].get<std::string>(), std::string("temperature after map"));
    // It can be computed anew, for Shift.
    QVERIFY(std::holds_alternative<TemperatureOptions>(*session_->analyses()[1]->method));
  }

  void aHiddenPageWaitsUntilItIsLookedAt() {
    page_->hide();
    session_->addAnalysis(sampleAnalysisWithoutDraws());
    deliverEvents();
    QVERIFY(page_->tuner().result() == nullptr && !page_->busy());
    page_->show();
    QTRY_VERIFY(page_->tuner().result() != nullptr && !page_->busy());
    QVERIFY(!part<ValueSlider>("tuneDraws").isVisible());
    QVERIFY(!part<QPushButton>("tuneFit").isEnabled());
    QVERIFY(part<QPushButton>("tuneFit").toolTip().contains("calibration"));
    page_->setTemperature(0.5);
    QTRY_COMPARE(page_->tuner().result()->tuning.temperature, 0.5);
    QVERIFY(page_->tuner().result()->now.mmc > page_->tuner().result()->stage->items->before.mmc);
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::TunePageTest)
#include "tune_page_test.moc"
