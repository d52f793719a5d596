// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/run_context.h"

namespace dubito {

/// Number of items per part: enough to be worth a thread, few enough to cancel quickly.
inline constexpr std::int64_t kItemsPerPart = std::int64_t{1} << 15;

/// Divides [0, n) into ranges of `grain` indices and calls body(begin, end, part) for each of them
/// on the context's threads, where `part` is a separate copy of `empty`. Returns the parts in
/// order, so that a result computed from them does not depend on the number of threads. After a
/// cancel, the parts of ranges not yet started stay empty.
template <class Part, class Body>
[[nodiscard]] std::vector<Part> collectParts(std::int64_t n, std::int64_t grain, const Part& empty,
                                             const RunContext& context, const Body& body) {
  std::vector<Part> parts(static_cast<std::size_t>((n + grain - 1) / grain), empty);
  context.parallelFor(n, grain, [&](std::int64_t begin, std::int64_t end) {
    if (!context.cancelRequested()) {
      body(begin, end, parts[static_cast<std::size_t>(begin / grain)]);
    }
  });
  return parts;
}

}  // namespace dubito
