// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/wilson_interval.h"

#include <cmath>

#include "core/base/nan.h"

namespace dubito {

Interval wilson95(std::int64_t successes, std::int64_t n) {
  if (n == 0) {
    return {kNaN, kNaN};
  }
  constexpr double kZ = 1.959963984540054;
  const auto count = static_cast<double>(n);
  const double share = static_cast<double>(successes) / count;
  const double scale = 1.0 / (1.0 + kZ * kZ / count);
  const double centre = scale * (share + kZ * kZ / (2.0 * count));
  const double half =
      scale * kZ * std::sqrt(share * (1.0 - share) / count + kZ * kZ / (4.0 * count * count));
  return {successes == 0 ? 0.0 : centre - half, successes == n ? 1.0 : centre + half};
}

}  // namespace dubito
