// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/iso_lines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace dubito {
namespace {

Array<double> picture(std::int64_t n, const std::function<double(double, double)>& value) {
  Array<double> values = Array<double>::zeros({n, n});
  for (std::int64_t row = 0; row < n; ++row) {
    for (std::int64_t column = 0; column < n; ++column) {
      values.mutableRow(row)[static_cast<std::size_t>(column)] =
          value((static_cast<double>(column) + 0.5) / static_cast<double>(n),
                (static_cast<double>(row) + 0.5) / static_cast<double>(n));
    }
  }
  return values;
}

TEST(IsoLines, AHillHasOneClosedCircle) {
  const auto hill = picture(
      40, [](double x, double y) { return -(x - 0.5) * (x - 0.5) - (y - 0.4) * (y - 0.4); });
  const std::vector<Polyline> lines = isoLines(hill, -0.09);
  ASSERT_EQ(lines.size(), 1U);
  const Polyline& circle = lines[0];
  EXPECT_GT(circle.x.size(), 40U);
  EXPECT_EQ(circle.x.front(), circle.x.back());
  EXPECT_EQ(circle.y.front(), circle.y.back());
  for (std::size_t i = 0; i < circle.x.size(); ++i) {
    EXPECT_NEAR(std::hypot(circle.x[i] - 0.5, circle.y[i] - 0.4), 0.3, 5e-4);
  }
  EXPECT_TRUE(isoLines(hill, 1.0).empty());
}

TEST(IsoLines, ASlopeHasOneOpenLineWhereTheLevelLies) {
  const auto slope = picture(10, [](double x, double y) { return x + 2.0 * y; });
  const std::vector<Polyline> lines = isoLines(slope, 1.3);
  ASSERT_EQ(lines.size(), 1U);
  for (std::size_t i = 0; i < lines[0].x.size(); ++i) {
    EXPECT_NEAR(lines[0].x[i] + 2.0 * lines[0].y[i], 1.3, 1e-12);
  }
  EXPECT_NE(lines[0].x.front(), lines[0].x.back());
}

TEST(IsoLines, TwoHillsAreTwoLinesAndASaddleJoinsNoneTwice) {
  const auto hills = picture(20, [](double x, double y) {
    return std::exp(-30.0 * (std::pow(x - 0.25, 2) + std::pow(y - 0.25, 2))) +
           std::exp(-30.0 * (std::pow(x - 0.75, 2) + std::pow(y - 0.75, 2)));
  });
  EXPECT_EQ(isoLines(hills, 0.5).size(), 2U);
  const auto saddle = Array<double>::fromVector({2, 2}, {1.0, 0.0, 0.0, 1.0});
  // The middle is below: each high corner stands alone.
  const std::vector<Polyline> lines = isoLines(saddle, 0.6);
  ASSERT_EQ(lines.size(), 2U);
  for (const Polyline& line : lines) {
    ASSERT_EQ(line.x.size(), 2U);
    // In cells from the middle: both ends on the same side of the other diagonal.
    EXPECT_GT((line.x[0] + line.y[0] - 1.0) * (line.x[1] + line.y[1] - 1.0), 0.0);
  }
}

TEST(IsoLines, KeepAwayFromWhatIsNotKnown) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto half = picture(10, [nan](double x, double y) { return x < y ? nan : y; });
  for (const Polyline& line : isoLines(half, 0.5)) {
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      EXPECT_GE(line.x[i], line.y[i]);
      EXPECT_NEAR(line.y[i], 0.5, 1e-12);
    }
  }
  EXPECT_TRUE(isoLines(Array<double>::zeros({1, 1}), 0.0).empty());
}

}  // namespace
}  // namespace dubito
