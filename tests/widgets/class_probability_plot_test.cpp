// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/class_probability_plot.h"

#include <cmath>
#include <limits>

#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"
#include "tests/widgets/preview_data.h"
#include "widgets/theme.h"

namespace dubito::test {
namespace {

QList<QCPBars*> barsOf(QCustomPlot& plot) {
  QList<QCPBars*> bars;
  for (int i = 0; i < plot.plottableCount(); ++i) {
    if (auto* found = qobject_cast<QCPBars*>(plot.plottable(i))) {
      bars << found;
    }
  }
  return bars;
}

QStringList textsOf(const QCustomPlot& plot) {
  QStringList texts;
  for (int i = 0; i < plot.itemCount(); ++i) {
    if (const auto* text = qobject_cast<const QCPItemText*>(plot.item(i))) {
      texts << text->text();
    }
  }
  return texts;
}

}  // namespace

class ClassProbabilityPlotTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theMostProbableClassesComeFirst() {
    ClassProbabilityPlot widget;
    widget.setProbabilities(ambiguousDigit());
    QCOMPARE(widget.shownClasses(), std::vector<int>({2, 8, 7, 3, 9, 0}));
    QCustomPlot& plot = shown(widget);
    const auto bars = barsOf(plot);
    QCOMPARE(bars.size(), 6);
    QCOMPARE(bars[0]->data()->constBegin()->value, 0.345);
    QCOMPARE(bars[3]->data()->constBegin()->value, 0.047);
    // Predicted, and wrong; the true class is marked as well.
    QCOMPARE(textsOf(plot)[0], "▸ 2");
    QCOMPARE(textsOf(plot)[1], "0.345");
    QVERIFY(textsOf(plot).contains("✓ 3"));
    QColor color = bars[0]->brush().color();
    color.setAlpha(255);
    QCOMPARE(color, currentTheme().misclassified);
  }

  void everyDrawIsADot() {
    ClassProbabilityPlot widget;
    const ItemProbabilities value = ambiguousDigit(40);
    widget.setProbabilities(value);
    QCustomPlot& plot = shown(widget);
    QCOMPARE(plot.graphCount(), 6);
    QCOMPARE(plot.graph(0)->dataCount(), 40);
    std::vector<double> drawn;
    for (int t = 0; t < 40; ++t) {
      drawn.push_back(plot.graph(0)->dataMainKey(t));
      QVERIFY(std::abs(plot.graph(0)->dataMainValue(t)) < 0.5);
    }
    std::vector<double> expected;
    for (int t = 0; t < 40; ++t) {
      expected.push_back(static_cast<double>(value.samples.row(t)[2]));
    }
    std::sort(expected.begin(), expected.end());
    QCOMPARE(drawn, expected);
  }

  void theTrueClassIsShownEvenWhereItIsImprobable() {
    ClassProbabilityPlot widget;
    ItemProbabilities value = ambiguousDigit();
    value.label_true = 4;
    widget.setProbabilities(value);
    widget.setMaxClasses(3);
    QCOMPARE(widget.shownClasses(), std::vector<int>({2, 8, 4}));
  }

  void classesWithoutARowAreCounted() {
    ClassProbabilityPlot widget;
    ItemProbabilities value = ambiguousDigit();
    widget.setProbabilities(value);
    widget.setMaxClasses(3);
    QCustomPlot& plot = shown(widget);
    QCOMPARE(widget.shownClasses().size(), 3U);
    QVERIFY(textsOf(plot).contains("7 more"));
    double rest = 1.0;
    for (const int c : widget.shownClasses()) {
      rest -= value.mean_probs[static_cast<std::size_t>(c)];
    }
    QCOMPARE(textsOf(plot).last(), QString::number(rest, 'f', 3));
    QVERIFY(plot.yAxis->range().contains(-3.0));
    QVERIFY(widget.hoverText(pixelOf(plot, 0.5, -3.0)).startsWith("7 more classes"));
    widget.setMaxClasses(10);
    QVERIFY(!textsOf(plot).join(' ').contains("more"));
  }

