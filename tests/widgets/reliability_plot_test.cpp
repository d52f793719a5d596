// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/reliability_plot.h"

#include <QSignalSpy>
#include <cmath>

#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"
#include "tests/widgets/preview_data.h"

namespace dubito::test {
namespace {

QCPGraph* graphNamed(const QCustomPlot& plot, const QString& name) {
  for (int i = 0; i < plot.graphCount(); ++i) {
    if (plot.graph(i)->name() == name) {
      return plot.graph(i);
    }
  }
  return nullptr;
}

}  // namespace

class ReliabilityPlotTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void barsAreTheAccuraciesOfTheNonEmptyBins() {
    ReliabilityPlot widget;
    const ReliabilityDiagram diagram = reliabilityDiagram();
    widget.setDiagram(diagram);
    const QCustomPlot& plot = shown(widget);
    const QCPGraph* bars = graphNamed(plot, "accuracy");
    const QCPGraph* counts = graphNamed(plot, "count");
    int point = 0;
    int bins = 0;
    for (const ReliabilityBin& bin : diagram.bins) {
      if (bin.count == 0) {
        continue;
      }
      ++bins;
      // Five points a bar: foot, top, top, foot, gap.
      const auto bar = bars->data()->constBegin() + point;
      const auto count = counts->data()->constBegin() + point;
      QCOMPARE((bar + 1)->key, bin.low);
      QCOMPARE((bar + 2)->key, bin.high);
      QCOMPARE((bar + 1)->value, bin.accuracy);
      QVERIFY(std::isnan((bar + 4)->value));
      QCOMPARE((count + 1)->value, static_cast<double>(bin.count));
      point += 5;
    }
    QCOMPARE(bins, 11);
    QCOMPARE(bars->dataCount(), 5 * bins);
  }

  void bothAxesArePerCent() {
    ReliabilityPlot widget;
    widget.setDiagram(reliabilityDiagram());
    const QCustomPlot& plot = shown(widget);
    const QStringList whole = {"0", "20", "40", "60", "80", "100"};
    QCPAxis& confidence = *plot.axisRect(1)->axis(QCPAxis::atBottom);
    QCOMPARE(plot.yAxis->label(), "accuracy (%)");
    QCOMPARE(tickTexts(*plot.yAxis), whole);
    QCOMPARE(confidence.label(), "confidence (%)");
    QCOMPARE(tickTexts(confidence), whole);
  }

  void aBinOfOneValueIsSeenAndClicked() {
    ReliabilityPlot widget;
    ReliabilityDiagram diagram;
    ReliabilityBin bin;
    bin.low = bin.high = 1.0;
    bin.count = 30;
    bin.accuracy = 0.9;
    bin.confidence = 1.0;
    bin.wilson95 = {0.75, 0.97};
    diagram.bins = {bin};
    diagram.total = 30;
    widget.setDiagram(diagram);
    QCustomPlot& plot = shown(widget);
    const QCPGraph* const bars = graphNamed(plot, "accuracy");
    const double low = (bars->data()->constBegin() + 1)->key;
    QCOMPARE((bars->data()->constBegin() + 2)->key, 1.0);
    QVERIFY(low < 1.0 && low > 0.98);
    const QSignalSpy chosen(&widget, &ReliabilityPlot::binSelected);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelOf(plot, 0.997, 0.5));
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(widget.table().rows.front().at(0).toDouble(), 1.0);

