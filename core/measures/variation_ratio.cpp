// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/variation_ratio.h"

#include <algorithm>
#include <vector>

#include "core/measures/measures.h"

namespace dubito {

Array<double> variationRatios(const Array<float>& probs, const RunContext& context) {
  constexpr std::int64_t kItemsATime = 1024;
  const std::int64_t draws = probs.extent(0);
  const std::int64_t items = probs.extent(1);
  const std::int64_t classes = probs.extent(2);
  Array<double> ratios = Array<double>::zeros({items});
  double* const values = ratios.mutableData();
  context.parallelFor(items, kItemsATime, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> votes(static_cast<std::size_t>(classes));
    for (std::int64_t i = begin; i < end && !context.cancelRequested(); ++i) {
      std::ranges::fill(votes, 0);
      for (std::int64_t t = 0; t < draws; ++t) {
        const auto row = probs.row(t).subspan(static_cast<std::size_t>(i * classes),
                                              static_cast<std::size_t>(classes));
        ++votes[static_cast<std::size_t>(argmax(row))];
      }
      values[i] = 1.0 - static_cast<double>(std::ranges::max(votes)) / static_cast<double>(draws);
    }
  });
  return ratios;
}

}  // namespace dubito