  void withoutDrawsThereAreOnlyBars() {
    ClassProbabilityPlot widget;
    ItemProbabilities value = ambiguousDigit();
    value.samples = {};
    widget.setProbabilities(value);
    QCOMPARE(innerPlot(widget).graphCount(), 0);
    QCOMPARE(widget.csv().count('\n'), 1 + 6);
  }

  void csvHoldsMeansAndDraws() {
    ClassProbabilityPlot widget;
    const ItemProbabilities value = ambiguousDigit(5);
    widget.setProbabilities(value);
    const QStringList lines = widget.csv().split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 1 + 6 * 6);
    QCOMPARE(lines[1], "2,mean,0.345");
    QCOMPARE(lines[2].split(',')[1], "0");
    QCOMPARE(lines[2].split(',')[2].toDouble(), static_cast<double>(value.samples.row(0)[2]));
  }

  void hoverTellsTheSpreadOfTheDraws() {
    ClassProbabilityPlot widget;
    widget.setProbabilities(ambiguousDigit());
    const QCustomPlot& plot = shown(widget);
    const QString text = widget.hoverText(pixelOf(plot, 0.5, 0.0));
    QVERIFY(text.startsWith("class 2: mean probability 0.3450\n100 draws, range "));
    QVERIFY(text.endsWith("▸ predicted"));
  }

  void logitsAreStripsWithTheirMeanMarked() {
    ClassProbabilityPlot widget;
    ItemProbabilities value = ambiguousDigit();
    value.logits = Array<float>::zeros({2, 10});
    for (std::size_t k = 0; k < 10; ++k) {
      value.logits.mutableRow(0)[k] = static_cast<float>(k) - 4.5F;
      value.logits.mutableRow(1)[k] = static_cast<float>(k) - 3.5F;
    }
    widget.setProbabilities(value);
    widget.setScale(ClassProbabilityPlot::Scale::kLogit);
    QCustomPlot& plot = shown(widget);
    QVERIFY(barsOf(plot).isEmpty());
    // A tick and the dots for each class; the first is class 2.
    QCOMPARE(plot.graphCount(), 12);
    QCOMPARE(plot.graph(0)->dataMainKey(0), -2.0);
    QCOMPARE(plot.graph(1)->dataCount(), 2);
    QCOMPARE(plot.graph(1)->dataMainKey(0), -2.5);
    QVERIFY(plot.xAxis->range().contains(-4.5) && plot.xAxis->range().contains(5.5));
    QCOMPARE(textsOf(plot)[1], "-2.00");
    const QStringList lines = widget.csv().split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines[0], "class,draw,logit");
    QCOMPARE(lines[1], "2,mean,-2");
    QVERIFY(widget.hoverText(pixelOf(plot, 0.0, 0.0)).contains("-2.50 to -1.50"));
    // Without any there is nothing else to show than probabilities.
    value.logits = {};
    widget.setProbabilities(value);
    QCOMPARE(barsOf(innerPlot(widget)).size(), 6);
    QCOMPARE(innerPlot(widget).xAxis->range().upper, 1.0);
  }

  void maskedClassesHaveNoPlaceAmongLogits() {
    ClassProbabilityPlot widget;
    ItemProbabilities value = ambiguousDigit();
    value.logits = Array<float>::zeros({1, 10});
    value.logits.mutableRow(0)[0] = 3.0F;
    value.logits.mutableRow(0)[2] = -std::numeric_limits<float>::infinity();
    widget.setProbabilities(value);
    widget.setScale(ClassProbabilityPlot::Scale::kLogit);
    const QCustomPlot& plot = shown(widget);
    QCOMPARE(textsOf(plot)[1], "-inf");
    QCOMPARE(plot.graphCount(), 11);
    QVERIFY(std::isfinite(plot.xAxis->range().lower) && plot.xAxis->range().lower > -1.0);
  }

  void anEmptyItemIsFine() {
    ClassProbabilityPlot widget;
    widget.setProbabilities({});
    shown(widget);
    QCOMPARE(widget.csv(), "class,draw,probability\n");
  }
};

}  // namespace dubito::test

#include "class_probability_plot_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::ClassProbabilityPlotTest)
