// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What nvcc knows without an include, as far as core/kernels/cuda uses it, in C++. Kernels that
// rewrite.cmake has rewritten begin with this header.

#include <cuda_runtime_api.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <type_traits>

#include "tests/core/kernels/cuda_on_cpu/grid.h"

// NOLINTBEGIN(readability-identifier-naming, bugprone-reserved-identifier): CUDA's names.
#define __global__
#define __device__
#define __host__
#define __launch_bounds__(...)

using dim3 = dubito::cuda_on_cpu::Extent3;

struct uint2 {
  unsigned x, y;
};
struct uint4 {
  unsigned x, y, z, w;
};

/// A GPU reads and writes it, like float4, only where its address allows that.
struct alignas(8) float2 {
  float x, y;
  float2() = default;
  float2(float a, float b) : x(a), y(b) {}
  float2(const float2& other) { *this = other; }
  float2& operator=(const float2& other) {
    dubito::cuda_on_cpu::requireAligned(this, sizeof(float2));
    dubito::cuda_on_cpu::requireAligned(&other, sizeof(float2));
    x = other.x;
    y = other.y;
    return *this;
  }
};

struct alignas(16) float4 {
  float x, y, z, w;
  float4() = default;
  float4(float a, float b, float c, float d) : x(a), y(b), z(c), w(d) {}
  float4(const float4& other) { *this = other; }
  float4& operator=(const float4& other) {
    dubito::cuda_on_cpu::requireAligned(this, sizeof(float4));
    dubito::cuda_on_cpu::requireAligned(&other, sizeof(float4));
    x = other.x;
    y = other.y;
    z = other.z;
    w = other.w;
    return *this;
  }
};

inline float2 make_float2(float x, float y) {
  return {x, y};
}

inline float4 make_float4(float x, float y, float z, float w) {
  return {x, y, z, w};
}

inline uint2 make_uint2(unsigned x, unsigned y) {
  return {x, y};
}

inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) {
  return {x, y, z, w};
}

template <class T>
T min(T a, T b) {
  return b < a ? b : a;
}

inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(std::uint64_t{a} * b >> 32);
}

/// The place of the lowest bit that is set, from 1 on; 0: none is.
inline int __ffs(int bits) {
  return bits == 0 ? 0 : std::countr_zero(static_cast<unsigned>(bits)) + 1;
}

inline int __double2hiint(double value) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 32);
}

inline int __double2loint(double value) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(value) & 0xFFFFFFFFU);
}

inline double __hiloint2double(int high, int low) {
  return std::bit_cast<double>(std::uint64_t{static_cast<unsigned>(high)} << 32 |
                               static_cast<unsigned>(low));
}

inline float __uint_as_float(unsigned bits) {
  return std::bit_cast<float>(bits);
}

// The rewritten kernels are compiled without contraction, so that every operation rounds.
inline float __fadd_rn(float a, float b) {
  return a + b;
}

inline float __fsub_rn(float a, float b) {
  return a - b;
}

inline float __fmul_rn(float a, float b) {
  return a * b;
}

/// With at most 2 ulp of error on a GPU; 0 for a large divisor.
inline float __fdividef(float a, float b) {
  return std::abs(b) > 0x1p126F ? 0.0F * a : a / b;
}

/// With at most 3 ulp of error on a GPU, or 2^-21.4 near 1.
inline float __logf(float x) {
  return std::log(x);
}

inline float rsqrtf(float x) {
  return 1.0F / std::sqrt(x);
}

/// Sine and cosine of pi x.
inline void sincospif(float x, float* sine, float* cosine) {
  constexpr double kPi = 3.14159265358979323846;
  const double quarters = std::nearbyint(2.0 * x);
  const double rest = kPi * (x - 0.5 * quarters);
  const auto quadrant = static_cast<int>(std::fmod(quarters, 4.0) + 4.0) % 4;
  const double values[] = {std::sin(rest), std::cos(rest), -std::sin(rest), -std::cos(rest)};
  *sine = static_cast<float>(values[quadrant]);
  *cosine = static_cast<float>(values[(quadrant + 1) % 4]);
}

// Atomic so that ThreadSanitizer sees it; threads change at places where they wait alone.
inline unsigned long long atomicAdd(unsigned long long* address, unsigned long long value) {
  return std::atomic_ref(*address).fetch_add(value, std::memory_order_relaxed);
}

inline void __syncthreads(std::source_location where = std::source_location::current()) {
  dubito::cuda_on_cpu::waitForBlock(where);
}

inline void __syncwarp(unsigned mask = 0xFFFFFFFFU,
                       std::source_location where = std::source_location::current()) {
  dubito::cuda_on_cpu::waitForWarp(mask, where);
}

/// The value of lane `source`, which is in the mask.
template <class T>
T __shfl_sync(unsigned mask, T value, int source,
              std::source_location where = std::source_location::current()) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  const auto lane = static_cast<unsigned>(source);
  if (lane >= dubito::cuda_on_cpu::kWarpThreads || (mask >> lane & 1U) == 0) {
    throw dubito::cuda_on_cpu::KernelFault("a lane outside the mask of a shuffle is read");
  }
  bits = dubito::cuda_on_cpu::exchangeInWarp(mask, bits, where)[lane];
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask,
                  std::source_location where = std::source_location::current()) {
  return __shfl_sync(mask, value, static_cast<int>(dubito::cuda_on_cpu::laneOfThread()) ^ lane_mask,
                     where);
}

/// Bit i of the result: the predicate of lane i.
inline unsigned __ballot_sync(unsigned mask, bool predicate,
                              std::source_location where = std::source_location::current()) {
  const auto& given = dubito::cuda_on_cpu::exchangeInWarp(mask, predicate ? 1 : 0, where);
  unsigned bits = 0;
  for (unsigned lane = 0; lane < dubito::cuda_on_cpu::kWarpThreads; ++lane) {
    bits |= (mask >> lane & 1U) != 0 && given[lane] != 0 ? 1U << lane : 0U;
  }
  return bits;
}
// NOLINTEND(readability-identifier-naming, bugprone-reserved-identifier)

namespace dubito::cuda_on_cpu {

/// Whether a GPU would take the launch; keeps the error for cudaGetLastError otherwise.
bool acceptsLaunch(const LaunchShape& shape);

/// kernel<<<grid, block, shared_bytes, stream>>>, which rewrite.cmake makes a call of this.
template <class... Parameters>
auto launcher(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared_bytes = 0,
              cudaStream_t = nullptr) {
  return [=](Parameters... parameters) {
    const LaunchShape shape{grid, block, shared_bytes};
    if (acceptsLaunch(shape)) {
      runGrid(shape, [&] { kernel(parameters...); });
    }
  };
}

/// A variable in the shared memory of the block.
template <class T>
T& shared(int id) {
  return *reinterpret_cast<T*>(sharedVariable(id, sizeof(T)));
}

}  // namespace dubito::cuda_on_cpu
