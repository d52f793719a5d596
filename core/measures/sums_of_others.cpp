// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/sums_of_others.h"

#include <cstddef>

namespace dubito {

std::vector<double> sumsOfOthers(std::span<const double> values) {
  const std::size_t count = values.size();
  std::vector<double> sums(count, 0.0);
  double before = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    sums[k] = before;
    before += values[k];
  }
  double after = 0.0;
  for (std::size_t k = count; k-- > 0;) {
    sums[k] += after;
    after += values[k];
  }
  return sums;
}

}  // namespace dubito
