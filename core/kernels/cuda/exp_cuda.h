// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace dubito {

/// Same as expOfNonPositive in core/kernels/cpu/tile-inl.h for -708.1 < x <= 0, or 0 if `vanishes`,
/// for any x. Three double operations less than exp, and no branch, so that the exponentials of
/// several classes overlap.
__device__ inline double expOfNonPositive(double x, bool vanishes) {
  // Adding this constant leaves the nearest integer in the low bits of the sum.
  constexpr double kRounder = 0x1.8p52;
  const double shifted = fma(x, 1.4426950408889634, kRounder);
  const double r = fma(-(shifted - kRounder), 0.6931471805599453, x);
  double series = 2.7620075879983367e-07;
  series = fma(series, r, 2.7632640675430236e-06);
  series = fma(series, r, 2.4801521322368692e-05);
  series = fma(series, r, 0.0001984119064754424);
  series = fma(series, r, 0.0013888888917196719);
  series = fma(series, r, 0.008333333367311603);
  series = fma(series, r, 0.041666666666624164);
  series = fma(series, r, 0.16666666666615648);
  series = fma(series, r, 0.5000000000000001);
  series = fma(series, r, 1.0);
  series = fma(series, r, 1.0);
  // The exponent stays in range, so that it can be added to the bits.
  const auto high = static_cast<std::uint32_t>(__double2hiint(series)) +
                    (static_cast<std::uint32_t>(__double2loint(shifted)) << 20);
  // A choice between the result and 0 would become a branch around all of this.
  const std::uint32_t mask = vanishes ? 0U : 0xFFFFFFFFU;
  return __hiloint2double(
      static_cast<int>(high & mask),
      static_cast<int>(static_cast<std::uint32_t>(__double2loint(series)) & mask));
}

}  // namespace dubito
