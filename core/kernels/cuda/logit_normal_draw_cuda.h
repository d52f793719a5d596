// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cfloat>
#include <cstdint>

#include "core/kernels/cuda/philox_cuda.h"
#include "core/kernels/cuda/team_cuda.h"
#include "core/kernels/logit_normal_batch.h"

namespace dubito {

// Same as uniformOfWords in core/kernels/cpu.
__device__ inline float uniformOf(std::uint32_t word) {
  return __fsub_rn(__uint_as_float((word >> 9) | 0x3F800000U), 0x1.FFFFFEp-1F);
}

// Same as normalsOfWords in core/kernels/cpu; 2 u is exact, and so is the range reduction of
// sincospif.
__device__ inline void normalsOf(std::uint32_t for_radius, std::uint32_t for_angle,
                                 float* normals) {
  // From 2^-23 to 34: a square root without the branch for other numbers that sqrtf has.
  const float square = -2.0F * logf(uniformOf(for_radius));
  const float inverse = rsqrtf(square);
  const float near = square * inverse;
  const float radius = fmaf(0.5F * inverse, fmaf(-near, near, square), near);
  float sine = 0.0F;
  float cosine = 0.0F;
  sincospif(2.0F * uniformOf(for_angle), &sine, &cosine);
  normals[0] = radius * cosine;
  normals[1] = radius * sine;
}

// Elements 4 group .. 4 group + 3 of the noise of a pair.
__device__ inline void drawNoise(const LogitNormalBatch& batch, std::uint64_t id,
                                 std::uint32_t pair, std::int64_t group, float* noise) {
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
  // Without a branch, so that the exponentials of several classes overlap.
  __device__ float exponential(float logit) {
    const float below_top = logit - top;
    const float power = expf(below_top);
    winners += logit == top ? 1.0F : 0.0F;
    rest += logit == top ? 0.0F : power;
    // If the exponential underflows, so does the product.
    weighted -= power == 0.0F ? 0.0F : power * below_top;
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

}  // namespace dubito
