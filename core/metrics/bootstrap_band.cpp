// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/bootstrap_band.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "core/metrics/percentile.h"

namespace dubito {
std::vector<Interval> bootstrapBand(const ReliabilityDiagram& diagram,
                                    const BootstrapOptions& options) {
  if (options.replicates < 1 || !(options.coverage > 0.0 && options.coverage < 1.0)) {
    throw std::invalid_argument("bootstrapBand: needs replicates >= 1 and a coverage in (0, 1)");
  }
  // Resampling items is a multinomial draw over the cells (bin, right or wrong), drawn as
  // successive binomials.
  std::vector<std::vector<double>> accuracies(diagram.bins.size());
  std::mt19937_64 random(options.seed);
  for (std::int64_t replicate = 0; replicate < options.replicates; ++replicate) {
    std::int64_t draws_left = diagram.total;
    std::int64_t items_left = diagram.total;
    const auto draw = [&](std::int64_t items) {
      if (items == 0 || draws_left == 0) {
        return std::int64_t{0};
      }
      const double share = static_cast<double>(items) / static_cast<double>(items_left);
      std::binomial_distribution<std::int64_t> binomial(draws_left, std::min(share, 1.0));
      const std::int64_t drawn = items == items_left ? draws_left : binomial(random);
      draws_left -= drawn;
      items_left -= items;
      return drawn;
    };
    for (std::size_t j = 0; j < diagram.bins.size(); ++j) {
      const ReliabilityBin& bin = diagram.bins[j];
      if (bin.count == 0) {
        continue;
      }
      const std::int64_t right = std::llround(bin.accuracy * static_cast<double>(bin.count));
      const std::int64_t drawn_right = draw(right);
      const std::int64_t drawn = drawn_right + draw(bin.count - right);
      if (drawn > 0) {
        accuracies[j].push_back(static_cast<double>(drawn_right) / static_cast<double>(drawn));
      }
    }
  }
  std::vector<Interval> band;
  band.reserve(accuracies.size());
  const double tail = 0.5 * (1.0 - options.coverage);
  for (std::vector<double>& values : accuracies) {
    std::sort(values.begin(), values.end());
    if (values.empty()) {
      const double nan = std::numeric_limits<double>::quiet_NaN();
      band.push_back({nan, nan});
    } else {
      band.push_back({percentileOfSorted(values, tail), percentileOfSorted(values, 1.0 - tail)});
    }
  }
  return band;
}

}  // namespace dubito
