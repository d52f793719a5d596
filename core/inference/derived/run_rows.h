// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// At most `most` >= 0 rows of the items `ids`, ascending, chosen by a key of their ids: the same
/// items whatever their order, and those of a smaller `most` are among those of a larger one.
[[nodiscard]] std::vector<std::int64_t> keyedRows(std::span<const std::int64_t> ids,
                                                  std::int64_t most);

/// The run of some of its items, with all that it holds of them. The rows are in [0, N).
[[nodiscard]] Run rowsOfRun(const Run& run, std::span<const std::int64_t> rows,
                            const RunContext& context);

}  // namespace dubito