    // At 0 there is no room but that of the next bin, which keeps half of it.
    diagram.bins[0].low = diagram.bins[0].high = 0.0;
    diagram.bins.push_back(bin);
    diagram.bins[1].low = 0.0;
    diagram.bins[1].high = 0.002;
    widget.setDiagram(diagram);
    widget.setSelectedBin(std::nullopt);
    std::vector<double> ends;
    for (const int point : {1, 2, 6, 7}) {
      ends.push_back((bars->data()->constBegin() + point)->key);
    }
    QCOMPARE(ends, std::vector<double>({0.0, 0.001, 0.001, 0.002}));
  }

  void intervalsAreWilsons() {
    ReliabilityPlot widget;
    const ReliabilityDiagram diagram = reliabilityDiagram();
    widget.setDiagram(diagram);
    QCustomPlot& plot = shown(widget);
    QCPErrorBars* intervals = nullptr;
    for (int i = 0; i < plot.plottableCount(); ++i) {
      if (auto* found = qobject_cast<QCPErrorBars*>(plot.plottable(i))) {
        intervals = found;
      }
    }
    QVERIFY(intervals != nullptr);
    QCOMPARE(intervals->data()->size(), 11);
    const ReliabilityBin& last = diagram.bins.back();
    QVERIFY(std::abs(intervals->data()->last().errorMinus - (last.accuracy - last.wilson95.low)) <
            1e-12);
    QVERIFY(std::abs(intervals->data()->last().errorPlus - (last.wilson95.high - last.accuracy)) <
            1e-12);
  }

  void countsHaveALogarithmicAxis() {
    ReliabilityPlot widget;
    widget.setDiagram(reliabilityDiagram());
    QCustomPlot& plot = shown(widget);
    QCPAxis* counts = plot.axisRect(1)->axis(QCPAxis::atLeft);
    QCOMPARE(counts->scaleType(), QCPAxis::stLogarithmic);
    QCOMPARE(tickTexts(*counts), QStringList({"1", "100"}));
    QVERIFY(counts->range().lower < 1.0);
    QCOMPARE(tickTexts(*plot.yAxis), QStringList({"0", "20", "40", "60", "80", "100"}));
    // One column of pixels means the same confidence in both parts.
    QCOMPARE(plot.axisRect(0)->left(), plot.axisRect(1)->left());
    QCOMPARE(plot.axisRect(0)->width(), plot.axisRect(1)->width());
  }

  void clickingAColumnChoosesItsBin() {
    ReliabilityPlot widget;
    widget.setDiagram(reliabilityDiagram());
    QCustomPlot& plot = shown(widget);
    QSignalSpy selected(&widget, &ReliabilityPlot::binSelected);
    QSignalSpy cleared(&widget, &ReliabilityPlot::selectionCleared);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelOf(plot, 0.9, 0.3));
    QCOMPARE(selected.count(), 1);
    QCOMPARE(selected[0][0].toInt(), 13);
    QCOMPARE(graphNamed(plot, "marked accuracy")->dataCount(), 5);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelOf(plot, 0.9, 0.3));
    QCOMPARE(cleared.count(), 1);
    // The strip below and empty bins answer as well.
    const QCPAxis* strip = plot.axisRect(1)->axis(QCPAxis::atLeft);
    QTest::mouseClick(
        &plot, Qt::LeftButton, {},
        QPoint(pixelOf(plot, 0.03, 0.0).x(), static_cast<int>(strip->coordToPixel(10.0))));
    QCOMPARE(selected.count(), 2);
    QCOMPARE(selected[1][0].toInt(), 0);
  }

  void edgesBelongToTheLowerBin() {
    ReliabilityPlot widget;
    ReliabilityDiagram diagram;
    for (const auto& [low, high] : {std::pair(0.0, 0.5), std::pair(0.5, 1.0)}) {
      diagram.bins.push_back({low, high, 4, 0.5, high, {0.2, 0.8}});
    }
    diagram.total = 8;
    widget.setDiagram(diagram);
    QCustomPlot& plot = shown(widget);
    QVERIFY(widget.hoverText(pixelOf(plot, 0.25, 0.5)).startsWith("confidence 0.00 % – 50.00 %"));
    QVERIFY(widget.hoverText(pixelOf(plot, 0.75, 0.5)).contains("4 of 8 items"));
  }

  void csvIsTheDiagram() {
    ReliabilityPlot widget;
    const ReliabilityDiagram diagram = reliabilityDiagram();
    widget.setDiagram(diagram);
    const QStringList lines = widget.csv().split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 16);
    QCOMPARE(lines[1], QString("0,%1,0,,,,").arg(exactText(1.0 / 15.0)));
    const QStringList cells = lines[14].split(',');
    QCOMPARE(cells[2], "120");
    QCOMPARE(cells[3].toDouble(), diagram.bins[13].accuracy);
    QCOMPARE(cells[5].toDouble(), diagram.bins[13].wilson95.low);
  }

  void selectedItemsAreMarkedInTheirBins() {
    ReliabilityPlot widget;
    ReliabilityDiagram all;
    ReliabilityDiagram part;
    for (int j = 0; j < 2; ++j) {
      all.bins.push_back({j / 2.0, (j + 1) / 2.0, 10 * (j + 1), 0.5, 0.6, {0.4, 0.6}});
      part.bins.push_back({j / 2.0, (j + 1) / 2.0, j == 0 ? 0 : 4, 0.75, 0.7, {0.2, 0.9}});
    }
    all.total = 30;
    part.total = 4;
    widget.setDiagram(all);
    QVERIFY(!widget.csv().contains("selected"));
    widget.setSelected(part);
    QVERIFY(widget.csv().contains("selected,selected_accuracy"));
    QVERIFY(widget.csv().contains(",4,0.75"));
    QCustomPlot& plot = innerPlot(widget);
    const QCPGraph* marks = nullptr;
    for (int i = 0; i < plot.graphCount(); ++i) {
      if (plot.graph(i)->name() == "selected accuracy") {
        marks = plot.graph(i);
      }
    }
    QVERIFY(marks != nullptr);
    // One mark over the width of the only bin with selected items.
    QCOMPARE(marks->dataCount(), 3);
    QCOMPARE(marks->data()->constBegin()->key, 0.5);
    QCOMPARE(marks->data()->constBegin()->value, 0.75);
    widget.setSelected(std::nullopt);
    QCOMPARE(marks->dataCount(), 0);
  }

  void theUpperPartKeepsItsAspect() {
    ReliabilityPlot widget;
    widget.setDiagram(reliabilityDiagram());
    QCustomPlot& plot = shown(widget, {900, 320});
    const QCPAxisRect* upper = plot.axisRect(0);
    QVERIFY(upper->width() <= 1.55 * upper->height());
    QVERIFY(plot.width() < 900);
  }
};

}  // namespace dubito::test

#include "reliability_plot_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::ReliabilityPlotTest)
