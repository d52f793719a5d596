// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/histogram_plot.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QFile>
#include <QMenu>
#include <QSignalSpy>
#include <cmath>

#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"

namespace dubito::test {
namespace {

HistogramPlotValue twoGroups() {
  Histogram correct{{0.0, 0.5, 1.0, 1.5, 2.0}, {6, 3, 1, 0}, 10};
  Histogram wrong{{0.0, 0.5, 1.0, 1.5, 2.0}, {0, 1, 1, 2}, 4};
  return {.groups = {{"correct", ColorRole::kCorrect, correct},
                     {"misclassified", ColorRole::kMisclassified, wrong}},
          .quantity = "entropy",
          .x_label = "nats"};
}

}  // namespace

class HistogramPlotTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void plotsTheRootOfEachGroupsOwnShare() {
    HistogramPlot widget;
    widget.setHistograms(twoGroups());
    QCustomPlot& plot = shown(widget);
    QCOMPARE(plot.graphCount(), 2);
    QCOMPARE(plot.graph(0)->name(), "correct");
    // An outline: down to zero at both ends.
    const std::vector<double> expected{0.0, 0.6, 0.3, 0.1, 0.0, 0.0};
    QCOMPARE(plot.graph(0)->dataCount(), 6);
    for (int i = 0; i < 6; ++i) {
      const QCPGraphData& point = *(plot.graph(0)->data()->constBegin() + i);
      QVERIFY(std::abs(point.value * point.value - expected[static_cast<std::size_t>(i)]) < 1e-12);
    }
    QCOMPARE((plot.graph(1)->data()->constBegin() + 4)->value, std::sqrt(0.5));
    QCOMPARE(plot.xAxis->label(), "nats");
    QCOMPARE(tickTexts(*plot.xAxis), QStringList({"0.0", "0.5", "1.0", "1.5", "2.0"}));
    QCOMPARE(tickTexts(*plot.yAxis), QStringList({"0", "5 %", "20 %", "50 %", "100 %"}));
  }

  void aShortAxisHasAShortTitle() {
    HistogramPlot widget;
    HistogramPlotValue value = twoGroups();
    value.x_label = "max probability";
    value.x_short = "max prob.";
    widget.setHistograms(value);
    QTRY_COMPARE(shown(widget, {420, 160}).xAxis->label(), "max probability");
    QTRY_COMPARE(shown(widget, {130, 160}).xAxis->label(), "max prob.");
  }

  void marksBeforeTheFirstReplotAreQuiet() {
    static int messages;
    messages = 0;
    const QtMessageHandler handler = qInstallMessageHandler(
        [](QtMsgType, const QMessageLogContext&, const QString&) { ++messages; });
    HistogramPlot widget;
    widget.setHistograms(twoGroups());
    widget.setThreshold(0.4);
    widget.setSelectedRange(Interval{0.2, 0.6});
    qInstallMessageHandler(handler);
    QCOMPARE(messages, 0);
    QVERIFY(!shown(widget).layer("overlay")->children().isEmpty());
  }

  void ticksAreAsFewAsTheirLabelsNeed() {
    HistogramPlot widget;
    const Histogram narrow{{0.0, 0.03, 0.06, 0.09, 0.13}, {6, 3, 1, 1}, 11};
    widget.setHistograms({.groups = {{"correct", ColorRole::kCorrect, narrow}},
                          .quantity = "mutual information",
                          .x_label = "nats"});
    for (const int width : {160, 190, 220, 300, 600}) {
      QCustomPlot& plot = shown(widget, {width, 160});
      deliverEvents();  // ticks are fitted after a layout
      const QStringList texts = tickTexts(*plot.xAxis);
      QVERIFY(texts.size() >= 2);
      const QFontMetrics metrics(plot.xAxis->tickLabelFont());
      const double apart = plot.xAxis->coordToPixel(texts[1].toDouble()) -
                           plot.xAxis->coordToPixel(texts[0].toDouble());
      QVERIFY2(apart > metrics.horizontalAdvance(texts.last()) + 4,
               qPrintable(QString::number(width) + ": " + texts.join(u' ')));
      if (width == 600) {
        QVERIFY(texts.size() >= 5);
      }
    }
  }

