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
  /// Class names in that order; empty if the columns are numbered from 0.
  std::vector<std::string> class_names;
  std::vector<std::string> unused;  ///< names of all other columns
};

/// Decides by the names in the header. If the class columns have no common prefix, by the first
/// row: its remaining numbers are the class probabilities if they sum to 1.
[[nodiscard]] PredictionColumns findPredictionColumns(
    const std::vector<std::string>& header, const std::vector<std::string_view>& first_row);

}  // namespace dubito
