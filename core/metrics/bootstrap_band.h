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

/// Percentile interval of the accuracy of each bin; each replicate resamples the whole set with
/// replacement. Replicates in which a bin is empty are ignored for that bin; bins that are empty in
/// the diagram get NaN. The cost does not depend on the number of items. Throws
/// std::invalid_argument for options out of range.
[[nodiscard]] std::vector<Interval> bootstrapBand(const ReliabilityDiagram& diagram,
                                                  const BootstrapOptions& options);

}  // namespace dubito
