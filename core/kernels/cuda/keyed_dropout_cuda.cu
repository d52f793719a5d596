// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda/keyed_dropout_cuda.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/kernels/cuda/keyed_dropout_draws_cuda.h"

namespace dubito {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMaxBlocks = 1 << 14;
constexpr int kQuadsPerThread = 4;
// Elements that a block of dropRanges processes at a time.
constexpr int kRange = 4 * kQuadsPerThread * kThreads;

// Each thread draws one Philox block for each of its four elements: 16 bytes, which no other item
// shares.
template <class Index>
__global__ void __launch_bounds__(kThreads) dropQuads(KeyedDropoutBatch batch) {
  const auto quads_per_item = static_cast<Index>(batch.decisions / 4);
  const Index total = static_cast<Index>(batch.items) * quads_per_item;
  const Dropper dropper(batch);
  const Index step = static_cast<Index>(gridDim.x) * kThreads;
  const Index lane = threadIdx.x % kWarp;
  Index quad = static_cast<Index>(blockIdx.x) * kThreads + threadIdx.x;
  // Divided once: later steps add.
  Index item = quad / quads_per_item;
  Index of_item = quad - item * quads_per_item;
  const Index items_per_step = step / quads_per_item;
  const Index quads_per_step = step - items_per_step * quads_per_item;
  // Whole warps, which share the work on the hashes.
  for (; quad - lane < total; quad += step) {
    const bool is_there = quad < total;
    std::uint32_t kept = 0;
    if (is_there) {
      float4 values = reinterpret_cast<const float4*>(batch.x)[quad];
      const FourDecisions four = draw<true>(batch, item, of_item);
      kept = four.kept;
      values.x = dropper.apply(values.x, four.factors[0]);
      values.y = dropper.apply(values.y, four.factors[1]);
      values.z = dropper.apply(values.z, four.factors[2]);
      values.w = dropper.apply(values.w, four.factors[3]);
      reinterpret_cast<float4*>(batch.y)[quad] = values;
    }
    if (batch.mask_hashes != nullptr) {
      addToHashes(batch, is_there ? item : static_cast<Index>(batch.items - 1), of_item, kept);
    }
    item += items_per_step;
    of_item += quads_per_step;
    if (of_item >= quads_per_item) {
      of_item -= quads_per_item;
      ++item;
    }
  }
}

/// The groups, numbered through all items, that elements [begin, begin + count) belong to. The
/// first group begins `offset` elements before them.
template <class Index>
struct GroupRange {
  Index first;
  Index last;
  Index offset;
  Index size;             ///< elements per group
  std::uint32_t inverse;  ///< see inverseOf; 0: at most two groups, or one for each element

  __device__ GroupRange(Index begin, int count, Index group_size, std::uint32_t inverse_of_size)
      : first(begin / group_size),
        last((begin + static_cast<Index>(count - 1)) / group_size),
        offset(begin - first * group_size),
        size(group_size),
        inverse(inverse_of_size) {}

  /// The group of element begin + t, counted from `first`.
  __device__ int groupOf(int t) const {
    if (inverse != 0) {
      return static_cast<int>(
          __umulhi(static_cast<std::uint32_t>(offset) + static_cast<std::uint32_t>(t), inverse));
    }
    return size == 1 ? t : (offset + static_cast<Index>(t) >= size ? 1 : 0);
  }
};

/// Such that n / group_size = n inverse / 2^32, rounded down, for all n < 2 kRange: the error
/// n / 2^32 is below 1 / group_size.
std::uint32_t inverseOf(std::int64_t group_size) {
  return group_size == 1 || group_size > kRange
             ? 0
             : static_cast<std::uint32_t>((std::uint64_t{1} << 32) /
                                          static_cast<std::uint64_t>(group_size)) +
                   1U;
}

/// Draws the decisions of a range's groups and writes their factors; bits of groups that begin in
/// the range count for the hash. The work of a block.
template <class Index>
__device__ void drawRange(const KeyedDropoutBatch& batch, const GroupRange<Index>& range,
                          float* factors) {
  const auto decisions = static_cast<Index>(batch.decisions);
  const Index blocks_per_item = (decisions + 3) / 4;
  const auto blockOf = [&](Index group) {
    const Index item = group / decisions;
    return item * blocks_per_item + (group - item * decisions) / 4;
  };
  const Index end = blockOf(range.last) + 1;
  const Index lane = threadIdx.x % kWarp;
  for (Index number = blockOf(range.first) + threadIdx.x; number - lane < end; number += kThreads) {
    const Index own = number < end ? number : end - 1;
    const Index item = own / blocks_per_item;
    const Index block = own - item * blocks_per_item;
    std::uint32_t counted = 0;
    if (number < end) {
      const FourDecisions four = draw<false>(batch, item, block);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const Index decision = 4 * block + static_cast<Index>(j);
        const Index group = item * decisions + decision;
        if (decision < decisions && group >= range.first && group <= range.last) {
          factors[group - range.first] = four.factors[j];
          const bool begins_here = group > range.first || range.offset == 0;
          counted |= begins_here ? four.kept & (1U << j) : 0U;
        }
      }
    }
    if (batch.mask_hashes != nullptr) {
      addToHashes(batch, item, block, counted);
    }
  }
}

