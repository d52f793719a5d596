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

/// Returns the name or path of the item in a row of a run.
using ItemPath = std::function<std::string(std::int64_t row)>;

/// Writes the items in `rows` of `run`, in this order, as a CSV file: `id`, `path` (if `path_of` is
/// set), `label` and `prediction` (class names if they are known, with the class numbers in
/// `label_index` and `prediction_index`; unknown labels are empty), every measure of the run under
/// its key, `log_rest` (logRestOf), and the probability of each class in `prob_CLASS`. Numbers have
/// enough digits to be read back exactly; NaN is an empty field. openPredictions can read the file.
/// The file is written block by block under a temporary name, then renamed. kCancelled if the
/// context is cancelled; no file is then created. Throws std::out_of_range for an invalid row.
[[nodiscard]] Status writeItemsCsv(const Run& run, std::span<const std::int64_t> rows,
                                   const ItemPath& path_of, const std::string& path,
                                   RunContext& context);

}  // namespace dubito
