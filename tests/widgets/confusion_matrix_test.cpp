// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/confusion_matrix.h"

#include <QSignalSpy>
#include <set>

#include "tests/support/gui_test.h"

namespace dubito::test {
namespace {

ConfusionValue threeClasses() {
  return {{"cat", "dog", "cow"},
          Array<std::int64_t>::fromVector({3, 3}, {8, 2, 0, 0, 5, 0, 1, 0, 0})};
}

}  // namespace

class ConfusionMatrixTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aClickChoosesACellAndAnotherOneClearsIt() {
    ConfusionMatrix matrix;
    matrix.resize(300, 300);
    matrix.setValue(threeClasses());
    matrix.show();
    const QSignalSpy chosen(&matrix, &ConfusionMatrix::cellChosen);
    const QSignalSpy cleared(&matrix, &ConfusionMatrix::cleared);
    QTest::mouseClick(&matrix, Qt::LeftButton, {}, matrix.centreOf({0, 1}).toPoint());
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.at(0), (QVariantList{0, 1}));
    QCOMPARE(matrix.selected(), (std::optional<ConfusionCell>({0, 1})));
    QTest::mouseClick(&matrix, Qt::LeftButton, {}, matrix.centreOf({0, 1}).toPoint());
    QCOMPARE(cleared.count(), 1);
    QVERIFY(!matrix.selected());
    // Outside the grid nothing is chosen.
    QTest::mouseClick(&matrix, Qt::LeftButton, {}, QPoint(2, 298));
    QCOMPARE(chosen.count(), 1);
  }

  void keysWalkAndChoose() {
    ConfusionMatrix matrix;
    matrix.resize(300, 300);
    matrix.setValue(threeClasses());
    const QSignalSpy chosen(&matrix, &ConfusionMatrix::cellChosen);
    for (const Qt::Key key : {Qt::Key_Up, Qt::Key_Down, Qt::Key_Down, Qt::Key_Down, Qt::Key_Right,
                              Qt::Key_Left, Qt::Key_Left, Qt::Key_Return}) {
      QTest::keyClick(&matrix, key);
    }
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.at(0), (QVariantList{2, 0}));
  }

  void aLongNumberIsWrittenSmaller() {
    constexpr std::int64_t kClasses = 12;
    ConfusionValue value;
    std::vector<std::int64_t> counts(kClasses * kClasses, 0);
    for (std::int64_t k = 0; k < kClasses; ++k) {
      value.class_names << QString::number(k);
      counts[static_cast<std::size_t>(k * kClasses + k)] = 58'888;
    }
    value.counts = Array<std::int64_t>::fromVector({kClasses, kClasses}, counts);
    ConfusionMatrix matrix;
    matrix.setValue(value);
    const auto side = [&matrix] {
      return matrix.centreOf({0, 1}).x() - matrix.centreOf({0, 0}).x();
    };
    for (int size = 250; size < 600; size += 5) {
      matrix.resize(size, size);
      matrix.grab();
      if (side() >= 22.0) {
        break;
      }
    }
    QVERIFY(side() >= 22.0 && side() < 30.0);
    const QImage image = matrix.grab().toImage();
    const QPointF centre = matrix.centreOf({3, 3});
    std::set<QRgb> colours;
    for (int x = -8; x <= 8; ++x) {
      for (int y = -3; y <= 3; ++y) {
        colours.insert(image.pixel((centre + QPointF(x, y)).toPoint()));
      }
    }
    QVERIFY2(colours.size() > 3, qPrintable(QString::number(colours.size())));
  }

  void tellsCountsAndShares() {
    ConfusionMatrix matrix;
    matrix.setValue(threeClasses());
    QCOMPARE(matrix.describe({0, 1}),
             "true cat, predicted dog: 2 items, 20.00 % of the true class");
    QCOMPARE(matrix.describe({1, 1}), "dog correct: 5 items, 100.00 % of the true class");
    const QStringList lines = matrix.csv().split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 1 + 4);
    QCOMPARE(lines[0], "true,predicted,items,share_of_true_class");
    QCOMPARE(lines[2], "cat,dog,2,0.2");
  }

  void mistakesAndHitsHaveTheirColours() {
    ConfusionMatrix matrix;
    matrix.resize(400, 400);
    matrix.setValue(threeClasses());
    const QImage image = matrix.grab().toImage();
    const auto at = [&](ConfusionCell cell) {
      // Beside the figure in the middle.
      return image.pixelColor((matrix.centreOf(cell) + QPointF(20, 20)).toPoint());
    };
    QVERIFY(at({1, 1}).blue() > at({1, 1}).red());
    QVERIFY(at({2, 0}).red() > at({2, 0}).blue());
    QVERIFY(at({0, 2}) == at({1, 0}));  // both empty
  }

  void aThousandClassesAreDrawnAndFound() {
    ConfusionMatrix matrix;
    matrix.resize(300, 300);
    ConfusionValue value;
    const int classes = 1000;
    value.counts = Array<std::int64_t>::zeros({classes, classes});
    for (int k = 0; k < classes; ++k) {
      value.class_names << QString::number(k);
      value.counts.mutableRow(k)[static_cast<std::size_t>(k)] = 50;
    }
    matrix.setValue(value);
    QVERIFY(!matrix.grab().isNull());
    const QSignalSpy chosen(&matrix, &ConfusionMatrix::cellChosen);
    QTest::mouseClick(&matrix, Qt::LeftButton, {}, matrix.centreOf({500, 500}).toPoint());
    QCOMPARE(chosen.count(), 1);
    QVERIFY(std::abs(chosen.at(0).at(0).toInt() - 500) < 5);
  }

  void noClassesAreNoTrouble() {
    ConfusionMatrix matrix;
    matrix.setValue({});
    QVERIFY(!matrix.grab().isNull());
    QTest::keyClick(&matrix, Qt::Key_Return);
    matrix.setSelected(ConfusionCell{3, 3});
    QVERIFY(!matrix.selected());
  }
};

}  // namespace dubito::test

#include "confusion_matrix_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::ConfusionMatrixTest)
