// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/confusion_matrix.h"

#include <QMouseEvent>
#include <QSignalSpy>
#include <QWheelEvent>
#include <cmath>
#include <cstdlib>
#include <set>
#include <utility>

#include "tests/support/gui_test.h"
#include "widgets/square_view.h"
#include "widgets/theme.h"

namespace dubito::test {
namespace {

ConfusionValue threeClasses() {
  return {{"cat", "dog", "cow"},
          Array<std::int64_t>::fromVector({3, 3}, {8, 2, 0, 0, 5, 0, 1, 0, 0})};
}

/// 1000 items per class, all correct but one.
ConfusionValue hundredClasses() {
  constexpr int kClasses = 100;
  ConfusionValue value;
  value.counts = Array<std::int64_t>::zeros({kClasses, kClasses});
  for (int k = 0; k < kClasses; ++k) {
    value.class_names << QStringLiteral("class %1").arg(k);
    value.counts.mutableRow(k)[static_cast<std::size_t>(k)] = 1000;
  }
  value.counts.mutableRow(3)[3] = 999;
  value.counts.mutableRow(3)[5] = 1;
  return value;
}

/// Turns the wheel away from the user by some notches; returns whether the matrix took the event.
bool turnWheel(QWidget& widget, const QPointF& at, int notches) {
  QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton,
                    Qt::NoModifier, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(&widget, &event);
  return event.isAccepted();
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

  void theWheelZoomsAroundTheMouse() {
    ConfusionMatrix matrix;
    matrix.resize(400, 400);
    matrix.setValue(hundredClasses());
    matrix.show();
    const QPointF centre = matrix.centreOf({30, 70});
    const double side = matrix.centreOf({0, 1}).x() - matrix.centreOf({0, 0}).x();
    turnWheel(matrix, centre, 10);
    QVERIFY(matrix.isZoomed());
    // The class under the mouse stays there, and its neighbours are further apart.
    QVERIFY((matrix.centreOf({30, 70}) - centre).manhattanLength() < 8.0);
    QVERIFY(matrix.centreOf({0, 1}).x() - matrix.centreOf({0, 0}).x() > 5.0 * side);
    const QSignalSpy chosen(&matrix, &ConfusionMatrix::cellChosen);
    QTest::mouseClick(&matrix, Qt::LeftButton, {}, matrix.centreOf({31, 70}).toPoint());
    QCOMPARE(chosen.at(0), (QVariantList{31, 70}));
    // What is chosen elsewhere is moved into view.
    matrix.setSelected(ConfusionCell{0, 99});
    QVERIFY(matrix.rect().contains(matrix.centreOf({0, 99}).toPoint()));
    QTest::mouseDClick(&matrix, Qt::LeftButton, {}, matrix.centreOf({0, 99}).toPoint());
    QVERIFY(!matrix.isZoomed());
    QVERIFY((matrix.centreOf({30, 70}) - centre).manhattanLength() < 1e-6);
    // All classes are visible: the page may scroll.
    QVERIFY(!turnWheel(matrix, centre, -1));
    QVERIFY(turnWheel(matrix, centre, 1));
  }

  void draggingWithShiftMovesTheView() {
    ConfusionMatrix matrix;
    matrix.resize(400, 400);
    matrix.setValue(hundredClasses());
    matrix.show();
    turnWheel(matrix, matrix.centreOf({50, 50}), 8);
    const QSignalSpy chosen(&matrix, &ConfusionMatrix::cellChosen);
    const QPointF before = matrix.centreOf({50, 50});
    const QPoint at = before.toPoint();
    QTest::mousePress(&matrix, Qt::LeftButton, Qt::ShiftModifier, at);
    QMouseEvent move(QEvent::MouseMove, QPointF(at + QPoint(30, -20)),
                     matrix.mapToGlobal(QPointF(at + QPoint(30, -20))), Qt::NoButton,
                     Qt::LeftButton, Qt::ShiftModifier);
    QCoreApplication::sendEvent(&matrix, &move);
    QTest::mouseRelease(&matrix, Qt::LeftButton, Qt::ShiftModifier, at + QPoint(30, -20));
    QCOMPARE(chosen.count(), 0);
    QVERIFY((matrix.centreOf({50, 50}) - before - QPointF(30, -20)).manhattanLength() < 1e-6);
  }

  void aSingleMistakeIsVisibleInBothThemes() {
    for (const Theme& theme : {Theme::light(), Theme::darkTheme()}) {
      const ThemeScope scope(theme);
      ConfusionMatrix matrix;
      matrix.resize(400, 400);
      matrix.setValue(hundredClasses());
      matrix.show();
      turnWheel(matrix, matrix.centreOf({3, 5}), 12);
      const QImage image = matrix.grab().toImage();
      const auto at = [&](ConfusionCell cell) {
        const double side = matrix.centreOf({0, 1}).x() - matrix.centreOf({0, 0}).x();
        return image.pixelColor((matrix.centreOf(cell) + QPointF(0.4, 0.4) * side).toPoint());
      };
      const QColor empty = at({4, 5});
      const QColor one = at({3, 5});  // one of 1000
      const int apart = std::abs(one.red() - empty.red()) + std::abs(one.green() - empty.green()) +
                        std::abs(one.blue() - empty.blue());
      QVERIFY2(apart > 60, qPrintable(QString::number(apart)));
      QVERIFY(one.red() > one.blue());
    }
  }

  void aViewStaysInsideTheGrid() {
    SquareView view;
    view.setCells(100);
    QVERIFY(view.isWhole());
    QVERIFY(!view.zoom(2.0, {0.5, 0.5}));
    QVERIFY(view.zoom(0.1, {1.0, 0.0}));
    QCOMPARE(view.span(), 10.0);
    QCOMPARE(view.origin(), QPointF(90.0, 0.0));
    QCOMPARE(view.columns(), std::pair(90, 100));
    view.move({5.0, -3.0});
    QCOMPARE(view.origin(), QPointF(90.0, 0.0));
    view.include(10, 50);
    QCOMPARE(view.origin(), QPointF(10.0, 41.0));
    view.zoom(1e-6, {0.0, 0.0});
    QCOMPARE(view.span(), 4.0);
    view.setCells(100);
    QCOMPARE(view.span(), 4.0);
    view.setCells(3);
    QVERIFY(view.isWhole());
    QVERIFY(!view.zoom(0.5, {0.0, 0.0}));
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
