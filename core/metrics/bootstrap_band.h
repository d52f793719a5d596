// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/plot_values.h"

namespace dubito {

/// Options of a bootstrap.
struct BootstrapOptions {
  std::int64_t replicates = 1000;  ///< number of resampled sets, >= 1
  double coverage = 0.95;          ///< fraction of the replicates inside the band, in (0, 1)
  std::uint64_t seed = 0;
};

/// Percentile band of the accuracy of each bin, with the whole set resampled with replacement.
/// Replicates in which a bin is empty do not count for that bin; NaN for empty bins. The cost does
/// not depend on the number of items. Throws std::invalid_argument for options out of range.
[[nodiscard]] std::vector<Interval> bootstrapBand(const ReliabilityDiagram& diagram,
                                                  const BootstrapOptions& options);

}  // namespace dubito
