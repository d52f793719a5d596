// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda/logit_normal_scratch_cuda.h"

#include <cstddef>
#include <cstdint>

#include "core/kernels/cuda/logit_normal_draw_cuda.h"

namespace dubito {
namespace {

// A team that needs scratch memory is a whole warp.
constexpr int kMaxTeams = 8;

// Scratch memory of one team. Class k is at place k % 4 * groups + k / 4: lanes own adjacent groups
// of four, and would meet in the banks of shared memory if it were at place k.
struct TeamMemory {
  double* probs;    // sums over the team's draws
  float* plain;     // logits of a draw, then their exponentials
  float* mirrored;  // the same for its mirror image
  float* noise;     // [R] noise times stretch, only with a factor
  std::int64_t groups;

  __device__ TeamMemory(double* memory, std::int64_t classes)
      : probs(memory),
        plain(reinterpret_cast<float*>(memory + (classes + 3) / 4 * 4)),
        mirrored(plain + (classes + 3) / 4 * 4),
        noise(mirrored + (classes + 3) / 4 * 4),
        groups((classes + 3) / 4) {}
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
        body(k, (k - first) * memory.groups + first / 4);
      }
    }
  }

  __device__ void setLogits(std::int64_t k, std::int64_t place, float moved, Draw& plain,
                            Draw& mirrored) const {
    const float mean = batch.mean[item * batch.classes + k];
    memory.plain[place] = mean + moved;
    memory.mirrored[place] = mean - moved;
    plain.updateTop(memory.plain[place]);
    mirrored.updateTop(memory.mirrored[place]);
  }

  __device__ void scaleNoise(std::uint32_t pair, Draw& plain, Draw& mirrored) const {
    for (std::int64_t group = lane; 4 * group < batch.classes; group += lanes) {
      float noise[4];
      drawNoise(batch, id, pair, group, noise);
      for (int j = 0; j < 4 && 4 * group + j < batch.classes; ++j) {
        const std::int64_t k = 4 * group + j;
        setLogits(k, j * memory.groups + group,
                  noise[j] * batch.deviation[item * batch.classes + k], plain, mirrored);
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
    forEachOwnClass([&](std::int64_t k, std::int64_t place) {
      float moved = 0.0F;
      for (std::int64_t r = 0; r < batch.noise; ++r) {
        moved = fmaf(factor[r * batch.classes + k], memory.noise[r], moved);
      }
      setLogits(k, place, moved, plain, mirrored);
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
    forEachOwnClass([&](std::int64_t, std::int64_t place) {
      memory.plain[place] = plain.exponential(memory.plain[place]);
      memory.mirrored[place] = mirrored.exponential(memory.mirrored[place]);
    });
    plain.reduceSums(lanes);
    mirrored.reduceSums(lanes);
    const float scale = 1.0F / (1.0F + plain.others());
    const float mirrored_scale = 1.0F / (1.0F + mirrored.others());
    double entropy = 0.0;
    if (2 * pair < batch.samples) {
      entropy += log1pf(plain.others()) + plain.weighted * scale;
      forEachOwnClass([&](std::int64_t, std::int64_t place) {
        memory.probs[place] += memory.plain[place] * scale;
      });
    }
    if (2 * pair + 1 < batch.samples) {
      entropy += log1pf(mirrored.others()) + mirrored.weighted * mirrored_scale;
      forEachOwnClass([&](std::int64_t, std::int64_t place) {
        memory.probs[place] += memory.mirrored[place] * mirrored_scale;
      });
    }
    return entropy;
  }
};

// A block processes one item after another; its teams share the pairs.
__global__ void sumDraws(LogitNormalBatch batch, LogitNormalPlan plan, double* scratch) {
  extern __shared__ double shared[];
  __shared__ double entropies[kMaxTeams];
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
    work.forEachOwnClass([&](std::int64_t, std::int64_t place) { work.memory.probs[place] = 0.0; });
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
        sum += block_memory[t * plan.doubles_per_team + k % 4 * work.memory.groups + k / 4];
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

std::int64_t logitNormalScratchOf(const LogitNormalBatch& batch) {
  const std::int64_t of_noise = batch.factor == nullptr ? 0 : batch.noise;
  return (batch.classes + 3) / 4 * 8 + (of_noise + 1) / 2;
}

cudaError_t launchLogitNormalWithScratch(const LogitNormalBatch& batch, const LogitNormalPlan& plan,
                                         double* scratch, cudaStream_t stream) {
  const std::size_t shared_bytes =
      plan.in_shared_memory
          ? static_cast<std::size_t>(plan.teams * plan.doubles_per_team) * sizeof(double)
          : 0;
  sumDraws<<<plan.blocks, static_cast<unsigned>(plan.teams * plan.lanes), shared_bytes, stream>>>(
      batch, plan, scratch);
  return cudaGetLastError();
}

}  // namespace dubito
