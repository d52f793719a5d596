// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/overview_page.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QMenu>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <memory>

#include "app/explore/images/item_table.h"
#include "app/explore/reliability_form.h"
#include "app/explore/start_page.h"
#include "core/analysis/operating_point.h"
#include "tests/app/support/test_window.h"
#include "tests/core/analysis/sample_analysis.h"
#include "tests/support/gui_test.h"
#include "widgets/card.h"
#include "widgets/curve_plot.h"
#include "widgets/histogram_plot.h"
#include "widgets/image_gallery.h"
#include "widgets/metric_table.h"
#include "widgets/number_text.h"
#include "widgets/reliability_plot.h"

namespace dubito::test {

/// What is done in one plot of the Overview, and what the others make of it.
class OverviewPageTest : public QObject, private TestWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openFolder();
    openWindow();
  }
  void cleanup() { closeAll(); }

  void itemsWithoutImagesAreRowsOfATable() {
    showSample();
    QVERIFY(part<QWidget>("overviewGallery").isVisible());
    auto analysis = std::make_shared<Analysis>(*sampleAnalysis());
    for (AnalysisPart& p : analysis->parts) {
      p.dataset = nullptr;
      p.dataset_index = {};
    }
    session().addAnalysis(analysis);
    QVERIFY(!part<QWidget>("overviewGallery").isVisible());
    const ItemTable& table = part<ItemTable>("overviewTable");
    QVERIFY(table.isVisible());
    QTRY_COMPARE(table.model()->rowCount(), static_cast<int>(analysis->overview.misclassified));
  }

  void aLargeRunIsShownByASampleUntilAllOfItIsEvaluated() {
    constexpr std::int64_t kItems = 200'000;
    RunEvaluator& evaluator = window_->workbench().evaluator();
    HistogramPlot& confidence = part<HistogramPlot>("confidenceHistogram");
    const auto shown = [&] {
      std::int64_t items = 0;
      for (const HistogramGroup& group : confidence.histograms().groups) {
        items += group.histogram.total;
      }
      return items;
    };
    const auto captions = [&] {
      QStringList texts;
      for (const char* const card : {"confidenceHistogramCard", "reliabilityPlotCard",
                                     "rocPlotCard", "precisionRecallPlotCard"}) {
        texts << part<Card>(card).subtitle();
      }
      return texts;
    };
    int samples = 0;
    connect(&evaluator, &RunEvaluator::sampleChanged, this, [&] {
      if (!evaluator.sample().analysis) {
        return;
      }
      ++samples;
      QVERIFY(session().activeAnalysis() == nullptr);
      QCOMPARE(evaluator.sample().of, kItems);
      QCOMPARE(shown(), std::int64_t{20'000});
      for (const QString& caption : captions()) {
        // First, so that it is seen in a narrow card, too.
        QVERIFY2(caption.startsWith(QStringLiteral("sample of %1 · ").arg(countText(kItems))) &&
                     caption.contains(QStringLiteral("ten · N %1").arg(countText(20'000))),
                 qPrintable(caption));
      }
      QVERIFY(!part<CurvePlot>("rocPlot").curves().curves.empty());
      QVERIFY(part<ReliabilityPlot>("reliabilityPlot").diagram().total == 20'000);
      // There is nothing to select yet.
      const ItemQuery before = session().listing().query();
      Q_EMIT confidence.rangeDragged({0.4, 0.8});
      Q_EMIT confidence.rangeSelected({0.4, 0.8});
      Q_EMIT part<ReliabilityPlot>("reliabilityPlot").binSelected(3);
      Q_EMIT part<CurvePlot>("rocPlot").pointSelected(0, 1);
      QVERIFY(session().listing().query() == before);
    });
    AnalysisPart part_of_run;
    part_of_run.name = "ten";
    part_of_run.run = tenClassRun(kItems);
    evaluator.evaluate({part_of_run}, nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(session().activeAnalysis() != nullptr, kPatience);
    QCOMPARE(samples, 1);
    QTRY_VERIFY(evaluator.sample().analysis == nullptr);
    QCOMPARE(shown(), kItems);
    for (const QString& caption : captions()) {
      QVERIFY2(!caption.contains("sample") &&
                   caption.contains(QStringLiteral("ten · N %1").arg(countText(kItems))),
               qPrintable(caption));
    }

    // What is shown already stays until the next run is there.
    evaluator.evaluate({part_of_run}, nullptr);
    QTRY_COMPARE_WITH_TIMEOUT(session().analyses().size(), 2U, kPatience);
    QCOMPARE(samples, 1);
  }

  void cancellingTheEvaluationOfALargeRunLeavesNothing() {
    AnalysisPart part_of_run;
    part_of_run.name = "ten";
    part_of_run.run = tenClassRun(200'000);
    RunEvaluator& evaluator = window_->workbench().evaluator();
    connect(&evaluator, &RunEvaluator::sampleChanged, this,
            [this] { window_->workbench().jobs().cancel(); });
    evaluator.evaluate({part_of_run}, nullptr);
    QVERIFY(evaluator.sample().analysis == nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workbench().jobs().busy(), kPatience);
    if (!session().activeAnalysis()) {  // the evaluation may have been faster
      QTRY_VERIFY(evaluator.sample().analysis == nullptr);
      QVERIFY(part<StartPage>("startPage").isVisible());
    }
  }

  void everyPlotShowsWhatIsSelectedInAnother() {
    showSample();
    HistogramPlot& entropy = part<HistogramPlot>("entropyHistogram");
    HistogramPlot& confidence = part<HistogramPlot>("confidenceHistogram");
    QVERIFY(confidence.selected().empty());
    const Interval range{0.3, 0.9};
    Q_EMIT entropy.rangeSelected(range);
    QTRY_COMPARE(confidence.selected().size(), 3U);
    const AnalysisPtr analysis = session().activeAnalysis();
    std::int64_t expected = 0;
    std::int64_t labelled = 0;
    for (const AnalysisPart& p : analysis->parts) {
      for (std::int64_t row = 0; row < p.run->itemCount(); ++row) {
        const double value = p.values(Measure::kEntropy).data()[row];
        const bool inside = value >= range.low && value <= range.high;
        expected += inside ? 1 : 0;
        labelled += inside && p.run->labels.data()[row] >= 0 ? 1 : 0;
      }
    }
    QVERIFY(labelled > 0 && labelled < expected);
    std::int64_t shown = 0;
    for (const Histogram& histogram : confidence.selected()) {
      shown += histogram.total;
    }
    QCOMPARE(shown, expected);
    QVERIFY(part<ReliabilityPlot>("reliabilityPlot").selected()->total > 0);
    QCOMPARE(part<MetricTable>("metricTable").rows().front().group, QString("selection"));
    QCOMPARE(part<MetricTable>("metricTable").rows().front().value, static_cast<double>(expected));
    for (const int row : {1, 2}) {
      const QString& name =
          part<MetricTable>("metricTable").rows()[static_cast<std::size_t>(row)].name;
      QVERIFY2(name.endsWith(QStringLiteral(" (%1 labelled)").arg(labelled)), qPrintable(name));
    }
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    QTRY_VERIFY(confidence.selected().empty());
    QVERIFY(!part<ReliabilityPlot>("reliabilityPlot").selected().has_value());
    QVERIFY(part<MetricTable>("metricTable").rows().front().group != "selection");
  }

  void theCurvesShowTheSelectionBesideAllItems() {
    showSample();
    CurvePlot& roc = part<CurvePlot>("rocPlot");
    const std::size_t scores = session().activeAnalysis()->overview.roc.size();
    QCOMPARE(roc.curves().curves.size(), scores);
    Q_EMIT part<HistogramPlot>("confidenceHistogram").rangeSelected({0.3, 0.8});
    QTRY_COMPARE(roc.curves().curves.size(), 2 * scores);
    const std::vector<StyledCurve>& drawn = roc.curves().curves;
    for (std::size_t i = 0; i < scores; ++i) {
      QVERIFY(drawn[i].role == StyledCurve::Role::kBackground);
      QVERIFY(drawn[scores + i].role == StyledCurve::Role::kSelection);
      QCOMPARE(drawn[scores + i].dash, drawn[i].dash);
      QCOMPARE(drawn[scores + i].curve.summary,
               session().listing().selectionOverview()->roc[i].summary);
    }
    QCOMPARE(roc.curves().summary_name, QString("AUROC correct vs OOD, selection"));
    const CurvePlotValue& third = part<CurvePlot>("precisionRecallPlot").curves();
    QVERIFY(third.curves.back().role == StyledCurve::Role::kSelection);
    QCOMPARE(third.baseline,
             std::optional(session().listing().selectionOverview()->positive_share));
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    QTRY_COMPARE(roc.curves().curves.size(), scores);
    QVERIFY(drawn.front().role == StyledCurve::Role::kRun);
  }

  void aPointOfACurveSelectsWhatIsKeptThere() {
    showSample();
    CurvePlot& roc = part<CurvePlot>("rocPlot");
    const AnalysisPtr analysis = session().activeAnalysis();
    const Curve& curve = roc.curves().curves.front().curve;
    const Measure measure = measureOfKey(analysis->overview.roc.front().name).value();
    const auto middle = static_cast<int>(curve.x.size() / 2);
    const auto threshold = thresholdAt(*analysis, measure, RankingCurve::kRoc,
                                       curve.x[curve.x.size() / 2], curve.y[curve.y.size() / 2]);
    QVERIFY(threshold.has_value());
    Q_EMIT roc.pointSelected(0, middle);
    QTRY_COMPARE(session().plots().threshold(measure), threshold);
    QVERIFY(session().listing().query().range.has_value());
    const auto listsWhatIsKept = [&] {
      const ItemList& items = session().listing().items();
      return items && !items->empty() && std::ranges::all_of(items->all(), [&](ItemRef item) {
               const double value = analysis->partOf(item).values(measure).data()[item.row];
               return highIsCertain(measure) ? value >= *threshold : value <= *threshold;
             });
    };
    QTRY_VERIFY(listsWhatIsKept());
    // The curve of a score that knows every mistake has no threshold.
    const ItemQuery query = session().listing().query();
    Q_EMIT part<Card>("precisionRecallPlotCard").choiceMade(1);
    CurvePlot& rejection = part<CurvePlot>("precisionRecallPlot");
    Q_EMIT rejection.pointSelected(static_cast<int>(rejection.curves().curves.size()) - 1, 1);
    QVERIFY(session().listing().query() == query);
  }

  void aRangeThatIsBeingDraggedIsAnsweredBeforeItIsSelected() {
    showSample();
    HistogramPlot& entropy = part<HistogramPlot>("entropyHistogram");
    HistogramPlot& confidence = part<HistogramPlot>("confidenceHistogram");
    const qint64 listed = part<ImageGallery>("overviewGallery").count();
    Q_EMIT entropy.rangeDragged({0.3, 0.9});
    QTRY_VERIFY(!confidence.selected().empty());
    QVERIFY(!hasSelection(session().listing().query()));
    QVERIFY(!session().listing().canUndo());
    QCOMPARE(part<ImageGallery>("overviewGallery").count(), listed);
  }

  void aReliabilityBinSelectsItsItems() {
    showSample();
    ReliabilityPlot& plot = part<ReliabilityPlot>("reliabilityPlot");
    const int last = static_cast<int>(plot.diagram().bins.size()) - 1;
    const std::int64_t count = plot.diagram().bins.back().count;
    QVERIFY(count > 0);
    Q_EMIT plot.binSelected(last);
    QTRY_COMPARE(part<ImageGallery>("overviewGallery").count(), count);
    QCOMPARE(plot.selectedBin(), std::optional<int>(last));
  }

  void theReliabilityDiagramIsMadeAsAsked() {
    showSample();
    ReliabilityPlot& plot = part<ReliabilityPlot>("reliabilityPlot");
    const AnalysisPtr analysis = session().activeAnalysis();
    QCOMPARE(plot.diagram().bins.size(), analysis->overview.reliability.bins.size());
    Card& card = part<Card>("reliabilityPlotCard");
    QTest::mouseClick(&partOf<QToolButton>(card, "cardPlace"), Qt::LeftButton);
    partOf<QAction>(card, "cardOptions").trigger();
    QTRY_VERIFY(part<ReliabilityForm>("reliabilityForm").isVisible());
    partOf<QMenu>(card, "cardPlaceMenu").close();
    auto& form = part<ReliabilityForm>("reliabilityForm");
    part<QSpinBox>("reliabilityBins").setValue(7);
    QTRY_COMPARE(plot.diagram().bins.size(), 7U);
    part<QComboBox>("reliabilityWidth").setCurrentIndex(1);
    QTRY_VERIFY(part<Card>("reliabilityPlotCard").subtitle().contains("equal mass"));
    part<QCheckBox>("reliabilityOod").setChecked(true);
    QTRY_COMPARE(
        plot.diagram().total,
        analysis->overview.correct + analysis->overview.misclassified + analysis->overview.ood);
    form.hide();

    // A bin of this diagram, with the OOD items that are in it.
    Q_EMIT plot.binSelected(0);
    QTRY_COMPARE(part<ImageGallery>("overviewGallery").count(), plot.diagram().bins[0].count);
    QCOMPARE(plot.selectedBin(), std::optional<int>(0));
    QTRY_VERIFY(plot.selected().has_value());
    QCOMPARE(plot.selected()->bins[0].count, plot.diagram().bins[0].count);

    part<QComboBox>("reliabilityClass").setCurrentIndex(2);
    QTRY_VERIFY(session().plots().reliability() &&
                session().plots().reliability()->options.of_class == 1);
    QVERIFY(!plot.selectedBin().has_value());  // of the diagram before
    QVERIFY(part<Card>("reliabilityPlotCard").subtitle().contains("class "));

    // It stays for the next run, but for what that one does not have.
    session().addAnalysis(sampleAnalysisWithoutDraws());
    QTRY_VERIFY(session().plots().reliability() != nullptr);
    QCOMPARE(session().plots().reliability()->options.bins, 7);
  }

  void aSelectionIsCountedInTheBinsThatAreShown() {
    session().addAnalysis(sampleAnalysis());
    // At once, before anything is known of the run.
    session().listing().selectRange(Measure::kEntropy, {0.3, 0.9});
    ReliabilityPlot& plot = part<ReliabilityPlot>("reliabilityPlot");
    QTRY_VERIFY(plot.selected().has_value());
    const std::int64_t judged = plot.selected()->total;
    QVERIFY(judged > 0);
    for (const std::int64_t bins : {7, 30}) {
      session().plots().setReliabilityOptions({.bins = bins});
      QTRY_COMPARE(plot.diagram().bins.size(), static_cast<std::size_t>(bins));
      QTRY_VERIFY(plot.selected().has_value());
      QCOMPARE(plot.selected()->bins.size(), static_cast<std::size_t>(bins));
      QCOMPARE(plot.selected()->total, judged);
    }
    // Another run forgets the selection.
    session().addAnalysis(sampleAnalysisWithoutDraws());
    QTRY_VERIFY(window_->workbench().brushing().settled());
    QVERIFY(!plot.selected().has_value());
  }

  void thePrecisionRecallCardShowsRejectionToo() {
    showSample();
    CurvePlot& plot = part<CurvePlot>("precisionRecallPlot");
    QCOMPARE(plot.curves().summary_name, "AP");
    QComboBox& choice = *part<Card>("precisionRecallPlotCard").findChild<QComboBox*>("cardChoices");
    choice.setCurrentIndex(1);
    Q_EMIT choice.activated(1);
    QCOMPARE(plot.curves().summary_name, "AURC");
    QCOMPARE(part<Card>("precisionRecallPlotCard").title(), "Rejection");
    const Overview& overview = session().activeAnalysis()->overview;
    QCOMPARE(plot.curves().curves.size(), overview.rejection.size() + 1);
    QCOMPARE(plot.curves().curves.back().curve.y.back(), plot.curves().baseline.value());
    choice.setCurrentIndex(0);
    Q_EMIT choice.activated(0);
    QCOMPARE(plot.curves().summary_name, "AP");
  }

  void theThresholdMovesTheMarkOfTheRocCurve() {
    showSample();
    Q_EMIT part<HistogramPlot>("confidenceHistogram").thresholdMoved(0.5);
    QCOMPARE(session().plots().threshold(Measure::kConfidence), std::optional<double>(0.5));
    QCOMPARE(part<HistogramPlot>("confidenceHistogram").threshold(), std::optional<double>(0.5));
    const auto point = operatingPoint(*session().activeAnalysis(), Measure::kConfidence, 0.5);
    QVERIFY(point.has_value());
    QTRY_COMPARE(part<CurvePlot>("rocPlot").marker(),
                 std::optional(QPointF(point->false_positive_rate, point->true_positive_rate)));
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::OverviewPageTest)
#include "overview_page_test.moc"
