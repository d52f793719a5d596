// SPDX-License-Identifier: GPL-3.0-or-later
// Included once per instruction set, by files that use Highway's foreach_target.
#if defined(DUBITO_CORE_KERNELS_CPU_TILE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DUBITO_CORE_KERNELS_CPU_TILE_INL_H
#undef DUBITO_CORE_KERNELS_CPU_TILE_INL_H
#else
#define DUBITO_CORE_KERNELS_CPU_TILE_INL_H
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace dubito::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// A tile is the transpose [classes][kTile] of the rows [count, classes] of up to kTile items.

#if HWY_TARGET != HWY_SCALAR
/// Transposes four classes of four items.
template <std::size_t kTile>
void transposeBlock(const float* from, std::size_t classes, float* to) {
  const hn::FixedTag<float, 4> d;
  const hn::FixedTag<double, 2> pairs;
  const auto a = hn::LoadU(d, from);
  const auto b = hn::LoadU(d, from + classes);
  const auto c = hn::LoadU(d, from + 2 * classes);
  const auto e = hn::LoadU(d, from + 3 * classes);
  const auto ab_low = hn::BitCast(pairs, hn::InterleaveLower(d, a, b));
  const auto ab_high = hn::BitCast(pairs, hn::InterleaveUpper(d, a, b));
  const auto ce_low = hn::BitCast(pairs, hn::InterleaveLower(d, c, e));
  const auto ce_high = hn::BitCast(pairs, hn::InterleaveUpper(d, c, e));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, ab_low, ce_low)), d, to);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, ab_low, ce_low)), d, to + kTile);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, ab_high, ce_high)), d, to + 2 * kTile);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, ab_high, ce_high)), d, to + 3 * kTile);
}
#endif

/// Writes the transpose of rows `from` [count, classes] to the tile `to`.
template <std::size_t kTile>
void transposeIn(const float* from, std::size_t count, std::size_t classes, float* to) {
  std::size_t done = 0;
#if HWY_TARGET != HWY_SCALAR
  if (classes >= 4) {
    for (; done + 4 <= count; done += 4) {
      for (std::size_t k = 0; k + 4 <= classes; k += 4) {
        transposeBlock<kTile>(from + done * classes + k, classes, to + k * kTile + done);
      }
      // The last block overlaps the previous one.
      const std::size_t last = classes - 4;
      transposeBlock<kTile>(from + done * classes + last, classes, to + last * kTile + done);
    }
  }
#endif
  for (std::size_t item = done; item < count; ++item) {
    for (std::size_t k = 0; k < classes; ++k) {
      to[k * kTile + item] = from[item * classes + k];
    }
  }
}

/// Writes the transpose of the tile `from` to rows `to` [count, classes].
template <std::size_t kTile>
void transposeOut(const float* from, std::size_t count, std::size_t classes, float* to) {
  for (std::size_t item = 0; item < count; ++item, to += classes) {
    for (std::size_t k = 0; k < classes; ++k) {
      to[k] = from[k * kTile + item];
    }
  }
}

/// e^x for -708 <= x <= 0, with a relative error that grows from 2e-15 near 0 to 3e-14 at x = -708.
/// Gives NaN for NaN.
template <class D, class V>
V expInRange(D d, V x) {
  constexpr double kLog2E = 1.4426950408889634;
  constexpr double kLn2 = 0.6931471805599453;
  // Adding this constant leaves the nearest integer, plus the bias of exponents, in the low bits of
  // the sum.
  const V rounder = hn::Set(d, 0x1.8p52 + 1023.0);
  const V shifted = hn::MulAdd(x, hn::Set(d, kLog2E), rounder);
  const V r = hn::NegMulAdd(hn::Sub(shifted, rounder), hn::Set(d, kLn2), x);
  // Interpolates e^r at the Chebyshev nodes of |r| <= log(2) / 2, with 1 and 1 + r exact at 0.
  V series = hn::Set(d, 2.7620075879983367e-07);
  for (const double term : {2.7632640675430236e-06, 2.4801521322368692e-05, 0.0001984119064754424,
                            0.0013888888917196719, 0.008333333367311603, 0.041666666666624164,
                            0.16666666666615648, 0.5000000000000001, 1.0, 1.0}) {
    series = hn::MulAdd(series, r, hn::Set(d, term));
  }
  const hn::RebindToSigned<D> di;
  return hn::Mul(series, hn::BitCast(d, hn::ShiftLeft<52>(hn::BitCast(di, shifted))));
}

/// The same for all x <= 0: e^-708 (3e-308) for x < -708, and either NaN or 3e-308 for NaN.
template <class D, class V>
V expOfNonPositive(D d, V x) {
  constexpr double kLowest = -708.0;
  return expInRange(d, hn::Max(hn::Set(d, kLowest), x));
}

}  // namespace
}  // namespace dubito::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
