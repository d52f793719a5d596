// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Stands in for the header of the CUDA toolkit: what the headers of core/kernels/cuda need of it.

// NOLINTBEGIN(readability-identifier-naming): CUDA's names, with CUDA's values.
enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorInvalidConfiguration = 9,
};

using cudaStream_t = struct CUstream_st*;

/// The error of the last launch, which it forgets.
cudaError_t cudaGetLastError();
// NOLINTEND(readability-identifier-naming)
