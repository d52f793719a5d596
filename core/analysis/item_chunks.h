// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/analysis/analysis.h"
#include "core/base/run_context.h"

namespace dubito {

/// Consecutive rows of one part of an analysis. The items of an analysis are numbered part after
/// part.
struct ItemChunk {
  std::int32_t part = 0;
  std::int64_t begin = 0;          ///< first row
  std::int64_t end = 0;            ///< one past the last row
  std::int64_t first_of_part = 0;  ///< number of the item in row 0 of the part

  /// Number of the item in `row` of the part, among all items.
  [[nodiscard]] std::size_t number(std::int64_t row) const {
    return static_cast<std::size_t>(first_of_part + row);
  }
};

/// Calls visit(chunk) for disjoint chunks that cover all items, several at a time on the context's
/// threads. Blocking; for a worker thread. Returns false if the context is cancelled; some chunks
/// are then skipped.
[[nodiscard]] bool forEachItemChunk(const Analysis& analysis, const RunContext& context,
                                    const std::function<void(const ItemChunk&)>& visit);

}  // namespace dubito
