// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/variation_ratio.h"

#include <algorithm>
#include <vector>

#include "core/measures/measures.h"
#include "core/measures/of_items.h"

namespace dubito {

Array<double> variationRatios(const Array<float>& probs, const RunContext& context) {
  const std::int64_t draws = probs.extent(0);
  const std::int64_t classes = probs.extent(2);
  return ofItems(probs.extent(1), context, [&] {
    return [&, votes = std::vector<std::int64_t>(static_cast<std::size_t>(classes))](
               std::int64_t i) mutable {
      std::ranges::fill(votes, 0);
      for (std::int64_t t = 0; t < draws; ++t) {
        const auto row = probs.row(t).subspan(static_cast<std::size_t>(i * classes),
                                              static_cast<std::size_t>(classes));
        ++votes[static_cast<std::size_t>(argmax(row))];
      }
      return 1.0 - static_cast<double>(std::ranges::max(votes)) / static_cast<double>(draws);
    };
  });
}

}  // namespace dubito
