// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/progress_strip.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>

#include "tests/support/gui_test.h"

namespace dubito::test {

class ProgressStripTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void rateAndRemainingTime() {
    ProgressEstimate estimate;
    estimate.update({"predict", 0, 1000}, 10.0);
    QCOMPARE(estimate.rate(), 0.0);
    QVERIFY(estimate.remaining() < 0.0);
    estimate.update({"predict", 200, 1000}, 12.0);
    QCOMPARE(estimate.rate(), 100.0);
    QCOMPARE(estimate.remaining(), 8.0);
  }

  void onlyTheLastSecondsCount() {
    ProgressEstimate estimate;
    for (int second = 0; second <= 20; ++second) {
      // Ten items a second at first, then a hundred.
      estimate.update({"predict", second <= 10 ? 10 * second : 100 + 100 * (second - 10), 2000},
                      second);
    }
    QCOMPARE(estimate.rate(), 100.0);
  }

  void aNewStageStartsAnew() {
    ProgressEstimate estimate;
    estimate.update({"load", 0, 100}, 0.0);
    estimate.update({"load", 100, 100}, 1.0);
    estimate.update({"predict", 5, 100}, 2.0);
    QCOMPARE(estimate.rate(), 0.0);
    estimate.update({"predict", 15, 0}, 3.0);
    QCOMPARE(estimate.rate(), 10.0);
    QVERIFY(estimate.remaining() < 0.0);
  }

  void stagesOfOneTotalAreOneProgress() {
    ProgressEstimate estimate;
    estimate.update({"digits", 0, 1000}, 0.0);
    estimate.update({"digits", 500, 1000}, 5.0);
    estimate.update({"signs", 500, 1000}, 5.0);
    estimate.update({"signs", 600, 1000}, 6.0);
    QCOMPARE(estimate.rate(), 100.0);
    QCOMPARE(estimate.remaining(), 4.0);
  }

  void aRateIsShownOfItemsAlone() {
    ProgressStrip strip;
    auto* const detail = strip.findChild<QLabel*>("progressDetail");
    for (const bool counts_items : {true, false}) {
      strip.start("work", counts_items);
      strip.setProgress({"pass", 0, 1000});
      // There is no rate of a very short time.
      QTRY_VERIFY((strip.setProgress({"pass", 500, 1000}), detail->text().contains("left")));
      QCOMPARE(detail->text().contains("items/s"), counts_items);
    }
  }

  void beforeTheFirstItemsTheBarMovesAndNoShareIsShown() {
    ProgressStrip strip;
    const auto* const bar = strip.findChild<QProgressBar*>("progressBar");
    const auto* const detail = strip.findChild<QLabel*>("progressDetail");
    strip.start("MAP softmax");
    strip.setProgress({"predict", 0, 600});
    QCOMPARE(bar->maximum(), 0);
    QCOMPARE(detail->text(), "0 of 600 items");
    strip.setProgress({"predict", 60, 600});
    QVERIFY(bar->maximum() > 0);
    QVERIFY2(detail->text().startsWith("10 %"), qPrintable(detail->text()));
  }

  void texts() {
    QCOMPARE(rateText(41234.0), QString("41\u202F200 items/s"));
    QCOMPARE(rateText(987654321.0), QString("988\u202F000\u202F000 items/s"));
    QCOMPARE(rateText(123.4), "123 items/s");
    QCOMPARE(rateText(0.25), "0.25 items/s");
    QCOMPARE(rateText(0.0), "");
    QCOMPARE(remainingText(6.2), "0:07 left");
    QCOMPARE(remainingText(3723.0), "1:02:03 left");
    QCOMPARE(remainingText(-1.0), "");
  }

  void showsTheRunningJobAndCancelsOnce() {
    ProgressStrip strip;
    strip.show();
    auto* bar = strip.findChild<QProgressBar*>("progressBar");
    auto* cancel = strip.findChild<QPushButton*>("progressCancel");
    QVERIFY(!bar->isVisible());
    strip.start("MC dropout");
    strip.setProgress({"predict", 63, 100});
    QVERIFY(bar->isVisible());
    QCOMPARE(bar->value(), 630);
    QCOMPARE(strip.findChild<QLabel*>("progressTitle")->text(), "MC dropout · predict");
    QCOMPARE(strip.findChild<QLabel*>("progressDetail")->text(), "63 %");
    QSignalSpy cancelled(&strip, &ProgressStrip::cancelRequested);
    QTest::mouseClick(cancel, Qt::LeftButton);
    QTest::mouseClick(cancel, Qt::LeftButton);
    QCOMPARE(cancelled.count(), 1);
    strip.finish("Cancelled");
    QVERIFY(!bar->isVisible());
    QVERIFY(!strip.running());
    strip.setProgress({"late", 1, 2});
    QCOMPARE(strip.findChild<QLabel*>("progressTitle")->text(), "Cancelled");
    strip.start("again");
    QVERIFY(cancel->isEnabled());
  }
};

}  // namespace dubito::test

#include "progress_strip_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::ProgressStripTest)
