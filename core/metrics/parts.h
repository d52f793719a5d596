// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/run_context.h"

namespace dubito {

/// Items of one part of a set: enough to be worth a thread, few enough to cancel quickly.
inline constexpr std::int64_t kItemsPerPart = std::int64_t{1} << 15;

/// Calls body(begin, end, part) on the parts of [0, n), each with its own copy of `empty`, on
/// the context's threads; parts not yet started when it is cancelled stay empty. The parts are
/// returned in order, so that joining them gives a result that does not depend on the number of
/// threads.
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
