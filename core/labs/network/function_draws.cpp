// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/function_draws.h"

#include <utility>

namespace dubito {

Expected<Array<double>> drawFunctions(
    std::vector<std::int64_t> shape, std::int64_t draws_per_part, const RunContext& context,
    const std::function<void(std::int64_t draw, std::span<double> values)>& draw) {
  auto result = Array<double>::zeros(std::move(shape));
  context.parallelFor(result.extent(0), draws_per_part, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end && !context.cancelRequested(); ++t) {
      draw(t, result.mutableRow(t));
    }
  });
  if (context.cancelRequested()) {
    return cancelled();
  }
  return result;
}

}  // namespace dubito
