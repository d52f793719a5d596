// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/metrics/bootstrap_band.h"

namespace dubito {

/// Difference of a metric between two runs on the same items.
struct PairedDifference {
  std::string metric;       ///< "accuracy", "nll", "brier"
  double difference = 0.0;  ///< metric of the first run minus that of the second
  Interval interval;        ///< of the difference, at BootstrapOptions::coverage
  bool higher_is_better = true;
  /// Items excluded because of an infinite value in one run, such as the NLL of a masked label.
  std::int64_t left_out = 0;
};

/// The differences between two runs and the items from which they were computed.
struct PairedComparison {
  std::int64_t items = 0;    ///< labelled items in both runs
  bool by_bootstrap = true;  ///< false: by the normal distribution
  std::vector<PairedDifference> differences;
};

/// Maximum number of items for the bootstrap. With more items, the interval is that of the normal
/// distribution, which is practically the same.
inline constexpr std::int64_t kMaxResampledItems = 20'000;

/// Differences in accuracy and, if both runs have probabilities of the same classes, NLL and Brier
/// score, over the labelled items in both runs (joined on ids). The interval is a percentile
/// bootstrap over items, which resamples the two values of an item together. Metrics without any
/// finite value are left out. kInvalidArgument if the runs share no labelled item, kCancelled.
[[nodiscard]] Expected<PairedComparison> pairedComparison(const Run& first, const Run& second,
                                                          const BootstrapOptions& options,
                                                          RunContext& context);

}  // namespace dubito
