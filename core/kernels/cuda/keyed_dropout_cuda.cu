// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdint>

#include "core/kernels/cuda/keyed_dropout_cuda.h"
#include "core/kernels/cuda/philox_cuda.h"

namespace dubito {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMaxBlocks = 1 << 16;

__device__ uint4 blockOf(const KeyedDropoutBatch& batch, std::int64_t item, std::int64_t block) {
  const auto id = static_cast<std::uint64_t>(batch.item_ids[item]);
  const uint4 counter =
      make_uint4(static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(batch.draws[item]),
                 static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(id >> 32));
  return philox(counter, make_uint2(batch.key_low, batch.key_high));
}

__device__ std::uint32_t thresholdOf(const KeyedDropoutBatch& batch, std::int64_t decision) {
  return batch.units > 0 ? batch.thresholds[decision % batch.units] : batch.threshold;
}

__device__ float scaleOf(const KeyedDropoutBatch& batch, std::int64_t decision) {
  return batch.units > 0 ? batch.scales[decision % batch.units] : batch.scale;
}

// Four decisions: bit `lane` is set if decision 4 block + lane keeps. Bits past the item's last
// decision are cleared.
__device__ std::uint32_t keptLanes(const KeyedDropoutBatch& batch, uint4 words,
                                   std::int64_t block) {
  const std::int64_t first = 4 * block;
  std::uint32_t kept = static_cast<std::uint32_t>(words.x >= thresholdOf(batch, first)) |
                       static_cast<std::uint32_t>(words.y >= thresholdOf(batch, first + 1)) << 1 |
                       static_cast<std::uint32_t>(words.z >= thresholdOf(batch, first + 2)) << 2 |
                       static_cast<std::uint32_t>(words.w >= thresholdOf(batch, first + 3)) << 3;
  const std::int64_t left = batch.decisions - 4 * block;
  if (left < 4) {
    kept &= (1U << left) - 1U;
  }
  return kept;
}

__device__ void addToHash(const KeyedDropoutBatch& batch, std::int64_t item, std::int64_t block,
                          std::uint32_t kept) {
  if (kept == 0) {
    return;
  }
  const std::uint64_t term = maskHashWeight(static_cast<std::uint64_t>(block / 8)) *
                             (static_cast<std::uint64_t>(kept) << (4 * (block % 8)));
  atomicAdd(reinterpret_cast<unsigned long long*>(batch.mask_hashes + item),
            static_cast<unsigned long long>(term));
}

// Same as applyChunk and applyChunkWithOffsets in core/kernels/cpu: multiply, then add, never
// fused.
__device__ float apply(const KeyedDropoutBatch& batch, float x, bool kept, std::int64_t decision) {
  const float scaled = __fmul_rn(x, kept ? scaleOf(batch, decision) : 0.0F);
  if (batch.units > 0 || (batch.kept_offset == 0.0F && batch.dropped_offset == 0.0F)) {
    return scaled;
  }
  return __fadd_rn(scaled, kept ? batch.kept_offset : batch.dropped_offset);
}

// Each thread draws one Philox block and multiplies its (at most four) elements.
__global__ void dropElements(KeyedDropoutBatch batch, std::int64_t blocks_per_item) {
  const std::int64_t total = batch.items * blocks_per_item;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < total;
       i += stride) {
    const std::int64_t item = i / blocks_per_item;
    const std::int64_t block = i - item * blocks_per_item;
    const std::uint32_t kept = keptLanes(batch, blockOf(batch, item, block), block);
    const std::int64_t first = item * batch.decisions + 4 * block;
    const std::int64_t lanes = min(std::int64_t{4}, batch.decisions - 4 * block);
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      batch.y[first + lane] =
          apply(batch, batch.x[first + lane], (kept >> lane & 1U) != 0, 4 * block + lane);
    }
    if (batch.mask_hashes != nullptr) {
      addToHash(batch, item, block, kept);
    }
  }
}

// Each thread multiplies one element; the threads of a group draw the same block again, which is
// cheaper than sharing it. The first thread of a block's first group adds to the hash.
__global__ void dropGroups(KeyedDropoutBatch batch) {
  const std::int64_t per_item = batch.decisions * batch.group_size;
  const std::int64_t total = batch.items * per_item;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < total;
       i += stride) {
    const std::int64_t item = i / per_item;
    const std::int64_t element = i - item * per_item;
    const std::int64_t decision = element / batch.group_size;
    const std::int64_t block = decision / 4;
    const std::uint32_t kept = keptLanes(batch, blockOf(batch, item, block), block);
    batch.y[i] = apply(batch, batch.x[i], (kept >> (decision % 4) & 1U) != 0, decision);
    if (batch.mask_hashes != nullptr && element == 4 * block * batch.group_size) {
      addToHash(batch, item, block, kept);
    }
  }
}

}  // namespace

cudaError_t launchKeyedDropout(const KeyedDropoutBatch& batch, cudaStream_t stream) {
  const std::int64_t blocks_per_item = (batch.decisions + 3) / 4;
  const std::int64_t work =
      batch.items * (batch.group_size == 1 ? blocks_per_item : batch.decisions * batch.group_size);
  if (work == 0) {
    return cudaSuccess;
  }
  const auto grid = static_cast<unsigned>(std::min(kMaxBlocks, (work + kThreads - 1) / kThreads));
  if (batch.group_size == 1) {
    dropElements<<<grid, kThreads, 0, stream>>>(batch, blocks_per_item);
  } else {
    dropGroups<<<grid, kThreads, 0, stream>>>(batch);
  }
  return cudaGetLastError();
}

}  // namespace dubito
