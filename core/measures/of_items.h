// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/array.h"
#include "core/base/run_context.h"

namespace dubito {

/// One number per item, [N]: measure(i) for every item i, where each part of the items has its own
/// measure = make_measure(), which may keep scratch memory. Runs on the context's threads; after a
/// cancel the remaining items stay zero.
template <class MakeMeasure>
[[nodiscard]] Array<double> ofItems(std::int64_t items, const RunContext& context,
                                    MakeMeasure make_measure) {
  constexpr std::int64_t kItemsPerPart = 1024;
  Array<double> values = Array<double>::zeros({items});
  double* const out = values.mutableData();
  context.parallelFor(items, kItemsPerPart, [&](std::int64_t begin, std::int64_t end) {
    auto measure = make_measure();
    for (std::int64_t i = begin; i < end && !context.cancelRequested(); ++i) {
      out[i] = measure(i);
    }
  });
  return values;
}

}  // namespace dubito
