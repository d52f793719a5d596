// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/plot_values.h"

namespace dubito {

/// How a bootstrap band is drawn.
struct BootstrapOptions {
  std::int64_t replicates = 1000;  ///< resampled sets, >= 1
  double coverage = 0.95;          ///< share of the replicates inside the band, in (0, 1)
  std::uint64_t seed = 0;
};

/// Percentile band of the accuracy of each bin when the whole set is resampled with replacement.
/// Replicates that leave a bin empty do not count for it; NaN for bins that are empty themselves.
/// The cost does not depend on the number of items. Throws std::invalid_argument for options
/// outside their ranges.
[[nodiscard]] std::vector<Interval> bootstrapBand(const ReliabilityDiagram& diagram,
                                                  const BootstrapOptions& options);

}  // namespace dubito
