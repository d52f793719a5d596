// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/metrics/evaluation.h"

namespace dubito {

/// One metric over runs with different seeds.
struct SeedStatistics {
  std::int64_t n = 0;
  double mean = 0.0;     ///< NaN for n = 0
  double std_dev = 0.0;  ///< sample standard deviation (n - 1); NaN for n < 2
};

[[nodiscard]] SeedStatistics seedStatistics(std::span<const double> values);

/// Mean and standard deviation as text: "0.599 +- 0.023"; only the mean if std_dev is NaN.
[[nodiscard]] std::string formatSeedStatistics(const SeedStatistics& statistics, int decimals = 3);

/// A row of the metric table with statistics over evaluations that differ only in the seed.
/// row.value is that of the first evaluation.
struct SeedRow {
  MetricRow row;
  SeedStatistics statistics;
};
/// The rows of the first evaluation, in the same order. A metric that is missing in some
/// evaluations has a smaller n.
[[nodiscard]] std::vector<SeedRow> seedRows(std::span<const Evaluation> evaluations);

/// The JSON object of `evaluate --json`, in which {"mean", "std_dev", "n"} replaces each number;
/// "std_dev" is absent for n < 2. A metric that is missing in some evaluations has a smaller n.
[[nodiscard]] nlohmann::json seedsToJson(std::span<const Evaluation> evaluations);
/// The same of objects of `evaluate --json`.
[[nodiscard]] nlohmann::json seedsOfJson(std::span<const nlohmann::json> evaluations);

}  // namespace dubito
