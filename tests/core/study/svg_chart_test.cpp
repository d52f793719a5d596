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

/// Attributes and content of the texts of a chart.
std::vector<std::string> textsOf(const std::string& svg) {
  const std::regex regex("<text ([^<]*)</text>");
  std::vector<std::string> texts;
  for (auto found = std::sregex_iterator(svg.begin(), svg.end(), regex);
       found != std::sregex_iterator(); ++found) {
    texts.push_back((*found)[1]);
  }
  return texts;
}

Chart categoryChart(std::vector<std::string> categories) {
  Chart chart =
      chartOf({.name = "s", .style = ChartStyle::kPoints, .x = {0}, .y = {1}, .colour = "#0072B2"});
  chart.x = {-0.5, static_cast<double>(categories.size()) - 0.5};
  chart.categories = std::move(categories);
  return chart;
}

int heightOf(const std::string& svg) {
  std::smatch found;
  return std::regex_search(svg, found, std::regex("height=\"(\\d+)\"")) ? std::stoi(found[1]) : 0;
}

TEST(SvgChart, ShortCategoriesAreSideBySide) {
  const std::string svg = chartSvg(categoryChart({"upright", "turned"}));
  EXPECT_THAT(svg,
              HasSubstr("x=\"152.0\" y=\"255.0\" text-anchor=\"middle\" font-size=\"9\">upright<"));
  EXPECT_THAT(svg, Not(HasSubstr("rotate(-30")));
}

TEST(SvgChart, LongCategoriesAreTurnedAndHaveRoom) {
  const std::string name = "a target with a long name";
  const std::string svg = chartSvg(categoryChart({"short", "other", name, name}));
  EXPECT_THAT(svg, HasSubstr("rotate(-30"));
  EXPECT_THAT(svg, HasSubstr(">" + name + "<"));
  EXPECT_GT(heightOf(svg), heightOf(chartSvg(categoryChart({"a", "b", "c", "d"}))) + 20);
  // The first one would reach beyond the left edge.
  const std::string cut = chartSvg(categoryChart({std::string(60, 'a') + "z", "b", "c"}));
  EXPECT_THAT(cut, HasSubstr("aaaa…aaa"));
  EXPECT_THAT(cut, HasSubstr("az</text>"));
  EXPECT_THAT(cut, Not(HasSubstr(std::string(40, 'a'))));
}

TEST(SvgChart, LongNamesLoseTheirMiddle) {
  // Two bytes per letter.
  std::string letters;
  for (int i = 0; i < 100; ++i) {
    letters += "ä";
  }
  Chart chart =
      chartOf({.name = "s" + letters + " (ECE 0.1)", .x = {0}, .y = {0}, .colour = "#0072B2"});
  chart.title = "T" + letters + "!";
  for (const std::string& text : textsOf(chartSvg(chart))) {
    if (text.find("…") != std::string::npos) {
      EXPECT_THAT(text, testing::AnyOf(HasSubstr(">sää"), HasSubstr(">Tää")));
      EXPECT_THAT(text, testing::AnyOf(testing::EndsWith("(ECE 0.1)"), testing::EndsWith("ä!")));
      EXPECT_LT(text.size(), 300U);
    }
  }
  EXPECT_THAT(chartSvg(chart), HasSubstr("…"));
}

TEST(SvgChart, TheLegendHasColumns) {
  Chart chart = chartOf({.name = "aaaa", .x = {0}, .y = {0}, .colour = "#0072B2"});
  chart.series.resize(5, chart.series.front());
  chart.series[3].name = "a longer name than these";
  const std::string svg = chartSvg(chart);
  std::vector<std::string> places;
  for (const std::string& text : textsOf(svg)) {
    if (text.find(">a") != std::string::npos && text.find("a &lt;") == std::string::npos) {
      places.push_back(text.substr(0, text.find(" text-anchor")));
    }
  }
  ASSERT_EQ(places.size(), 5U);
  // Two columns of equal width, three rows.
  EXPECT_EQ(places[0], "x=\"32.0\" y=\"288.0\"");
  EXPECT_EQ(places[1].substr(places[1].find(" y=")), " y=\"288.0\"");
  EXPECT_EQ(places[2], "x=\"32.0\" y=\"304.0\"");
  EXPECT_EQ(places[3].substr(0, 9), places[1].substr(0, 9));
  EXPECT_EQ(heightOf(svg), 328);
}

TEST(SvgChart, IsOnWhiteGroundAndWellFormed) {
  Chart chart = chartOf({.name = "a\x01\"b\"",
                         .style = ChartStyle::kArea,
                         .x = {0, 1},
                         .y = {1},
                         .colour = "#0072B2"});
  chart.series.front().dashed = true;
  const std::string svg = chartSvg(chart);
  EXPECT_THAT(svg, HasSubstr("fill=\"#FFFFFF\""));
  EXPECT_THAT(svg, HasSubstr("a &quot;b&quot;"));
  EXPECT_THAT(svg, HasSubstr("<polygon fill=\"none\""));
  EXPECT_EQ(svg.find('\x01'), std::string::npos);
}

}  // namespace
}  // namespace dubito
