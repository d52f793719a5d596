// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dubito {

/// Meaning of the columns of a table, by column index.
struct PredictionColumns {
  std::optional<std::size_t> label, prediction, confidence, id;
  /// One per class, in class order; a single column is class 1 of two.
  std::vector<std::size_t> scores;
  bool scores_are_logits = false;
  /// Class names in the same order; empty if the columns are numbered from 0.
  std::vector<std::string> class_names;
  std::vector<std::string> unused;  ///< names of all other columns
};

/// Identifies the columns by their names. If no class columns with a common prefix are found, the
/// remaining numeric columns are taken as class probabilities, provided that they sum to 1 in the
/// first row.
[[nodiscard]] PredictionColumns findPredictionColumns(
    const std::vector<std::string>& header, const std::vector<std::string_view>& first_row);

}  // namespace dubito
