// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/draw_measures.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/measures/measures.h"
#include "core/measures/of_items.h"

namespace dubito {

Array<double> drawVariances(const Array<float>& probs, const RunContext& context) {
  const std::int64_t draws = probs.extent(0);
  const std::int64_t items = probs.extent(1);
  const std::int64_t classes = probs.extent(2);
  return ofItems(items, context, [&] {
    return [&, shifts =
                   std::vector<double>(static_cast<std::size_t>(classes))](std::int64_t i) mutable {
      // Deviations from the first draw: plain sums of squares would cancel for confident items.
      const float* const first = probs.data() + i * classes;
      std::ranges::fill(shifts, 0.0);
      double squares = 0.0;
      for (std::int64_t t = 1; t < draws; ++t) {
        const float* const draw = first + t * items * classes;
        for (std::int64_t k = 0; k < classes; ++k) {
          const double deviation = double{draw[k]} - double{first[k]};
          shifts[static_cast<std::size_t>(k)] += deviation;
          squares += deviation * deviation;
        }
      }
      const auto count = static_cast<double>(draws);
      double squared_mean = 0.0;
      for (const double shift : shifts) {
        squared_mean += (shift / count) * (shift / count);
      }
      return std::max(0.0, squares / count - squared_mean);
    };
  });
}

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
