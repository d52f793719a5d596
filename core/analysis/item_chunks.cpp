// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/item_chunks.h"

namespace dubito {

bool forEachItemChunk(const Analysis& analysis, const RunContext& context,
                      const std::function<void(const ItemChunk&)>& visit) {
  constexpr std::int64_t kGrain = 1 << 16;
  std::int64_t first_of_part = 0;
  for (std::size_t p = 0; p < analysis.parts.size(); ++p) {
    if (context.cancelRequested()) {
      return false;
    }
    const std::int64_t items = analysis.parts[p].run->itemCount();
    context.parallelFor(items, kGrain, [&](std::int64_t begin, std::int64_t end) {
      visit({static_cast<std::int32_t>(p), begin, end, first_of_part});
    });
    first_of_part += items;
  }
  return !context.cancelRequested();
}

}  // namespace dubito
