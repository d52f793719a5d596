// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

/// A row between registers and shared memory, in the largest pieces that its length allows. Then
/// the threads of a warp, a row each, do not meet in a bank, but for 8 classes.
template <int kClasses>
struct RowPieces {
  __device__ static void copy(const float* shared, float (&own)[kClasses]) {
    if constexpr (kClasses % 4 == 0) {
#pragma unroll
      for (int c = 0; c < kClasses; c += 4) {
        const float4 piece = *reinterpret_cast<const float4*>(shared + c);
        own[c] = piece.x;
        own[c + 1] = piece.y;
        own[c + 2] = piece.z;
        own[c + 3] = piece.w;
      }
    } else if constexpr (kClasses % 2 == 0) {
#pragma unroll
      for (int c = 0; c < kClasses; c += 2) {
        const float2 piece = *reinterpret_cast<const float2*>(shared + c);
        own[c] = piece.x;
        own[c + 1] = piece.y;
      }
    } else {
#pragma unroll
      for (int c = 0; c < kClasses; ++c) {
        own[c] = shared[c];
      }
    }
  }

  __device__ static void copy(const float (&own)[kClasses], float* shared) {
    if constexpr (kClasses % 4 == 0) {
#pragma unroll
      for (int c = 0; c < kClasses; c += 4) {
        *reinterpret_cast<float4*>(shared + c) =
            make_float4(own[c], own[c + 1], own[c + 2], own[c + 3]);
      }
    } else if constexpr (kClasses % 2 == 0) {
#pragma unroll
      for (int c = 0; c < kClasses; c += 2) {
        *reinterpret_cast<float2*>(shared + c) = make_float2(own[c], own[c + 1]);
      }
    } else {
#pragma unroll
      for (int c = 0; c < kClasses; ++c) {
        shared[c] = own[c];
      }
    }
  }
};

}  // namespace dubito
