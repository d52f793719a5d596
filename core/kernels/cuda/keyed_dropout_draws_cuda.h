// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/kernels/cuda/philox_cuda.h"
#include "core/kernels/cuda/team_cuda.h"
#include "core/kernels/keyed_dropout.h"
#include "core/kernels/mask_key.h"

namespace dubito {

/// The decisions 4 block .. 4 block + 3 of an item.
struct FourDecisions {
  float factors[4];    ///< what an element is multiplied by; 0 if it is dropped
  std::uint32_t kept;  ///< bit j: decision 4 block + j keeps
};

/// Whether the four units of a block lie together where 16 bytes can be read at once. Such a block
/// is whole: its item has a multiple of four decisions.
__device__ inline bool hasUnitQuads(const KeyedDropoutBatch& batch) {
  return batch.units > 0 && batch.units % 4 == 0 &&
         (reinterpret_cast<std::uintptr_t>(batch.thresholds) |
          reinterpret_cast<std::uintptr_t>(batch.scales)) %
                 sizeof(float4) ==
             0;
}

/// `Index`: an unsigned type that holds the number of all elements.
/// `kUnitQuads`: the rates of four units may be read together, which takes more registers.
template <bool kUnitQuads, class Index>
__device__ FourDecisions draw(const KeyedDropoutBatch& batch, Index item, Index block) {
  const MaskCounter counter =
      maskCounter(static_cast<std::uint32_t>(block), batch.draws[item], batch.item_ids[item]);
  const uint4 words =
      philox(make_uint4(counter.block, counter.draw, counter.item_low, counter.item_high),
             make_uint2(batch.key_low, batch.key_high));
  const std::uint32_t of_lanes[4] = {words.x, words.y, words.z, words.w};
  FourDecisions four{};
  const auto units = static_cast<Index>(batch.units);
  Index unit = 4 * block;
  if (units > 0 && batch.units != batch.decisions) {
    unit %= units;
  }
  const auto decide = [&](int j, std::uint32_t threshold, float scale) {
    const bool is_kept = isKept(of_lanes[j], threshold);
    four.factors[j] = is_kept ? scale : 0.0F;
    four.kept |= is_kept ? 1U << j : 0U;
  };
  if (kUnitQuads && hasUnitQuads(batch)) {
    const auto* const thresholds = reinterpret_cast<const uint4*>(batch.thresholds + unit);
    const auto* const scales = reinterpret_cast<const float4*>(batch.scales + unit);
    decide(0, thresholds->x, scales->x);
    decide(1, thresholds->y, scales->y);
    decide(2, thresholds->z, scales->z);
    decide(3, thresholds->w, scales->w);
    return four;
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    if (units > 0) {
      // Past the last decision of the item, there may be none.
      unit = unit >= units ? 0 : unit;
      decide(j, batch.thresholds[unit], batch.scales[unit]);
      ++unit;
    } else {
      decide(j, batch.threshold, batch.scale);
    }
  }
  return four;
}

/// Adds the bits `kept` of a block of each lane to the hashes of the lanes' items, which ascend.
/// All threads of the warp take part.
template <class Index>
__device__ void addToHashes(const KeyedDropoutBatch& batch, Index item, Index block,
                            std::uint32_t kept) {
  const std::uint64_t weight = maskHashWeight(static_cast<std::uint64_t>(block / 8));
  unsigned long long term = weight * (static_cast<std::uint64_t>(kept) << (4 * (block % 8)));
  auto* const hashes = reinterpret_cast<unsigned long long*>(batch.mask_hashes);
  // Integers add up to the same in any order, but one address takes them one after the other.
  if (__shfl_sync(kWholeWarp, item, 0) == __shfl_sync(kWholeWarp, item, kWarp - 1)) {
    term = teamSum(term, kWarp);
    kept = threadIdx.x % kWarp == 0 ? 1 : 0;
  }
  if (kept != 0) {
    atomicAdd(hashes + item, term);
  }
}

/// Same as applyChunk and applyChunkWithOffsets in core/kernels/cpu: multiply, then add, never
/// fused, and no offset of 0, which would turn -0 into 0.
class Dropper {
 public:
  __device__ explicit Dropper(const KeyedDropoutBatch& batch)
      : has_offsets_(batch.units == 0 &&
                     (batch.kept_offset != 0.0F || batch.dropped_offset != 0.0F)),
        kept_offset_(batch.kept_offset),
        dropped_offset_(batch.dropped_offset) {}

  __device__ float apply(float x, float factor) const {
    const float scaled = __fmul_rn(x, factor);
    return has_offsets_ ? __fadd_rn(scaled, factor != 0.0F ? kept_offset_ : dropped_offset_)
                        : scaled;
  }

 private:
  bool has_offsets_;
  float kept_offset_;
  float dropped_offset_;
};

}  // namespace dubito
