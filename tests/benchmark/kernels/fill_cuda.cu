// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmark/kernels/fill_cuda.h"

namespace dubito::benchmarks {
namespace {

constexpr int kThreads = 256;
constexpr int kChains = 8;

__global__ void fill(float* values, std::int64_t size, float offset, float scale,
                     std::uint64_t seed) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < size;
       i += stride) {
    values[i] =
        __fadd_rn(offset, __fmul_rn(scale, inventedValue(static_cast<std::uint64_t>(i), seed)));
  }
}

// Several independent chains a thread, so that the latency of one does not count.
__global__ void multiplyAddChains(std::int64_t rounds, float* sink) {
  float chains[kChains];
  for (int c = 0; c < kChains; ++c) {
    chains[c] = 1.0F + static_cast<float>(threadIdx.x + c) * 1e-6F;
  }
  for (std::int64_t round = 0; round < rounds; ++round) {
#pragma unroll
    for (int c = 0; c < kChains; ++c) {
      chains[c] = fmaf(chains[c], 0.999F, 0.001F);
    }
  }
  float sum = 0.0F;
  for (int c = 0; c < kChains; ++c) {
    sum += chains[c];
  }
  if (sum < 0.0F) {  // never, but the compiler does not know
    *sink = sum;
  }
}

}  // namespace

cudaError_t fillInvented(float* values, std::int64_t size, float offset, float scale,
                         std::uint64_t seed) {
  if (size == 0) {
    return cudaSuccess;
  }
  fill<<<4096, kThreads>>>(values, size, offset, scale, seed);
  return cudaGetLastError();
}

double multiplyAdd(int multiprocessors, std::int64_t multiplications, float* sink) {
  const int blocks = 8 * multiprocessors;
  const std::int64_t rounds = multiplications / kChains;
  multiplyAddChains<<<blocks, kThreads>>>(rounds, sink);
  return 2.0 * static_cast<double>(rounds * kChains) * blocks * kThreads;
}

}  // namespace dubito::benchmarks
