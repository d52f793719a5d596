// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "core/metrics/evaluation.h"

namespace dubito {

/// One metric over repetitions with other seeds.
struct SeedStatistics {
  std::int64_t n = 0;
  double mean = 0.0;     ///< NaN for n = 0
  double std_dev = 0.0;  ///< sample standard deviation (n - 1); NaN for n < 2
};

[[nodiscard]] SeedStatistics seedStatistics(std::span<const double> values);

/// "0.599 +- 0.023"; the mean alone where there is no deviation.
[[nodiscard]] std::string formatSeedStatistics(const SeedStatistics& statistics, int decimals = 3);

/// Every metric of evaluations that differ in the seed alone, by its place in `evaluate --json`
/// ("/misclassified/entropy/auroc"). Metrics that some evaluation lacks have a smaller n.
[[nodiscard]] std::map<std::string, SeedStatistics> acrossSeeds(
    std::span<const Evaluation> evaluations);

}  // namespace dubito
