// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Selects at most `most` >= 0 rows of the items `ids`, in ascending order, by a key of each id:
/// the same items whatever their order, and a smaller selection is a subset of a larger one.
[[nodiscard]] std::vector<std::int64_t> keyedRows(std::span<const std::int64_t> ids,
                                                  std::int64_t most);

/// The run restricted to `rows`, with everything it stores for them. Rows are in [0, N).
[[nodiscard]] Run rowsOfRun(const Run& run, std::span<const std::int64_t> rows,
                            const RunContext& context);

}  // namespace dubito
