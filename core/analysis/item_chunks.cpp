// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/item_chunks.h"

#include "core/analysis/item_numbers.h"

namespace dubito {

bool forEachItemChunk(const Analysis& analysis, const RunContext& context,
                      const std::function<void(const ItemChunk&)>& visit) {
  constexpr std::int64_t kGrain = 1 << 16;
  const ItemNumbers numbers(analysis);
  for (std::size_t p = 0; p < analysis.parts.size(); ++p) {
    if (context.cancelRequested()) {
      return false;
    }
    context.parallelFor(analysis.parts[p].run->itemCount(), kGrain,
                        [&](std::int64_t begin, std::int64_t end) {
                          visit({static_cast<std::int32_t>(p), begin, end, numbers.firstOf(p)});
                        });
  }
  return !context.cancelRequested();
}

}  // namespace dubito