  void linearScalePlotsTheShare() {
    HistogramPlot widget;
    widget.setHistograms(twoGroups());
    widget.setScale(HistogramPlot::Scale::kLinear);
    QCOMPARE((innerPlot(widget).graph(0)->data()->constBegin() + 1)->value, 0.6);
  }

  void draggingTheLineMovesTheThreshold() {
    HistogramPlot widget;
    widget.setHistograms(twoGroups());
    widget.setThreshold(0.5);
    QCustomPlot& plot = shown(widget);
    QSignalSpy moved(&widget, &HistogramPlot::thresholdMoved);
    QSignalSpy released(&widget, &HistogramPlot::thresholdReleased);
    QSignalSpy selected(&widget, &HistogramPlot::rangeSelected);
    drag(plot, pixelOf(plot, 0.5, 0.4) + QPoint(2, 0), pixelOf(plot, 1.25, 0.4));
    QVERIFY(moved.count() >= 2);
    QCOMPARE(released.count(), 1);
    QCOMPARE(selected.count(), 0);
    const double pixel_width = 2.0 / plot.axisRect()->width();
    QVERIFY(std::abs(released[0][0].toDouble() - 1.25) < 2.0 * pixel_width);
    QCOMPARE(*widget.threshold(), released[0][0].toDouble());
  }

  void theThresholdStaysInTheRange() {
    HistogramPlot widget;
    widget.setHistograms(twoGroups());
    widget.setThreshold(0.5);
    QCustomPlot& plot = shown(widget);
    drag(plot, pixelOf(plot, 0.5, 0.4), pixelOf(plot, 0.5, 0.4) + QPoint(2000, 0));
    QCOMPARE(*widget.threshold(), 2.0);
  }

