// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/philox.h"

#ifdef DUBITO_HAS_HIGHWAY

// This file is compiled once per instruction set; the best one is selected at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/cpu/philox_blocks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dubito::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

// No pairs of 32-bit lanes here: use philox4x32.
std::int64_t wholeVectors(const std::uint32_t*, std::uint32_t, const std::uint32_t*, std::int64_t,
                          std::uint32_t*) {
  return 0;
}

#else

// Words are in 64-bit lanes whose upper halves are undefined: MulEven reads only the lower ones.
std::int64_t wholeVectors(const std::uint32_t* key, std::uint32_t first_block,
                          const std::uint32_t* tail, std::int64_t blocks, std::uint32_t* words) {
  const hn::ScalableTag<std::uint64_t> d64;
  const hn::Repartition<std::uint32_t, decltype(d64)> d32;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d64));
  const auto multiplier0 = hn::BitCast(d32, hn::Set(d64, 0xD2511F53U));
  const auto multiplier1 = hn::BitCast(d32, hn::Set(d64, 0xCD9E8D57U));
  const auto low_half = hn::Set(d64, 0xFFFFFFFFU);
  std::int64_t done = 0;
  for (; done + lanes <= blocks; done += lanes) {
    auto c0 = hn::Iota(d64, std::uint64_t{first_block} + static_cast<std::uint64_t>(done));
    auto c1 = hn::Set(d64, std::uint64_t{tail[0]});
    auto c2 = hn::Set(d64, std::uint64_t{tail[1]});
    auto c3 = hn::Set(d64, std::uint64_t{tail[2]});
    std::uint32_t key0 = key[0];
    std::uint32_t key1 = key[1];
    for (int round = 0; round < 10; ++round) {
      const auto product0 = hn::MulEven(hn::BitCast(d32, c0), multiplier0);
      const auto product1 = hn::MulEven(hn::BitCast(d32, c2), multiplier1);
      c0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(product1), c1), hn::Set(d64, std::uint64_t{key0}));
      c2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(product0), c3), hn::Set(d64, std::uint64_t{key1}));
      c1 = product1;
      c3 = product0;
      key0 += 0x9E3779B9U;
      key1 += 0xBB67AE85U;
    }
    const auto words01 = hn::Or(hn::And(c0, low_half), hn::ShiftLeft<32>(c1));
    const auto words23 = hn::Or(hn::And(c2, low_half), hn::ShiftLeft<32>(c3));
    hn::StoreInterleaved2(words01, words23, d64,
                          reinterpret_cast<std::uint64_t*>(words + 4 * done));
  }
  return done;
}

#endif

}  // namespace
}  // namespace dubito::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // DUBITO_HAS_HIGHWAY

#if !defined(DUBITO_HAS_HIGHWAY) || HWY_ONCE

namespace dubito {

#ifdef DUBITO_HAS_HIGHWAY
HWY_EXPORT(wholeVectors);
#endif

void philoxBlocks(std::array<std::uint32_t, 2> key, std::uint32_t first_block,
                  std::array<std::uint32_t, 3> tail, std::int64_t blocks, std::uint32_t* words) {
  std::int64_t done = 0;
#ifdef DUBITO_HAS_HIGHWAY
  done = HWY_DYNAMIC_DISPATCH(wholeVectors)(key.data(), first_block, tail.data(), blocks, words);
#endif
  for (; done < blocks; ++done) {
    const auto block = philox4x32(
        {first_block + static_cast<std::uint32_t>(done), tail[0], tail[1], tail[2]}, key);
    for (std::size_t lane = 0; lane < 4; ++lane) {
      words[4 * static_cast<std::size_t>(done) + lane] = block[lane];
    }
  }
}

}  // namespace dubito

#endif
