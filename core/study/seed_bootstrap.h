// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/expected.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"

namespace dubito {

/// A mean over seeds and items, and how well it is known.
struct BootstrappedMean {
  double mean = 0.0;
  Interval interval;  ///< 95 %, percentiles of the replicates
  /// Two-sided: twice the share of replicates on the other side of 0 (with one replicate added to
  /// each side), at most 1.
  double p = 1.0;
};

/// Bootstrap over items and seeds: each replicate draws items and, if there are several, seeds with
/// replacement, and averages over both. `values[m]` is metric m of each seed and item, [seeds,
/// items] row-major, for example the differences of two methods. All metrics are resampled alike.
/// Throws std::invalid_argument for sizes that do not fit, no items, no seeds or fewer than one
/// replicate; kCancelled.
[[nodiscard]] Expected<std::vector<BootstrappedMean>> bootstrapOverSeeds(
    std::span<const std::vector<double>> values, std::int64_t seeds, std::int64_t items,
    std::int64_t replicates, std::uint64_t seed, const RunContext& context);

}  // namespace dubito