  void draggingElsewhereSelectsARange() {
    HistogramPlot widget;
    widget.setHistograms(twoGroups());
    widget.setThreshold(1.9);
    QCustomPlot& plot = shown(widget);
    QSignalSpy selected(&widget, &HistogramPlot::rangeSelected);
    QSignalSpy cleared(&widget, &HistogramPlot::selectionCleared);
    // Leftwards: the range is ordered all the same.
    drag(plot, pixelOf(plot, 1.5, 0.5), pixelOf(plot, 0.5, 0.5));
    QCOMPARE(selected.count(), 1);
    const auto range = selected[0][0].value<Interval>();
    QVERIFY(std::abs(range.low - 0.5) < 0.02 && std::abs(range.high - 1.5) < 0.02);
    QVERIFY(widget.selectedRange().has_value());
    QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelOf(plot, 1.7, 0.5));
    QCOMPARE(cleared.count(), 1);
    QVERIFY(!widget.selectedRange().has_value());
    QCOMPARE(*widget.threshold(), 1.9);
  }

  void settersDoNotSignal() {
    HistogramPlot widget;
    widget.setHistograms(twoGroups());
    QSignalSpy moved(&widget, &HistogramPlot::thresholdMoved);
    QSignalSpy selected(&widget, &HistogramPlot::rangeSelected);
    widget.setThreshold(1.0);
    widget.setSelectedRange(Interval{0.1, 0.2});
    QCOMPARE(moved.count() + selected.count(), 0);
  }

  void wheelZoomsInsideTheDataAndDoubleClickResets() {
    HistogramPlot widget;
    widget.setHistograms(twoGroups());
    QCustomPlot& plot = shown(widget);
    const auto wheel = [&plot](int delta) {
      const QPoint at = pixelOf(plot, 1.0, 0.4);
      QWheelEvent event(at, plot.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, Qt::NoModifier,
                        Qt::NoScrollPhase, false);
      QCoreApplication::sendEvent(&plot, &event);
    };
    wheel(120);
    QVERIFY(plot.xAxis->range().size() < 1.9);
    QVERIFY(plot.xAxis->range().lower > 0.0);
    wheel(-1200);
    QCOMPARE(plot.xAxis->range().lower, 0.0);
    QCOMPARE(plot.xAxis->range().upper, 2.0);
    wheel(240);
    const QCPRange zoomed = plot.xAxis->range();
    widget.setThreshold(0.3);
    widget.setHistograms(twoGroups());
    QCOMPARE(plot.xAxis->range().lower, zoomed.lower);
    QTest::mouseDClick(&plot, Qt::LeftButton, {}, pixelOf(plot, 1.0, 0.4));
    QCOMPARE(plot.xAxis->range().upper, 2.0);
  }

  void csvHoldsTheCountsAndShares() {
    HistogramPlot widget;
    widget.setHistograms(twoGroups());
    const QStringList lines = widget.csv().split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 9);
    QCOMPARE(lines[0], "group,low,high,count,share");
    QCOMPARE(lines[1], "correct,0,0.5,6,0.6");
    QCOMPARE(lines[8], "misclassified,1.5,2,2,0.5");
  }

  void selectedItemsFillTheirPartOfTheBars() {
    HistogramPlot widget;
    widget.setHistograms(twoGroups());
    QCustomPlot& plot = shown(widget);
    widget.setSelected({{{0.0, 0.5, 1.0, 1.5, 2.0}, {2, 3, 0, 0}, 5},
                        {{0.0, 0.5, 1.0, 1.5, 2.0}, {0, 0, 0, 1}, 1}});
    QCOMPARE(plot.graphCount(), 4);
    // The share of the whole group, so that a bar can be full at most.
    const std::vector<double> expected{0.0, 0.2, 0.3, 0.0, 0.0, 0.0};
    for (int i = 0; i < 6; ++i) {
      const QCPGraphData& point = *(plot.graph(2)->data()->constBegin() + i);
      QVERIFY(std::abs(point.value * point.value - expected[static_cast<std::size_t>(i)]) < 1e-12);
    }
    QCOMPARE((plot.graph(3)->data()->constBegin() + 4)->value, 0.5);
    QVERIFY(
        widget.csv().startsWith("group,low,high,count,share,selected\ncorrect,0,0.5,6,0.6,2\n"));
    const QPointF first(plot.xAxis->coordToPixel(0.25), plot.yAxis->coordToPixel(0.1));
    QVERIFY(widget.hoverText(first).contains("selected 2"));
    // Another theme keeps them, no selection removes them.
    applyTheme(*qApp, Theme::darkTheme());
    QCOMPARE(plot.graphCount(), 4);
    applyTheme(*qApp, Theme::light());
    widget.setSelected({});
    QCOMPARE(plot.graphCount(), 2);
    QVERIFY(!widget.csv().contains("selected"));
  }

  void aDraggedRangeIsToldWhileItIsDragged() {
    HistogramPlot widget;
    widget.setHistograms(twoGroups());
    QCustomPlot& plot = shown(widget);
    QSignalSpy dragged(&widget, &HistogramPlot::rangeDragged);
    QSignalSpy selected(&widget, &HistogramPlot::rangeSelected);
    const int y = plot.axisRect()->center().y();
    const auto at = [&](double x) {
      return QPoint(static_cast<int>(plot.xAxis->coordToPixel(x)), y);
    };
    QTest::mousePress(&plot, Qt::LeftButton, {}, at(0.5));
    QTest::mouseMove(&plot, at(0.8));
    QTest::mouseMove(&plot, at(1.2));
    QCOMPARE(dragged.count(), 2);
    QCOMPARE(selected.count(), 0);
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, at(1.2));
    QCOMPARE(selected.count(), 1);
    const auto last = dragged.back()[0].value<Interval>();
    QVERIFY(std::abs(last.low - 0.5) < 0.02 && std::abs(last.high - 1.2) < 0.02);
  }

  void hoverNamesTheBinAndEveryGroup() {
    HistogramPlot widget;
    widget.setHistograms(twoGroups());
    QCustomPlot& plot = shown(widget);
    QCOMPARE(widget.hoverText(pixelOf(plot, 0.75, 0.4)),
             "entropy 0.5000 – 1.000\ncorrect: 30.00 % (3 of 10)\nmisclassified: 25.00 % (1 of 4)");
    QCOMPARE(widget.hoverText(QPointF(1, 1)), "");
  }

  void savesEveryFormatAndNamesWhatFails() {
    HistogramPlot widget;
    widget.setHistograms(twoGroups());
    widget.setCaption("Entropy", "MC dropout · MNIST · N = 14");
    shown(widget);
    const TempDir folder;
    const std::pair<const char*, QByteArray> formats[] = {
        {"png", "\x89PNG"}, {"svg", "<?xml"}, {"pdf", "%PDF"}, {"csv", "group,low"}};
    for (const auto& [suffix, magic] : formats) {
      const QString path = QString::fromStdString(folder.file(std::string("plot.") + suffix));
      QVERIFY(widget.saveAs(path).has_value());
      QFile file(path);
      QVERIFY(file.open(QIODevice::ReadOnly));
      QVERIFY(file.readAll().startsWith(magic));
    }
    QImage picture(QString::fromStdString(folder.file("plot.png")));
    QVERIFY(picture.width() > 2 * 400);
    const Status unknown = widget.saveAs(QString::fromStdString(folder.file("plot.xyz")));
    QVERIFY(!unknown.has_value());
    QCOMPARE(unknown.error().code, ErrorCode::kUnsupported);
    const Status nowhere = widget.saveAs("/nonexistent/plot.csv");
    QVERIFY(!nowhere.has_value());
    QCOMPARE(nowhere.error().code, ErrorCode::kWriteFailed);
    QVERIFY(QString::fromStdString(nowhere.error().message).contains("/nonexistent/plot.csv"));
  }

  void theMenuCopiesAndSaves() {
    HistogramPlot widget;
    widget.setHistograms(twoGroups());
    widget.setCaption("Predictive entropy", {});
    shown(widget);
    const TempDir folder;
    QString suggested;
    widget.setFilePrompt([&](const QString& name, const QString&) {
      suggested = name;
      return QString::fromStdString(folder.file("chosen"));
    });
    const auto choose = [&widget](const QString& text) {
      // To what lies under the cursor, as a platform does.
      QContextMenuEvent event(QContextMenuEvent::Mouse, {20, 20},
                              widget.mapToGlobal(QPoint(20, 20)));
      QCoreApplication::sendEvent(&innerPlot(widget), &event);
      auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      QVERIFY(menu != nullptr);
      for (QAction* const action : menu->actions()) {
        if (action->text() == text) {
          action->trigger();
        }
      }
      menu->close();
    };
    choose("Save as CSV…");
    QCOMPARE(suggested, "predictive-entropy.csv");
    QCOMPARE(QString::fromStdString(readBytes(folder.file("chosen.csv"))), widget.csv());
    choose("Copy as CSV");
    QCOMPARE(QApplication::clipboard()->text(), widget.csv());
    widget.setFilePrompt([](const QString&, const QString&) { return "/nonexistent/x.png"; });
    QSignalSpy failed(&widget, &PlotBase::failed);
    choose("Save as PNG, 2× size…");
    QCOMPARE(failed.count(), 1);
  }

  void coloursFollowTheTheme() {
    HistogramPlot widget;
    widget.setHistograms(twoGroups());
    applyTheme(*qApp, Theme::darkTheme());
    QCOMPARE(innerPlot(widget).graph(0)->pen().color(), Theme::darkTheme().correct);
    applyTheme(*qApp, Theme::light());
    QCOMPARE(innerPlot(widget).graph(0)->pen().color(), Theme::light().correct);
  }

  void nothingToShowIsFine() {
    HistogramPlot widget;
    QCustomPlot& plot = shown(widget);
    QCOMPARE(plot.graphCount(), 0);
    QCOMPARE(widget.csv(), "group,low,high,count,share\n");
    widget.setHistograms(
        {.groups = {{"none", ColorRole::kOod, {}}}, .quantity = {}, .x_label = {}});
    QCOMPARE(widget.hoverText(pixelOf(plot, 0.5, 0.5)), "");
  }
};

}  // namespace dubito::test

#include "histogram_plot_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::HistogramPlotTest)
