// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/svg_chart.h"

#include <limits>
#include <regex>

#include "tests/support/matchers.h"

namespace dubito {
namespace {

Chart chartOf(ChartSeries series) {
  return {.title = "a < b",
          .x_label = "x",
          .y_label = "y",
          .x = {0, 10},
          .y = {0, 1},
          .series = {std::move(series)},
          .width = 464,
          .height = 280};
}

TEST(SvgChart, TicksAreRound) {
  EXPECT_EQ(roundTicks({0.0, 1.0}, 5), (std::vector<double>{0.0, 0.2, 2 * 0.2, 3 * 0.2, 0.8, 1.0}));
  EXPECT_EQ(roundTicks({-7.0, 13.0}, 4), (std::vector<double>{-5, 0, 5, 10}));
  EXPECT_EQ(roundTicks({2.0, 2.0}, 4), (std::vector<double>{2.0}));
}

TEST(SvgChart, PointsAreWhereTheAxesSay) {
  // The plot is 400 wide from 52 and 200 high from 40.
  const std::string svg = chartSvg(chartOf({.name = "s",
                                            .style = ChartStyle::kLine,
                                            .x = {0, 5, 10},
                                            .y = {0, 0.5, 1},
                                            .colour = "#0072B2"}));
  EXPECT_THAT(svg, HasSubstr("points=\"52.0,240.0 252.0,140.0 452.0,40.0 \""));
  EXPECT_THAT(svg, HasSubstr("a &lt; b"));
  EXPECT_THAT(svg, Not(HasSubstr("a < b")));
}

TEST(SvgChart, GapsInterruptALine) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string svg = chartSvg(chartOf({.name = "s",
                                            .style = ChartStyle::kMarkers,
                                            .x = {0, 2, 4, 6},
                                            .y = {0, nan, 0.5, 1},
                                            .bars = {{0, 0.1}, {0, 0}, {0.4, 0.6}, {0.9, 1.0}},
                                            .colour = "#0072B2"}));
  const auto count = [&svg](const char* pattern) {
    const std::regex regex(pattern);
    return std::distance(std::sregex_iterator(svg.begin(), svg.end(), regex),
                         std::sregex_iterator());
  };
  EXPECT_EQ(count("<polyline"), 2);
  EXPECT_EQ(count("<circle"), 3);
  EXPECT_EQ(count("stroke-width=\"1.2\""), 3);
}

}  // namespace
}  // namespace dubito
