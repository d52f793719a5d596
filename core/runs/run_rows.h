// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Selects at most `max_rows` >= 0 of the items with these ids by a hash of each id, and returns
/// their rows in ascending order. The selected items do not depend on the order of `ids`, and a
/// smaller selection is a subset of a larger one.
[[nodiscard]] std::vector<std::int64_t> keyedRows(std::span<const std::int64_t> ids,
                                                  std::int64_t max_rows);

/// A copy of the run that contains only `rows`, with everything stored for them. `rows` must be in
/// [0, N).
[[nodiscard]] Run rowsOfRun(const Run& run, std::span<const std::int64_t> rows,
                            const RunContext& context);

}  // namespace dubito
