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
    QCOMPARE(countText(20000), QString::fromUtf8("20\u2009000"));
    QCOMPARE(countText(-1234567), QString::fromUtf8("-1\u2009234\u2009567"));
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
};

}  // namespace dubito::test

#include "number_text_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::NumberTextTest)
