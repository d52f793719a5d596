// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/csv_columns.h"

namespace dubito {

/// Columns that list the most probable classes of each item, the best first: "prob_0, prob_1" with
/// "index_0, index_1", or "probability, probability_2" with "predicted, predicted_2".
struct RankedColumns {
  std::vector<std::size_t> probs;  ///< by rank
  std::vector<std::size_t> classes =
      {};  ///< by rank: class numbers, or names if there are no numbers
  std::vector<std::size_t> names =
      {};  ///< by rank; empty if `classes` has names, or there are none
};

/// Finds them by content: numbers from 0 to 1 (or 100) that fall from column to column in every
/// row, and columns with the same numbers in their names whose values differ within every row.
[[nodiscard]] Expected<std::optional<RankedColumns>> findRankedColumns(const CsvTable& table,
                                                                       RunContext& context);

}  // namespace dubito
