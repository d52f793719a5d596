// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// A further column of a table of items: one number per row of the run; NaN is an empty field.
struct ItemColumn {
  std::string name;
  Array<double> values;  ///< [N]
};

/// What a table of items shows besides what the run holds.
struct ItemsCsvExtras {
  /// Name or path of the item in a row of the run; without it there is no column `path`.
  std::function<std::string(std::int64_t row)> path_of;
  std::vector<ItemColumn> columns;
};

/// Writes the items in `rows` of `run`, in this order, as a CSV file: `id`, `path`, `label` and
/// `prediction` (class names if they are known, with the numbers in `label_index` and
/// `prediction_index`; an unknown label is empty), `confidence`, `log_rest` (logRestOf), `margin`
/// (largest minus second largest probability), every measure that the run holds, `extras.columns`,
/// and the probability of each class in `prob_CLASS`. Numbers have as many digits as they need to
/// be read back exactly. openPredictions reads the file. Written block by block, beside and
/// renamed; kCancelled leaves nothing. Throws std::out_of_range for a row that the run does not
/// have.
[[nodiscard]] Status writeItemsCsv(const Run& run, std::span<const std::int64_t> rows,
                                   const ItemsCsvExtras& extras, const std::string& path,
                                   RunContext& context);

}  // namespace dubito
