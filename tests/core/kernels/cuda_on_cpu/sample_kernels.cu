// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/kernels/cuda_on_cpu/sample_kernels.h"

namespace dubito::cuda_on_cpu {
namespace {

constexpr unsigned kWholeWarp = 0xFFFFFFFFU;

__global__ void count(int* counts) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
  ++counts[(z * gridDim.y * blockDim.y + y) * gridDim.x * blockDim.x + x];
}

__global__ void reverse(float* values, bool has_barrier) {
  extern __shared__ float copies[];
  copies[threadIdx.x] = values[threadIdx.x];
  if (has_barrier) {
    __syncthreads();
  }
  values[threadIdx.x] = copies[blockDim.x - 1 - threadIdx.x];
}

__global__ void sumWarp(float* values) {
  float sum = values[threadIdx.x];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(kWholeWarp, sum, distance);
  }
  values[threadIdx.x] = sum;
}

__global__ void readUnset(float* values) {
  extern __shared__ float dynamic[];
  __shared__ float fixed[2][2];
  values[0] = fixed[1][1];
  values[1] = dynamic[0];
  // Of the next block, if the memory kept it.
  fixed[1][1] = 1.0F;
  dynamic[0] = 1.0F;
}

__global__ void endEarly() {
  if (threadIdx.x + 1 < blockDim.x) {
    __syncthreads();
  }
}

__global__ void waitApart() {
  if (threadIdx.x % 2 == 0) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}

__global__ void leaveLaneOut() {
  if (threadIdx.x > 0) {
    __syncwarp();
  }
}

__global__ void exchangeWhole() {
  __syncwarp(kWholeWarp);
}

__global__ void readForeignLane() {
  if (threadIdx.x < 16) {
    __shfl_xor_sync(0xFFFFU, 1.0F, 16);
  }
}

__global__ void writeShared(int element) {
  extern __shared__ float memory[];
  memory[element] = 0.0F;
}

__global__ void copyFour(const float* from, float* to) {
  *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(from);
}

template <int kCount>
__global__ void __launch_bounds__(32) countVotes(int* count) {
  const unsigned votes = __ballot_sync(kWholeWarp, threadIdx.x % kCount == 0);
  const int first = __shfl_sync(kWholeWarp, __ffs(static_cast<int>(votes)), 31);
  if (threadIdx.x == 0) {
    count[0] = static_cast<int>(votes);
    count[1] = first;
  }
}

__global__ void doNothing() {}

}  // namespace

cudaError_t launchCounts(int* counts) {
  count<<<dim3(2, 3, 2), dim3(3, 2, 2)>>>(counts);
  return cudaGetLastError();
}

cudaError_t launchReversal(float* values, unsigned count, bool has_barrier) {
  reverse<<<1, count, count * sizeof(float)>>>(values, has_barrier);
  return cudaGetLastError();
}

cudaError_t launchWarpSum(float* values) {
  sumWarp<<<1, 32>>>(values);
  return cudaGetLastError();
}

cudaError_t launchUnsetMemory(float* values) {
  readUnset<<<3, 1, sizeof(float)>>>(values);
  return cudaGetLastError();
}

cudaError_t launchEarlyEnd() {
  endEarly<<<1, 70>>>();
  return cudaGetLastError();
}

cudaError_t launchTwoBarriers() {
  waitApart<<<1, 64>>>();
  return cudaGetLastError();
}

cudaError_t launchMissingLane() {
  leaveLaneOut<<<1, 64>>>();
  return cudaGetLastError();
}

cudaError_t launchWholeMask(unsigned threads) {
  exchangeWhole<<<1, threads>>>();
  return cudaGetLastError();
}

cudaError_t launchForeignLane() {
  readForeignLane<<<1, 32>>>();
  return cudaGetLastError();
}

cudaError_t launchSharedWrite(int element) {
  writeShared<<<1, 1, 8 * sizeof(float)>>>(element);
  return cudaGetLastError();
}

cudaError_t launchCopyOfFour(const float* from, float* to) {
  copyFour<<<1, 1>>>(from, to);
  return cudaGetLastError();
}

cudaError_t launchVotes(int* count) {
  countVotes<4><<<1, 32>>>(count);
  return cudaGetLastError();
}

cudaError_t launchNothing(unsigned blocks, unsigned threads, std::size_t shared_bytes) {
  doNothing<<<blocks, threads, shared_bytes>>>();
  return cudaGetLastError();
}

}  // namespace dubito::cuda_on_cpu
