// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cfloat>
#include <cstdint>

#include "core/kernels/cuda/logit_normal_cuda.h"
#include "core/kernels/cuda/philox_cuda.h"
#include "core/kernels/cuda/team_cuda.h"

namespace dubito {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kSharedDoubles = 5 * 1024;  // 40 of the 48 KB that every device has
constexpr std::int64_t kMaxBlocks = 1 << 16;
constexpr std::int64_t kMaxBlocksWithGlobalScratch = 512;

// Same as uniformOfWords in core/kernels/cpu.
__device__ float uniformOf(std::uint32_t word) {
  return __fsub_rn(__uint_as_float((word >> 9) | 0x3F800000U), 0x1.FFFFFEp-1F);
}

// Same as normalsOfWords in core/kernels/cpu; 2 u is exact, and so is the range reduction of
// sincospif.
__device__ void normalsOf(std::uint32_t for_radius, std::uint32_t for_angle, float* normals) {
  const float radius = sqrtf(-2.0F * logf(uniformOf(for_radius)));
  float sine = 0.0F;
  float cosine = 0.0F;
  sincospif(2.0F * uniformOf(for_angle), &sine, &cosine);
  normals[0] = radius * cosine;
  normals[1] = radius * sine;
}

// Elements 4 group .. 4 group + 3 of the noise of a pair.
__device__ void drawNoise(const LogitNormalBatch& batch, std::uint64_t id, std::uint32_t pair,
                          std::int64_t group, float* noise) {
  const uint4 words =
      philox(make_uint4(static_cast<std::uint32_t>(group), pair, static_cast<std::uint32_t>(id),
                        static_cast<std::uint32_t>(id >> 32)),
             make_uint2(batch.key_low, batch.key_high));
  normalsOf(words.x, words.y, noise);
  normalsOf(words.z, words.w, noise + 2);
}

// A draw or its mirror image, like DrawSummer::Draw in core/kernels/cpu.
struct Draw {
  float top = -FLT_MAX;
  float rest = 0.0F;
  float winners = 0.0F;
  float weighted = 0.0F;

  // fmaxf ignores NaN; the exponentials bring it back.
  __device__ void updateTop(float logit) { top = fmaxf(top, logit); }
  __device__ float exponential(float logit) {
    const float below_top = logit - top;
    const float power = expf(below_top);
    if (logit == top) {
      winners += 1.0F;
    } else {
      rest += power;
      // If the exponential underflows, so does the product.
      weighted -= power == 0.0F ? 0.0F : power * below_top;
    }
    return power;
  }
  __device__ void reduceTop(int lanes) { top = teamMax(top, lanes); }
  __device__ void reduceSums(int lanes) {
    rest = teamSum(rest, lanes);
    winners = teamSum(winners, lanes);
    weighted = teamSum(weighted, lanes);
  }
  // Sum over all but the first of the largest classes.
  __device__ float others() const { return rest + (winners - 1.0F); }
};

// Scratch memory of one team.
struct TeamMemory {
  double* probs;    // [K] sums over the team's draws
  float* plain;     // [K] logits of a draw, then their exponentials
  float* mirrored;  // [K] the same for its mirror image
  float* noise;     // [R] noise times stretch, only with a factor

  __device__ TeamMemory(double* memory, std::int64_t classes)
      : probs(memory),
        plain(reinterpret_cast<float*>(memory + classes)),
        mirrored(plain + classes),
        noise(mirrored + classes) {}
};

// One thread's share of a team's work on an item: in all loops, thread `lane` owns the classes of
// every lanes-th group of four.
struct TeamWork {
  const LogitNormalBatch& batch;
  TeamMemory memory;
  std::int64_t item;
  std::uint64_t id;
  int lane;
  int lanes;

  template <class Body>
  __device__ void forEachOwnClass(const Body& body) const {
    for (std::int64_t first = 4 * lane; first < batch.classes; first += 4 * lanes) {
      for (std::int64_t k = first; k < min(first + 4, batch.classes); ++k) {
        body(k);
      }
    }
  }

  __device__ void setLogits(std::int64_t k, float moved, Draw& plain, Draw& mirrored) const {
    const float mean = batch.mean[item * batch.classes + k];
    memory.plain[k] = mean + moved;
    memory.mirrored[k] = mean - moved;
    plain.updateTop(memory.plain[k]);
    mirrored.updateTop(memory.mirrored[k]);
  }

  __device__ void scaleNoise(std::uint32_t pair, Draw& plain, Draw& mirrored) const {
    for (std::int64_t group = lane; 4 * group < batch.classes; group += lanes) {
      float noise[4];
      drawNoise(batch, id, pair, group, noise);
      for (int j = 0; j < 4 && 4 * group + j < batch.classes; ++j) {
        const std::int64_t k = 4 * group + j;
        setLogits(k, noise[j] * batch.deviation[item * batch.classes + k], plain, mirrored);
      }
    }
  }

  __device__ void multiplyNoise(std::uint32_t pair, Draw& plain, Draw& mirrored) const {
    for (std::int64_t group = lane; 4 * group < batch.noise; group += lanes) {
      float noise[4];
      drawNoise(batch, id, pair, group, noise);
      for (int j = 0; j < 4 && 4 * group + j < batch.noise; ++j) {
        const std::int64_t r = 4 * group + j;
        memory.noise[r] = noise[j] * batch.stretch[item * batch.noise + r];
      }
    }
    __syncwarp();
    const float* const factor =
        batch.factor + (batch.factor_per_item ? item * batch.noise * batch.classes : 0);
    forEachOwnClass([&](std::int64_t k) {
      float moved = 0.0F;
      for (std::int64_t r = 0; r < batch.noise; ++r) {
        moved = fmaf(factor[r * batch.classes + k], memory.noise[r], moved);
      }
      setLogits(k, moved, plain, mirrored);
    });
    // The next pair's noise must not overwrite this one's before all threads have read it.
    __syncwarp();
  }