// A block processes one range of elements after another: first it draws what applies to them.
template <class Index>
__global__ void __launch_bounds__(kThreads)
    dropRanges(KeyedDropoutBatch batch, std::uint32_t inverse, bool has_quads) {
  extern __shared__ float factors[];
  const auto group_size = static_cast<Index>(batch.group_size);
  const Index total = static_cast<Index>(batch.items * batch.decisions) * group_size;
  const Dropper dropper(batch);
  for (Index begin = static_cast<Index>(blockIdx.x) * kRange; begin < total;
       begin += static_cast<Index>(gridDim.x) * kRange) {
    const int count = static_cast<int>(min(static_cast<Index>(kRange), total - begin));
    const GroupRange<Index> range(begin, count, group_size, inverse);
    const float* const x = batch.x + begin;
    float* const y = batch.y + begin;
    const int quads = has_quads ? count / 4 : 0;
    // On their way while the decisions are drawn.
    float4 values[kQuadsPerThread];
#pragma unroll
    for (int i = 0; i < kQuadsPerThread; ++i) {
      const int quad = i * kThreads + static_cast<int>(threadIdx.x);
      if (quad < quads) {
        values[i] = reinterpret_cast<const float4*>(x)[quad];
      }
    }
    drawRange(batch, range, factors);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kQuadsPerThread; ++i) {
      const int quad = i * kThreads + static_cast<int>(threadIdx.x);
      if (quad < quads) {
        float4 value = values[i];
        value.x = dropper.apply(value.x, factors[range.groupOf(4 * quad)]);
        value.y = dropper.apply(value.y, factors[range.groupOf(4 * quad + 1)]);
        value.z = dropper.apply(value.z, factors[range.groupOf(4 * quad + 2)]);
        value.w = dropper.apply(value.w, factors[range.groupOf(4 * quad + 3)]);
        reinterpret_cast<float4*>(y)[quad] = value;
      }
    }
    for (int t = 4 * quads + static_cast<int>(threadIdx.x); t < count; t += kThreads) {
      y[t] = dropper.apply(x[t], factors[range.groupOf(t)]);
    }
    __syncthreads();
  }
}

unsigned blocksOf(std::int64_t work, std::int64_t per_block) {
  return static_cast<unsigned>(std::min(kMaxBlocks, (work + per_block - 1) / per_block));
}

bool isAligned(const KeyedDropoutBatch& batch) {
  return (reinterpret_cast<std::uintptr_t>(batch.x) | reinterpret_cast<std::uintptr_t>(batch.y)) %
             sizeof(float4) ==
         0;
}

template <class Index>
cudaError_t launch(const KeyedDropoutBatch& batch, cudaStream_t stream) {
  const std::int64_t elements = batch.items * batch.decisions * batch.group_size;
  if (elements == 0) {
    return cudaSuccess;
  }
  if (batch.group_size == 1 && batch.decisions % 4 == 0 && isAligned(batch)) {
    dropQuads<Index><<<blocksOf(elements / 4, kThreads), kThreads, 0, stream>>>(batch);
  } else {
    const std::int64_t groups = std::min<std::int64_t>(kRange, kRange / batch.group_size + 2);
    const auto bytes = static_cast<std::size_t>(groups) * sizeof(float);
    dropRanges<Index><<<blocksOf(elements, kRange), kThreads, bytes, stream>>>(
        batch, inverseOf(batch.group_size), isAligned(batch));
  }
  return cudaGetLastError();
}

}  // namespace

cudaError_t launchKeyedDropout(const KeyedDropoutBatch& batch, cudaStream_t stream) {
  const std::int64_t elements = batch.items * batch.decisions * batch.group_size;
  return elements < std::int64_t{1} << 31 ? launch<std::uint32_t>(batch, stream)
                                          : launch<std::uint64_t>(batch, stream);
}

cudaError_t launchLargeKeyedDropout(const KeyedDropoutBatch& batch, cudaStream_t stream) {
  return launch<std::uint64_t>(batch, stream);
}

}  // namespace dubito
