// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/labs/uci/uci_result.h"
#include "core/labs/uci/uci_sets.h"

namespace dubito {

/// A difference between a row of ours and a published value.
struct UciComparison {
  const UciPublishedColumn* column = nullptr;
  /// (ours - published), less what rounding of the published value can hide, divided by the root of
  /// the sum of the squared standard errors; 0 if rounding hides it all.
  double rmse = 0.0;
  double log_likelihood = 0.0;
};

/// Beyond so many standard errors, a difference is marked.
inline constexpr double kUciMarkedErrors = 3.0;

/// One method on one set.
struct UciRow {
  const UciMethodInfo* method = nullptr;
  std::int64_t splits = 0;  ///< computed so far
  MeanWithError rmse;
  MeanWithError log_likelihood;
  /// With the published columns that were measured in the same way; empty for fewer than five
  /// splits, whose standard error says little.
  std::vector<UciComparison> comparisons;
};

/// All methods on one set.
struct UciSetRows {
  const UciSetInfo* set = nullptr;
  std::vector<UciRow> rows;
};

/// Means over the splits, in the order of sets and methods; without sets that have no results.
[[nodiscard]] std::vector<UciSetRows> uciTable(std::span<const UciResult> results);

/// Whether a comparison is to be marked.
[[nodiscard]] bool isMarked(const UciComparison& comparison);
/// "2.90 ± 0.18": two significant digits of the error, but at least two decimals and at most
/// `max_decimals` >= 0, which wins. Without a standard error, the mean alone.
[[nodiscard]] std::string textWithError(const MeanWithError& value, int max_decimals = 6);

/// {"sets": [...], "columns": [...]}, see docs/command-line.md.
[[nodiscard]] nlohmann::json uciTableToJson(const std::vector<UciSetRows>& table);

}  // namespace dubito
