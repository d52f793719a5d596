// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/plot_values.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dubito {

std::vector<double> evenlySpaced(Interval range, std::int64_t count) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i) {
    const double share = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0.0;
    values.push_back(range.low + share * (range.high - range.low));
  }
  return values;
}

Histogram makeHistogram(std::span<const double> values, Interval range, int bins) {
  if (bins < 1 || !(range.high > range.low)) {
    throw std::invalid_argument("makeHistogram: at least one bin and a non-empty range are needed");
  }
  Histogram histogram;
  histogram.edges.resize(static_cast<std::size_t>(bins) + 1);
  for (int j = 0; j <= bins; ++j) {
    histogram.edges[static_cast<std::size_t>(j)] = range.low + (range.high - range.low) * j / bins;
  }
  histogram.counts.assign(static_cast<std::size_t>(bins), 0);
  for (const double value : values) {
    if (std::isnan(value)) {
      continue;
    }
    // The first edge >= value is the upper edge of its bin.
    const auto edge = std::lower_bound(histogram.edges.begin(), histogram.edges.end(), value);
    const auto bin = std::clamp<std::ptrdiff_t>(edge - histogram.edges.begin() - 1, 0, bins - 1);
    ++histogram.counts[static_cast<std::size_t>(bin)];
    ++histogram.total;
  }
  return histogram;
}

}  // namespace dubito
