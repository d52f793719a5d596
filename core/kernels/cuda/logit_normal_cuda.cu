// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda/logit_normal_cuda.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/kernels/cuda/logit_normal_draw_cuda.h"
#include "core/kernels/cuda/logit_normal_scratch_cuda.h"

namespace dubito {
namespace {

constexpr int kThreads = 128;
constexpr int kWarps = kThreads / kWarp;
// Blocks that shall fit on a multiprocessor: 168 registers for a thread, or 255.
constexpr int blocksThatFit(int groups) {
  return groups < 8 ? 3 : 2;
}
constexpr int kMaxThreadGroups = 8;
constexpr std::int64_t kMaxRegisterGroups = std::int64_t{kWarp} * kMaxThreadGroups;
// Sums of so many pairs in float32 keep their digits.
constexpr std::int64_t kRoundsPerFlush = 32;
// Pairs that a thread should have, before a block gets more of them.
constexpr std::int64_t kPairsPerThread = 8;
constexpr std::int64_t kSharedDoubles = 5 * 1024;  // 40 of the 48 KB that every device has
constexpr std::int64_t kMaxBlocks = 1 << 16;
constexpr std::int64_t kMaxBlocksWithGlobalScratch = 512;

/// One thread's share of a team's work on an item, in registers: the classes of every lanes-th
/// group of four, from group `lane` on.
template <int kGroups>
struct TeamWork {
  static constexpr int kClasses = 4 * kGroups;

  const LogitNormalBatch& batch;
  /// [kGroups * lanes] of the item, in shared memory; classes that do not exist have the mean minus
  /// infinity and the deviation 0.
  const float4* means;
  const float4* deviations;
  std::int64_t item;
  std::uint64_t id;
  int lane;
  int lane_bits;
  float sums[kClasses];  ///< over the draws since the last flush

  __device__ int groupOf(int g) const { return (g << lane_bits) + lane; }

  /// Adds or subtracts what moves group g.
  __device__ void setLogits(int g, const float (&moved)[4], float (&plain_logits)[kClasses],
                            float (&mirrored_logits)[kClasses], Draw& plain, Draw& mirrored) const {
    const float4 mean = means[groupOf(g)];
    const float of_group[4] = {mean.x, mean.y, mean.z, mean.w};
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      plain_logits[4 * g + j] = of_group[j] + moved[j];
      mirrored_logits[4 * g + j] = of_group[j] - moved[j];
      plain.updateTop(plain_logits[4 * g + j]);
      mirrored.updateTop(mirrored_logits[4 * g + j]);
    }
  }

  /// The noise of the pair times the factor; each thread draws every lanes-th group of the noise.
  __device__ void multiplyNoise(std::uint32_t pair, float (&moved)[kClasses]) const {
#pragma unroll
    for (int c = 0; c < kClasses; ++c) {
      moved[c] = 0.0F;
    }
    const int classes = static_cast<int>(batch.classes);
    const int lanes = 1 << lane_bits;
    const int first_lane = static_cast<int>(threadIdx.x) % kWarp - lane;
    const std::int64_t rows = batch.factor_per_item ? item * batch.noise : 0;
    for (std::int64_t first = 0; first < batch.noise; first += 4 * lanes) {
      float noise[4];
      drawNoise(batch, id, pair, first / 4 + lane, noise);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const std::int64_t r = first + 4 * lane + j;
        noise[j] = r < batch.noise ? noise[j] * batch.stretch[item * batch.noise + r] : 0.0F;
      }
      for (int source = 0; source < lanes; ++source) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          const std::int64_t r = first + 4 * source + j;
          const float element = __shfl_sync(kWholeWarp, noise[j], first_lane + source);
          if (r < batch.noise) {
            const float* const row = batch.factor + (rows + r) * classes;
#pragma unroll
            for (int c = 0; c < kClasses; ++c) {
              const int k = 4 * groupOf(c / 4) + c % 4;
              moved[c] = fmaf(k < classes ? row[k] : 0.0F, element, moved[c]);
            }
          }
        }
      }
    }
  }

  /// Adds both draws of the pair to the sums and returns their entropies, the same in every thread.
  /// A pair or mirror image beyond the last draw is ignored.
  __device__ double addPair(std::int64_t pair) {
    Draw plain;
    Draw mirrored;
    float plain_powers[kClasses];
    float mirrored_powers[kClasses];
    if (batch.factor == nullptr) {
#pragma unroll
      for (int g = 0; g < kGroups; ++g) {
        float moved[4];
        drawNoise(batch, id, static_cast<std::uint32_t>(pair), groupOf(g), moved);
        const float4 deviation = deviations[groupOf(g)];
        moved[0] *= deviation.x;
        moved[1] *= deviation.y;
        moved[2] *= deviation.z;
        moved[3] *= deviation.w;
        setLogits(g, moved, plain_powers, mirrored_powers, plain, mirrored);
      }
    } else {
      float moved[kClasses];
      multiplyNoise(static_cast<std::uint32_t>(pair), moved);
#pragma unroll
      for (int g = 0; g < kGroups; ++g) {
        const float of_group[4] = {moved[4 * g], moved[4 * g + 1], moved[4 * g + 2],
                                   moved[4 * g + 3]};
        setLogits(g, of_group, plain_powers, mirrored_powers, plain, mirrored);
      }
    }
    const int lanes = 1 << lane_bits;
    plain.reduceTop(lanes);
    mirrored.reduceTop(lanes);
#pragma unroll
    for (int c = 0; c < kClasses; ++c) {
      plain_powers[c] = plain.exponential(plain_powers[c]);
      mirrored_powers[c] = mirrored.exponential(mirrored_powers[c]);
    }
    plain.reduceSums(lanes);
    mirrored.reduceSums(lanes);
    const bool has_plain = 2 * pair < batch.samples;
    const bool has_mirrored = 2 * pair + 1 < batch.samples;
    const float scale = has_plain ? 1.0F / (1.0F + plain.others()) : 0.0F;
    const float mirrored_scale = has_mirrored ? 1.0F / (1.0F + mirrored.others()) : 0.0F;
#pragma unroll
    for (int c = 0; c < kClasses; ++c) {
      sums[c] = fmaf(plain_powers[c], scale, sums[c]);
      sums[c] = fmaf(mirrored_powers[c], mirrored_scale, sums[c]);
    }
    double entropy = 0.0;
    if (has_plain) {
      entropy += log1pf(plain.others()) + plain.weighted * scale;
    }
    if (has_mirrored) {
      entropy += log1pf(mirrored.others()) + mirrored.weighted * mirrored_scale;
    }
    return entropy;
  }
};

