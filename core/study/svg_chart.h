// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/plot_values.h"

namespace dubito {

enum class ChartStyle {
  kLine,
  kMarkers,  ///< a line with a marker and, if there is an interval, a bar at each point
  kPoints,   ///< markers without a line
  kArea,     ///< filled steps, or their outline if dashed: y[i] holds from x[i] to x[i + 1], so x
             ///< has one more value
};

/// Something drawn in a chart. NaN leaves a gap.
struct ChartSeries {
  std::string name;  ///< in the legend; empty: none
  ChartStyle style = ChartStyle::kLine;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<Interval> bars = {};  ///< empty, or one per point
  std::string colour;
  bool dashed = false;
};

/// A chart as data.
struct Chart {
  std::string title;
  std::string note = {};  ///< a muted line under the title
  std::string x_label;
  std::string y_label;
  Interval x;
  Interval y;
  std::vector<ChartSeries> series;
  /// Texts under the positions 0, 1, ... of x in place of numbers; empty: numbers.
  std::vector<std::string> categories = {};
  int width = 420;
  int height = 300;  ///< without the legend and what long categories need
};

/// A colour for the number-th of several rows: safe for the colour-blind, repeated after eight.
[[nodiscard]] std::string rowColour(std::size_t number);
/// Whether the number-th row is dashed, to distinguish repeated colours.
[[nodiscard]] bool isRowDashed(std::size_t number);

/// At most about `count` round numbers in a range.
[[nodiscard]] std::vector<double> roundTicks(Interval range, int count);

/// The chart as an <svg> element on white ground. Names that are too long lose their middle.
[[nodiscard]] std::string chartSvg(const Chart& chart);

/// Text between tags of HTML and SVG; control characters become spaces.
[[nodiscard]] std::string htmlText(std::string_view text);

}  // namespace dubito
