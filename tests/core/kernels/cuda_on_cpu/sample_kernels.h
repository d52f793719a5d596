// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace dubito::cuda_on_cpu {

// Kernels, right and wrong, that show what cuda_on_cpu sees.

/// Adds to counts[x y z of the thread in the grid]; the grid is 2 x 3 x 2, a block 3 x 2 x 2.
inline constexpr std::size_t kCountedThreads = 12 * 12;
cudaError_t launchCounts(int* counts);

/// Reverses `values` through shared memory in one block; a race without its barrier.
cudaError_t launchReversal(float* values, unsigned count, bool has_barrier);

/// The sum of 32 values in every one of them.
cudaError_t launchWarpSum(float* values);

/// What shared memory holds at first: static, then dynamic.
cudaError_t launchUnsetMemory(float* values);

/// The last thread ends before a barrier.
cudaError_t launchEarlyEnd();

/// Half of the threads wait at one barrier, half at another.
cudaError_t launchTwoBarriers();

/// The first lane leaves out an exchange of its warp.
cudaError_t launchMissingLane();

/// A warp of `threads` threads exchanges under the mask of a whole one.
cudaError_t launchWholeMask(unsigned threads);

/// A lane reads another one that its mask does not name.
cudaError_t launchForeignLane();

/// Writes to `element` of 8 floats of shared memory.
cudaError_t launchSharedWrite(int element);

/// Copies four floats at once; a fault where the addresses do not allow that.
cudaError_t launchCopyOfFour(const float* from, float* to);

/// The lanes whose number is a multiple of 4, as bits, and the place of the first of them.
cudaError_t launchVotes(int* count);

/// Does nothing, with that many threads and bytes.
cudaError_t launchNothing(unsigned blocks, unsigned threads, std::size_t shared_bytes);

}  // namespace dubito::cuda_on_cpu
