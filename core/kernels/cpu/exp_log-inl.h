// SPDX-License-Identifier: GPL-3.0-or-later
// Included once per instruction set, by files that use Highway's foreach_target.
#if defined(DUBITO_CORE_KERNELS_CPU_EXP_LOG_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DUBITO_CORE_KERNELS_CPU_EXP_LOG_INL_H
#undef DUBITO_CORE_KERNELS_CPU_EXP_LOG_INL_H
#else
#define DUBITO_CORE_KERNELS_CPU_EXP_LOG_INL_H
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace dubito::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// c[0] + x (c[1] + x (c[2] + ...)).
template <class D, std::size_t n, class V>
V polynomial(D d, const float (&c)[n], V x) {
  V sum = hn::Set(d, c[n - 1]);
  for (std::size_t i = n - 1; i-- > 0;) {
    sum = hn::MulAdd(sum, x, hn::Set(d, c[i]));
  }
  return sum;
}

/// ln u for u > 0 that is not subnormal, with relative error 1e-7.
template <class D, class V>
V logOfNormal(D d, V u) {
  const hn::RebindToSigned<D> di;
  // Splits u into an exponent and a mantissa in [sqrt(1/2), sqrt(2)), so that the series is exact
  // at u = 1.
  const auto bits = hn::BitCast(di, u);
  const auto exponent = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(di, 0x3F3504F3)));
  const V mantissa = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(exponent)));
  const V t = hn::Sub(mantissa, hn::Set(d, 1.0F));
  // (ln(1 + t) - t) / t^2, interpolated at the Chebyshev nodes of that range.
  constexpr float kSeries[] = {-0.499999948F, 0.333336598F, -0.250016096F, 0.199731059F,
                               -0.165750481F, 0.148064596F, -0.14257795F,  0.0900420212F};
  const V tail = hn::Mul(hn::Mul(t, t), polynomial(d, kSeries, t));
  return hn::MulAdd(hn::ConvertTo(d, exponent), hn::Set(d, 0.69314718F), hn::Add(t, tail));
}

/// e^x for x <= 0, with relative error 2e-7. Gives e^-87 (1.6e-38) for x < -87, exactly 1 for 0,
/// and NaN for NaN.
template <class D, class V>
V fastExpOfNonPositive(D d, V x) {
  const V from = hn::Max(hn::Set(d, -87.0F), x);
  // Adding this constant leaves the nearest integer in the low bits of the sum.
  const V rounder = hn::Set(d, 0x1.8p23F);
  const V shifted = hn::MulAdd(from, hn::Set(d, 1.44269504F), rounder);
  const V whole = hn::Sub(shifted, rounder);
  V r = hn::NegMulAdd(whole, hn::Set(d, 0.693147182F), from);
  r = hn::NegMulAdd(whole, hn::Set(d, -1.90465421e-9F), r);
  // (e^r - 1 - r) / r^2, interpolated at the Chebyshev nodes of |r| <= log(2) / 2.
  constexpr float kSeries[] = {1.0F,          1.0F,           0.5F,          0.16666577F,
                               0.0416664649F, 0.00836318012F, 0.00139336504F};
  const V series = polynomial(d, kSeries, r);
  const hn::RebindToSigned<D> di;
  return hn::BitCast(d,
                     hn::Add(hn::BitCast(di, series), hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
}

}  // namespace
}  // namespace dubito::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
