// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/class_columns.h"
#include "core/io/csv_columns.h"
#include "core/io/ranked_columns.h"

namespace dubito {

/// Meaning of the columns of a table, by column index.
struct PredictionColumns {
  std::optional<std::size_t> label, prediction, confidence, id;
  std::vector<std::size_t> one_hot_labels;  ///< in class order; instead of `label`
  /// One per class, or a single column: the probability of class 1 of two, or of the prediction.
  ClassColumns scores;
  std::optional<RankedColumns> ranked;  ///< instead of `scores`
  std::vector<std::string> unused;      ///< names of all other columns
  std::vector<std::string> notes;
};

/// Identifies the columns by their names and all of their numbers. Errors of findClassColumns.
[[nodiscard]] Expected<PredictionColumns> findPredictionColumns(const CsvTable& table,
                                                                RunContext& context);

}  // namespace dubito
