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

/// Name or path of the item in a row of the run.
using ItemPath = std::function<std::string(std::int64_t row)>;

/// Writes the items in `rows` of `run`, in this order, as a CSV file: `id`, `path` (if there is a
/// `path_of`), `label` and `prediction` (class names if they are known, with the numbers in
/// `label_index` and `prediction_index`; an unknown label is empty), every measure that the run can
/// give under its key, `log_rest` (logRestOf), and the probability of each class in `prob_CLASS`.
/// Numbers have as many digits as they need to be read back exactly, NaN is an empty field.
/// openPredictions reads the file. Written block by block, beside and renamed; kCancelled leaves
/// nothing. Throws std::out_of_range for a row that the run does not have.
[[nodiscard]] Status writeItemsCsv(const Run& run, std::span<const std::int64_t> rows,
                                   const ItemPath& path_of, const std::string& path,
                                   RunContext& context);

}  // namespace dubito
