// SPDX-License-Identifier: GPL-3.0-or-later
// Included once per instruction set, by files that use Highway's foreach_target.
#if defined(DUBITO_CORE_KERNELS_CPU_NORMALS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DUBITO_CORE_KERNELS_CPU_NORMALS_INL_H
#undef DUBITO_CORE_KERNELS_CPU_NORMALS_INL_H
#else
#define DUBITO_CORE_KERNELS_CPU_NORMALS_INL_H
#endif

#include <hwy/highway.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/kernels/cpu/exp_log-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dubito::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

/// Computes one Philox block per lane of a vector of floats, with the counter (group, first_pair +
/// lane, id low, id high). words[j] receives word j of all blocks.
template <class DU, class VU = hn::Vec<DU>>
void philoxOfPairs(DU du, std::array<std::uint32_t, 2> key, std::uint32_t group,
                   std::uint32_t first_pair, std::uint64_t id, VU (&words)[4]) {
  const hn::Repartition<std::uint64_t, DU> d64;
  using V64 = hn::Vec<decltype(d64)>;
  constexpr std::uint32_t kMultiplier0 = 0xD2511F53U;
  constexpr std::uint32_t kMultiplier1 = 0xCD9E8D57U;
  const auto multiplier0 = hn::BitCast(du, hn::Set(d64, std::uint64_t{kMultiplier0}));
  const auto multiplier1 = hn::BitCast(du, hn::Set(d64, std::uint64_t{kMultiplier1}));
  const auto low_half = hn::Set(d64, 0xFFFFFFFFULL);
  // In the first round, only the pair differs between lanes.
  const std::uint64_t first0 = std::uint64_t{kMultiplier0} * group;
  const std::uint64_t first1 = std::uint64_t{kMultiplier1} * static_cast<std::uint32_t>(id);
  const V64 first_c0 = hn::Set(d64, (first1 >> 32) ^ key[0]);
  const V64 first_c2 = hn::Set(d64, (first0 >> 32) ^ (id >> 32) ^ key[1]);
  // Each word is in a 64-bit lane whose upper half is undefined: MulEven reads only the lower half.
  V64 c[2][4];
  for (std::uint32_t odd = 0; odd < 2; ++odd) {
    const auto lane = hn::Iota(d64, std::uint64_t{0});
    const V64 pair = hn::Add(hn::Add(lane, lane), hn::Set(d64, std::uint64_t{first_pair} + odd));
    c[odd][0] = hn::Xor(first_c0, pair);
    c[odd][1] = hn::Set(d64, first1);
    c[odd][2] = first_c2;
    c[odd][3] = hn::Set(d64, first0);
  }
  for (int round = 1; round < 10; ++round) {
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
    const V64 key0 = hn::Set(d64, std::uint64_t{key[0]});
    const V64 key1 = hn::Set(d64, std::uint64_t{key[1]});
    for (auto& half : c) {
      const V64 product0 = hn::MulEven(hn::BitCast(du, half[0]), multiplier0);
      const V64 product1 = hn::MulEven(hn::BitCast(du, half[2]), multiplier1);
      half[0] = hn::Xor3(hn::ShiftRight<32>(product1), half[1], key0);
      half[2] = hn::Xor3(hn::ShiftRight<32>(product0), half[3], key1);
      half[1] = product1;
      half[3] = product0;
    }
  }
  for (std::size_t j = 0; j < 4; ++j) {
    words[j] = hn::BitCast(du, hn::Or(hn::And(c[0][j], low_half), hn::ShiftLeft<32>(c[1][j])));
  }
}

/// The uniform number (floor(word / 2^9) + 1/2) 2^-23 for each word, computed exactly.
template <class D, class VU>
hn::Vec<D> uniformOfWords(D d, VU words) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::Or(hn::ShiftRight<9>(words), hn::Set(du, 0x3F800000U));
  return hn::Sub(hn::BitCast(d, bits), hn::Set(d, 0x1.FFFFFEp-1F));
}

/// Converts two vectors of random words to two vectors of independent standard normals, by the
/// Box-Muller transform.
template <class D, class VU, class V = hn::Vec<D>>
void normalsOfWords(D d, VU for_radius, VU for_angle, V& with_cosine, V& with_sine) {
  const V radius =
      hn::Sqrt(hn::Mul(hn::Set(d, -2.0F), logOfNormal(d, uniformOfWords(d, for_radius))));
  // Splits the angle into whole quarter turns and a remainder in [-1/2, 1/2].
  const V quarters = hn::Mul(hn::Set(d, 4.0F), uniformOfWords(d, for_angle));
  const V rounder = hn::Set(d, 0x1.8p23F);
  const V shifted = hn::Add(quarters, rounder);
  const V r = hn::Sub(quarters, hn::Sub(shifted, rounder));
  const V square = hn::Mul(r, r);
  // sin(pi r / 2) / r and cos(pi r / 2), interpolated at the Chebyshev nodes of r^2 <= 1/4.
  constexpr float kSine[] = {1.57079632F, -0.645963478F, 0.0796802229F, -0.0046021631F};
  constexpr float kCosine[] = {1.0F, -1.23370055F, 0.25366941F, -0.020861529F, 0.000906741646F};
  const V sine = hn::Mul(r, polynomial(d, kSine, square));
  const V cosine = polynomial(d, kCosine, square);
  // An odd number of quarter turns swaps sine and cosine. The sign of the cosine flips for one or
  // two quarter turns, that of the sine for two or three.
  const hn::RebindToUnsigned<D> du;
  const auto quarter = hn::BitCast(du, shifted);
  const auto one = hn::Set(du, 1U);
  const auto two = hn::Set(du, 2U);
  const auto exchanged = hn::RebindMask(d, hn::Ne(hn::And(quarter, one), hn::Zero(du)));
  const auto sign_of_cosine = hn::ShiftLeft<30>(hn::And(hn::Add(quarter, one), two));
  const auto sign_of_sine = hn::ShiftLeft<30>(hn::And(quarter, two));
  const V unit_cosine =
      hn::Xor(hn::IfThenElse(exchanged, sine, cosine), hn::BitCast(d, sign_of_cosine));
  const V unit_sine =
      hn::Xor(hn::IfThenElse(exchanged, cosine, sine), hn::BitCast(d, sign_of_sine));
  with_cosine = hn::Mul(radius, unit_cosine);
  with_sine = hn::Mul(radius, unit_sine);
}

#endif

}  // namespace
}  // namespace dubito::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
