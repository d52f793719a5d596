// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace dubito {

// Returns the same words as philox4x32 in core/kernels/philox.cpp.
__device__ inline uint4 philox(uint4 counter, uint2 key) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const std::uint32_t high0 = __umulhi(0xD2511F53U, counter.x);
    const std::uint32_t low0 = 0xD2511F53U * counter.x;
    const std::uint32_t high1 = __umulhi(0xCD9E8D57U, counter.z);
    const std::uint32_t low1 = 0xCD9E8D57U * counter.z;
    counter = make_uint4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
    key.x += 0x9E3779B9U;
    key.y += 0xBB67AE85U;
  }
  return counter;
}

}  // namespace dubito
