// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/scene_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dubito {

std::vector<std::int64_t> surestFirst(const Array<double>& log_probs) {
  std::vector<double> entropies;
  for (std::int64_t i = 0; i < log_probs.extent(0); ++i) {
    double entropy = 0.0;
    for (const double log : log_probs.row(i)) {
      const double prob = std::exp(log);
      entropy -= prob > 0.0 ? prob * log : 0.0;
    }
    entropies.push_back(entropy);
  }
  std::vector<std::int64_t> order(entropies.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::ranges::stable_sort(
      order, {}, [&](std::int64_t object) { return entropies[static_cast<std::size_t>(object)]; });
  return order;
}

}  // namespace dubito
