// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/seed_bootstrap.h"

#include <algorithm>
#include <random>
#include <stdexcept>

#include "core/base/compensated_sum.h"
#include "core/metrics/percentile.h"

namespace dubito {
namespace {

/// Draws indices in [0, count).
class Resampler {
 public:
  explicit Resampler(std::uint64_t seed) : random_(seed) {}

  std::size_t operator()(std::size_t count) {
    // The high bits of the product are uniform over [0, count), up to 2^-64.
    return static_cast<std::size_t>((static_cast<unsigned __int128>(random_()) * count) >> 64U);
  }

 private:
  std::mt19937_64 random_;
};

BootstrappedMean summary(double mean, std::vector<double> replicates) {
  std::ranges::sort(replicates);
  const auto at_most_0 = std::ranges::upper_bound(replicates, 0.0) - replicates.begin();
  const auto at_least_0 = replicates.end() - std::ranges::lower_bound(replicates, 0.0);
  const double side = static_cast<double>(1 + std::min<std::ptrdiff_t>(at_most_0, at_least_0));
  constexpr double kTail = 0.025;
  return {.mean = mean,
          .interval = {percentileOfSorted(replicates, kTail),
                       percentileOfSorted(replicates, 1.0 - kTail)},
          .p = std::min(1.0, 2.0 * side / static_cast<double>(replicates.size() + 1))};
}

}  // namespace

Expected<std::vector<BootstrappedMean>> bootstrapOverSeeds(
    std::span<const std::vector<double>> values, std::int64_t seeds, std::int64_t items,
    std::int64_t replicates, std::uint64_t seed, const RunContext& context) {
  const auto rows = static_cast<std::size_t>(seeds);
  const auto columns = static_cast<std::size_t>(items);
  const bool fits = std::ranges::all_of(
      values, [&](const std::vector<double>& metric) { return metric.size() == rows * columns; });
  if (seeds < 1 || items < 1 || replicates < 1 || !fits) {
    throw std::invalid_argument("bootstrapOverSeeds: sizes do not fit");
  }
  std::vector<std::vector<double>> means(values.size());
  std::vector<double> weight_of_item(columns);
  std::vector<double> weight_of_seed(rows);
  Resampler draw(seed);
  for (std::int64_t replicate = 0; replicate < replicates; ++replicate) {
    if (context.cancelRequested()) {
      return cancelled();
    }
    std::ranges::fill(weight_of_item, 0.0);
    std::ranges::fill(weight_of_seed, 0.0);
    for (std::size_t i = 0; i < columns; ++i) {
      weight_of_item[draw(columns)] += 1.0;
    }
    for (std::size_t s = 0; s < rows; ++s) {
      weight_of_seed[draw(rows)] += 1.0;
    }
    for (std::size_t m = 0; m < values.size(); ++m) {
      double sum = 0.0;
      for (std::size_t s = 0; s < rows; ++s) {
        if (weight_of_seed[s] == 0.0) {
          continue;
        }
        const double* const row = values[m].data() + s * columns;
        double of_seed = 0.0;
        for (std::size_t i = 0; i < columns; ++i) {
          of_seed += weight_of_item[i] * row[i];
        }
        sum += weight_of_seed[s] * of_seed;
      }
      means[m].push_back(sum / static_cast<double>(rows * columns));
    }
  }
  std::vector<BootstrappedMean> results;
  for (std::size_t m = 0; m < values.size(); ++m) {
    results.push_back(summary(meanOf(values[m]), std::move(means[m])));
  }
  return results;
}

}  // namespace dubito
