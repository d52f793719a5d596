// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/array.h"
#include "core/base/run_context.h"

namespace dubito {

/// One number of every item, [N]: what a function that `make_measure()` returns says of the item's
/// number. Each part of the items has a function of its own, which may keep scratch memory. On the
/// context's threads; if it is cancelled, the rest stays zero.
template <class MakeMeasure>
[[nodiscard]] Array<double> ofItems(std::int64_t items, const RunContext& context,
                                    MakeMeasure make_measure) {
  constexpr std::int64_t kItemsATime = 1024;
  Array<double> values = Array<double>::zeros({items});
  double* const out = values.mutableData();
  context.parallelFor(items, kItemsATime, [&](std::int64_t begin, std::int64_t end) {
    auto measure = make_measure();
    for (std::int64_t i = begin; i < end && !context.cancelRequested(); ++i) {
      out[i] = measure(i);
    }
  });
  return values;
}

}  // namespace dubito
