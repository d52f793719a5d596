// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/legend_spot.h"

#include <QtTest>
#include <algorithm>
#include <random>

#include "tests/support/gui_test.h"

namespace dubito::test {

class LegendSpotTest : public QObject {
  Q_OBJECT

  const QRect area_{17, 9, 300, 180};

  static std::vector<QPointF> somePoints(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> x(-50.0, 400.0);
    std::uniform_real_distribution<double> y(-50.0, 300.0);
    std::vector<QPointF> points(count);
    std::ranges::generate(points, [&] { return QPointF(x(random), y(random)); });
    return points;
  }

 private Q_SLOTS:
  void countsArePixelsWithinThreeOfTheSpot() {
    std::vector<QPointF> points = somePoints(3000, 1);
    points.insert(points.end(), {{20.0, 20.0}, {317.0, 9.0}, {14.0, 6.0}, {13.9, 6.0}});
    const PointCounts counts(area_, points);
    std::mt19937 random(2);
    for (int i = 0; i < 300; ++i) {
      const QSize size(1 + static_cast<int>(random() % 120), 1 + static_cast<int>(random() % 60));
      const QRect spot(
          {area_.left() + static_cast<int>(random() % unsigned(area_.width() - size.width())),
           area_.top() + static_cast<int>(random() % unsigned(area_.height() - size.height()))},
          size);
      const auto plain = std::ranges::count_if(points, [&](const QPointF& p) {
        return p.x() >= spot.left() - 3 && p.x() < spot.left() + spot.width() + 3 &&
               p.y() >= spot.top() - 3 && p.y() < spot.top() + spot.height() + 3;
      });
      QCOMPARE(counts.near(spot), plain);
    }
    QCOMPARE(PointCounts(area_, {}).near(area_), 0);
  }

  void aFreeCornerIsTaken() {
    std::vector<QPointF> diagonal;
    appendPixels({QPointF(area_.bottomLeft()), QPointF(area_.topRight())}, diagonal);
    const LegendSpot spot =
        emptySpot(area_, {100, 60}, PointCounts(area_, diagonal), PointCounts(area_, {}));
    QCOMPARE(spot.covered, 0);
    QCOMPARE(spot.rect, QRect(217, 129, 100, 60));
  }

  void guidesDecideBetweenEqualSpots() {
    const std::vector<QPointF> guide{{230.0, 150.0}};
    const LegendSpot spot =
        emptySpot(area_, {100, 60}, PointCounts(area_, {}), PointCounts(area_, guide));
    QCOMPARE(spot.rect, QRect(17, 129, 100, 60));
  }

  void theFewestPointsAreCoveredWhereNoSpotIsFree() {
    std::vector<QPointF> everywhere;
    for (int x = area_.left(); x < area_.right(); x += 5) {
      for (int y = area_.top(); y < area_.bottom(); y += 5) {
        everywhere.emplace_back(x, y);
        if (x > 160) {
          everywhere.emplace_back(x, y + 1);
        }
      }
    }
    const PointCounts counts(area_, everywhere);
    const LegendSpot spot = emptySpot(area_, {100, 60}, counts, PointCounts(area_, {}));
    QVERIFY(spot.rect.right() < 160);
    QCOMPARE(spot.covered, counts.near(spot.rect));
  }

  void aLegendLargerThanItsPlotIsNoError() {
    const QRect small(0, 0, 8, 8);
    const std::vector<QPointF> points{{4.0, 4.0}};
    const LegendSpot spot =
        emptySpot(small, {50, 40}, PointCounts(small, points), PointCounts(small, {}));
    QCOMPARE(spot.covered, 1);
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::LegendSpotTest)
#include "legend_spot_test.moc"