  // Adds both draws of the pair to the sums and returns their entropies, the same in every thread.
  // A pair or mirror image beyond the last draw is ignored.
  __device__ double addPair(std::int64_t pair) const {
    Draw plain;
    Draw mirrored;
    if (batch.factor == nullptr) {
      scaleNoise(static_cast<std::uint32_t>(pair), plain, mirrored);
    } else {
      multiplyNoise(static_cast<std::uint32_t>(pair), plain, mirrored);
    }
    plain.reduceTop(lanes);
    mirrored.reduceTop(lanes);
    forEachOwnClass([&](std::int64_t k) {
      memory.plain[k] = plain.exponential(memory.plain[k]);
      memory.mirrored[k] = mirrored.exponential(memory.mirrored[k]);
    });
    plain.reduceSums(lanes);
    mirrored.reduceSums(lanes);
    const float scale = 1.0F / (1.0F + plain.others());
    const float mirrored_scale = 1.0F / (1.0F + mirrored.others());
    double entropy = 0.0;
    if (2 * pair < batch.samples) {
      entropy += log1pf(plain.others()) + plain.weighted * scale;
      forEachOwnClass([&](std::int64_t k) { memory.probs[k] += memory.plain[k] * scale; });
    }
    if (2 * pair + 1 < batch.samples) {
      entropy += log1pf(mirrored.others()) + mirrored.weighted * mirrored_scale;
      forEachOwnClass(
          [&](std::int64_t k) { memory.probs[k] += memory.mirrored[k] * mirrored_scale; });
    }
    return entropy;
  }
};

// A block processes one item after another; its teams share the pairs.
__global__ void sumDraws(LogitNormalBatch batch, LogitNormalPlan plan, double* scratch) {
  extern __shared__ double shared[];
  __shared__ double entropies[kThreads];
  double* const block_memory =
      plan.in_shared_memory
          ? shared
          : scratch + static_cast<std::int64_t>(blockIdx.x) * plan.teams * plan.doubles_per_team;
  const int team = static_cast<int>(threadIdx.x) / plan.lanes;
  const int lane = static_cast<int>(threadIdx.x) % plan.lanes;
  const std::int64_t pairs = (batch.samples + 1) / 2;
  for (std::int64_t item = blockIdx.x; item < batch.items; item += gridDim.x) {
    const TeamWork work{
        batch, TeamMemory(block_memory + team * plan.doubles_per_team, batch.classes),
        item,  static_cast<std::uint64_t>(batch.item_ids[item]),
        lane,  plan.lanes};
    work.forEachOwnClass([&](std::int64_t k) { work.memory.probs[k] = 0.0; });
    double entropy = 0.0;
    // The same number of iterations in every team, because teams share warps.
    for (std::int64_t first = 0; first < pairs; first += plan.teams) {
      entropy += work.addPair(first + team);
    }
    if (lane == 0) {
      entropies[team] = entropy;
    }
    __syncthreads();
    for (std::int64_t k = threadIdx.x; k < batch.classes; k += blockDim.x) {
      double sum = 0.0;
      for (int t = 0; t < plan.teams; ++t) {
        sum += block_memory[t * plan.doubles_per_team + k];
      }
      batch.probs[item * batch.classes + k] = sum;
    }
    if (threadIdx.x == 0) {
      double sum = 0.0;
      for (int t = 0; t < plan.teams; ++t) {
        sum += entropies[t];
      }
      batch.entropies[item] = sum;
    }
    __syncthreads();
  }
}

}  // namespace

LogitNormalPlan planLogitNormal(const LogitNormalBatch& batch) {
  LogitNormalPlan plan;
  const std::int64_t groups = (batch.classes + 3) / 4;
  while (plan.lanes < 32 && plan.lanes < groups) {
    plan.lanes *= 2;
  }
  plan.teams = kThreads / plan.lanes;
  const std::int64_t of_noise = batch.factor == nullptr ? 0 : batch.noise;
  plan.doubles_per_team = 2 * batch.classes + (of_noise + 1) / 2;
  // Never less than a warp.
  while (plan.teams * plan.doubles_per_team > kSharedDoubles && plan.teams * plan.lanes > 32) {
    plan.teams /= 2;
  }
  plan.in_shared_memory = plan.teams * plan.doubles_per_team <= kSharedDoubles;
  plan.blocks = static_cast<unsigned>(
      std::min(batch.items, plan.in_shared_memory ? kMaxBlocks : kMaxBlocksWithGlobalScratch));
  return plan;
}

cudaError_t launchLogitNormal(const LogitNormalBatch& batch, const LogitNormalPlan& plan,
                              double* scratch, cudaStream_t stream) {
  if (batch.items == 0) {
    return cudaSuccess;
  }
  const std::size_t shared_bytes =
      plan.in_shared_memory
          ? static_cast<std::size_t>(plan.teams * plan.doubles_per_team) * sizeof(double)
          : 0;
  sumDraws<<<plan.blocks, static_cast<unsigned>(plan.teams * plan.lanes), shared_bytes, stream>>>(
      batch, plan, scratch);
  return cudaGetLastError();
}

}  // namespace dubito
