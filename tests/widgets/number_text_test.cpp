// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/number_text.h"

#include <cmath>
#include <limits>

#include "tests/support/gui_test.h"

namespace dubito::test {

class NumberTextTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void countsHaveThinSpaces() {
    QCOMPARE(countText(0), "0");
    QCOMPARE(countText(999), "999");
    QCOMPARE(countText(20000), QString::fromUtf8("20\u202F000"));
    QCOMPARE(countText(-1234567), QString::fromUtf8("-1\u202F234\u202F567"));
  }
  void aCountInASentenceHasItsNoun() {
    QCOMPARE(countedText(1, "%1 seed", "%1 seeds"), "1 seed");
    QCOMPARE(countedText(0, "%1 seed", "%1 seeds"), "0 seeds");
    QCOMPARE(countedText(20000, "%1 seed", "%1 seeds"), QString::fromUtf8("20\u202F000 seeds"));
    QCOMPARE(countedText(1, "The only image", "All %1 images"), "The only image");
  }
  void differencesOfSharesAreInPoints() {
    QCOMPARE(pointsText(-0.0005), QString::fromUtf8("−0.05 points"));
    QCOMPARE(pointsText(0.0123), "+1.23 points");
    QCOMPARE(pointsText(1e-9), "0.00 points");
    QCOMPARE(pointsText(std::nan("")), QString::fromUtf8("–"));
  }
  void sharesArePerCent() {
    QCOMPARE(shareText(0.0), "0.00 %");
    QCOMPARE(shareText(1.0), "100.00 %");
    QCOMPARE(shareText(0.98224), "98.22 %");
    QCOMPARE(shareText(0.000031), "0.0031 %");
    QCOMPARE(shareText(std::nan("")), QString::fromUtf8("–"));
  }
  void scoresHaveFourDecimals() {
    QCOMPARE(scoreText(0.0), "0.0000");
    QCOMPARE(scoreText(0.99421), "0.9942");
    QCOMPARE(scoreText(0.0000125), "1.25e-05");
    QCOMPARE(scoreText(std::nan("")), QString::fromUtf8("–"));
    QCOMPARE(scoreText(std::numeric_limits<double>::infinity()), "inf");
  }
  void aMeanHasAsManyDecimalsAsItsSpread() {
    QCOMPARE(spreadText(0.0325, 0.0000615, 4), QString::fromUtf8("0.032500 ± 0.000062"));
    QCOMPARE(spreadText(0.9942, 0.2, 4), QString::fromUtf8("0.9942 ± 0.2000"));
    QCOMPARE(spreadText(120.0, 0.12, 0), QString::fromUtf8("120.00 ± 0.12"));
    QCOMPARE(spreadText(61.8, 15.2, 0), QString::fromUtf8("62 ± 15"));
    QCOMPARE(spreadText(99.31, 0.0, 2), QString::fromUtf8("99.31 ± 0.00"));
    QCOMPARE(spreadText(99.31, std::nan(""), 2), "99.31");
    QCOMPARE(spreadText(std::nan(""), 1.0, 2), QString::fromUtf8("–"));
  }
};

}  // namespace dubito::test

#include "number_text_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::NumberTextTest)
