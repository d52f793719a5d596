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

/// By how much one run does better than another on the same items.
struct PairedDifference {
  std::string metric;       ///< "accuracy", "nll", "brier"
  double difference = 0.0;  ///< metric of the first run minus that of the second
  Interval interval;        ///< of the difference, at BootstrapOptions::coverage
  bool higher_is_better = true;
  /// Items with an infinite value in a run, such as the NLL of a masked label, which do not count.
  std::int64_t left_out = 0;
};

/// The differences, and over how many items they were taken.
struct PairedComparison {
  std::int64_t items = 0;    ///< labelled, in both runs
  bool by_bootstrap = true;  ///< else the normal distribution of the mean, beyond kMostResampled
  std::vector<PairedDifference> differences;
};

/// Items beyond which resampling would only repeat what the central limit theorem says.
inline constexpr std::int64_t kMostResampled = 20'000;

/// Accuracy, and where both runs have probabilities of the same classes NLL and Brier score, of two
/// runs over the items that both hold (joined on ids) with a label. The interval comes from
/// resampling items together with both their values (percentiles). A metric that is finite for no
/// item is missing. kInvalidArgument if they share no labelled item, kCancelled.
[[nodiscard]] Expected<PairedComparison> pairedComparison(const Run& first, const Run& second,
                                                          const BootstrapOptions& options,
                                                          RunContext& context);

}  // namespace dubito
