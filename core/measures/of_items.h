// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/array.h"
#include "core/base/run_context.h"

namespace dubito {

/// Returns the numbers measure(i), i = 0..items - 1, as an array [items]. The items are processed
/// in parts on the context's threads; each part has its own `measure`, returned by make_measure(),
/// which may keep scratch memory. If the context is cancelled, the remaining numbers stay zero.
template <class MakeMeasure>
[[nodiscard]] Array<double> computePerItem(std::int64_t items, const RunContext& context,
                                           MakeMeasure make_measure) {
  constexpr std::int64_t kItemsPerRange = 1024;
  Array<double> values = Array<double>::zeros({items});
  double* const out = values.mutableData();
  context.parallelFor(items, kItemsPerRange, [&](std::int64_t begin, std::int64_t end) {
    auto measure = make_measure();
    for (std::int64_t i = begin; i < end && !context.cancelRequested(); ++i) {
      out[i] = measure(i);
    }
  });
  return values;
}

}  // namespace dubito