/// Sum of the values of all teams of the warp, in every one of them.
template <class T>
__device__ T sumOfTeams(T value, int lane_bits) {
  for (int distance = 1 << lane_bits; distance < kWarp; distance *= 2) {
    value += __shfl_xor_sync(kWholeWarp, value, distance);
  }
  return value;
}

/// Adds the sums of all teams of the block to probs, or sets it, and clears them.
template <int kGroups>
__device__ void flush(TeamWork<kGroups>& work, bool is_first) {
  __shared__ float4 of_warps[kWarps][kWarp];
  const int thread = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  const int lanes = 1 << work.lane_bits;
  double* const probs = work.batch.probs + work.item * work.batch.classes;
#pragma unroll
  for (int g = 0; g < kGroups; ++g) {
    float4 sums{sumOfTeams(work.sums[4 * g], work.lane_bits),
                sumOfTeams(work.sums[4 * g + 1], work.lane_bits),
                sumOfTeams(work.sums[4 * g + 2], work.lane_bits),
                sumOfTeams(work.sums[4 * g + 3], work.lane_bits)};
    if (thread % kWarp < lanes) {
      of_warps[thread / kWarp][thread % kWarp] = sums;
    }
    __syncthreads();
    // The same thread has the same class every time.
#pragma unroll 1
    for (int i = thread; i < 4 * lanes; i += threads) {
      const int k = 4 * (g << work.lane_bits) + i;
      if (k < work.batch.classes) {
        double sum = is_first ? 0.0 : probs[k];
#pragma unroll 1
        for (int warp = 0; warp < threads / kWarp; ++warp) {
          sum += reinterpret_cast<const float*>(of_warps[warp])[i];
        }
        probs[k] = sum;
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int c = 0; c < TeamWork<kGroups>::kClasses; ++c) {
    work.sums[c] = 0.0F;
  }
}

/// Copies a row of floats [K] to float4 [groups], filled up with `missing`; the work of a block.
__device__ void copyRow(const float* from, int classes, int groups, float missing, float4* to) {
  for (int i = static_cast<int>(threadIdx.x); i < 4 * groups; i += static_cast<int>(blockDim.x)) {
    reinterpret_cast<float*>(to)[i] = i < classes ? from[i] : missing;
  }
}

// A block processes one item after another; its teams share the pairs.
template <int kGroups>
__global__ void __launch_bounds__(kThreads, blocksThatFit(kGroups))
    sumDrawsInRegisters(LogitNormalBatch batch, int lane_bits) {
  extern __shared__ float4 rows[];
  __shared__ double entropies[kWarps];
  const int thread = static_cast<int>(threadIdx.x);
  const int groups = kGroups << lane_bits;
  const int classes = static_cast<int>(batch.classes);
  const int teams = static_cast<int>(blockDim.x) >> lane_bits;
  const std::int64_t pairs = (batch.samples + 1) / 2;
  for (std::int64_t item = blockIdx.x; item < batch.items; item += gridDim.x) {
    copyRow(batch.mean + item * batch.classes, classes, groups, -INFINITY, rows);
    if (batch.deviation != nullptr) {
      copyRow(batch.deviation + item * batch.classes, classes, groups, 0.0F, rows + groups);
    }
    __syncthreads();
    TeamWork<kGroups> work{batch,
                           rows,
                           rows + groups,
                           item,
                           static_cast<std::uint64_t>(batch.item_ids[item]),
                           thread & ((1 << lane_bits) - 1),
                           lane_bits,
                           {}};
    double entropy = 0.0;
    std::int64_t rounds = 0;
    // The same number of rounds in every team, because teams share warps and barriers.
    for (std::int64_t first = 0; first < pairs; first += teams) {
      entropy += work.addPair(first + (thread >> lane_bits));
      if (++rounds % kRoundsPerFlush == 0 || first + teams >= pairs) {
        flush(work, rounds <= kRoundsPerFlush);
      }
    }
    entropy = sumOfTeams(entropy, lane_bits);
    if (thread % kWarp == 0) {
      entropies[thread / kWarp] = entropy;
    }
    __syncthreads();
    if (thread == 0) {
      double sum = 0.0;
      for (int warp = 0; warp < static_cast<int>(blockDim.x) / kWarp; ++warp) {
        sum += entropies[warp];
      }
      batch.entropies[item] = sum;
    }
    // The next item waits for its rows before anybody writes entropies again.
  }
}

template <int kGroups>
void launchInRegisters(const LogitNormalBatch& batch, const LogitNormalPlan& plan,
                       cudaStream_t stream) {
  if (plan.thread_groups == kGroups) {
    int lane_bits = 0;
    while (1 << lane_bits < plan.lanes) {
      ++lane_bits;
    }
    const auto bytes = static_cast<std::size_t>(2 * kGroups * plan.lanes) * sizeof(float4);
    sumDrawsInRegisters<kGroups>
        <<<plan.blocks, static_cast<unsigned>(plan.teams * plan.lanes), bytes, stream>>>(batch,
                                                                                         lane_bits);
  } else if constexpr (kGroups < kMaxThreadGroups) {
    launchInRegisters<kGroups + 1>(batch, plan, stream);
  }
}

LogitNormalPlan planWithScratch(const LogitNormalBatch& batch) {
  LogitNormalPlan plan;
  plan.lanes = kWarp;
  plan.teams = 8;
  plan.doubles_per_team = logitNormalScratchOf(batch);
  while (plan.teams * plan.doubles_per_team > kSharedDoubles && plan.teams > 1) {
    plan.teams /= 2;
  }
  plan.in_shared_memory = plan.teams * plan.doubles_per_team <= kSharedDoubles;
  plan.blocks = static_cast<unsigned>(
      std::min(batch.items, plan.in_shared_memory ? kMaxBlocks : kMaxBlocksWithGlobalScratch));
  return plan;
}

}  // namespace

LogitNormalPlan planLogitNormal(const LogitNormalBatch& batch) {
  const std::int64_t groups = (batch.classes + 3) / 4;
  if (groups > kMaxRegisterGroups) {
    return planWithScratch(batch);
  }
  LogitNormalPlan plan;
  while (plan.lanes * kMaxThreadGroups < groups) {
    plan.lanes *= 2;
  }
  plan.thread_groups = static_cast<int>((groups + plan.lanes - 1) / plan.lanes);
  const std::int64_t pairs = (batch.samples + 1) / 2;
  int threads = kWarp;
  while (threads < kThreads && threads * kPairsPerThread < pairs * plan.lanes) {
    threads *= 2;
  }
  plan.teams = threads / plan.lanes;
  plan.blocks = static_cast<unsigned>(std::min(batch.items, kMaxBlocks));
  return plan;
}

cudaError_t launchLogitNormal(const LogitNormalBatch& batch, const LogitNormalPlan& plan,
                              double* scratch, cudaStream_t stream) {
  if (batch.items == 0) {
    return cudaSuccess;
  }
  if (plan.thread_groups == 0) {
    return launchLogitNormalWithScratch(batch, plan, scratch, stream);
  }
  launchInRegisters<1>(batch, plan, stream);
  return cudaGetLastError();
}

}  // namespace dubito
