// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/analysis/analysis.h"
#include "core/base/run_context.h"

namespace dubito {

/// Rows of one part of an analysis, whose items are numbered part after part.
struct PartRows {
  std::int32_t part = 0;
  std::int64_t begin = 0;  ///< first row
  std::int64_t end = 0;    ///< row after the last
  std::int64_t first_of_part = 0;

  /// Number of the item in that row of the part, among all items.
  [[nodiscard]] std::size_t number(std::int64_t row) const {
    return static_cast<std::size_t>(first_of_part + row);
  }
};

/// Calls visit(range) on disjoint ranges that hold all items, several at a time, and returns when
/// all are done; false where the context is cancelled, with some of them left out. Blocking; for a
/// worker thread.
[[nodiscard]] bool visitPartRows(const Analysis& analysis, const RunContext& context,
                                 const std::function<void(const PartRows&)>& visit);

}  // namespace dubito
