// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <stdexcept>

namespace dubito::cuda_on_cpu {

/// Three numbers, as CUDA has them for places and sizes.
struct Extent3 {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;
  Extent3() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a kernel is launched with plain numbers.
  Extent3(unsigned x_size, unsigned y_size = 1, unsigned z_size = 1)
      : x(x_size), y(y_size), z(z_size) {}
};

/// A kernel did what hangs or is undefined on a GPU: threads wait for others that never come, or
/// wait at different places, or shared memory was written beyond its end.
class KernelFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How threads that CUDA leaves unordered take turns. A thread runs until it waits for others.
struct Schedule {
  enum class Order {
    kForward,   ///< the first thread that can run, from the first block on
    kBackward,  ///< the last one, from the last block on
    kShuffled,  ///< a random one
  };
  Order order = Order::kForward;
  std::uint64_t key = 0;  ///< of the random order
  /// A grid with more blocks is launched with that many; 0: as it is. A kernel whose threads
  /// stride over their work gives the same results.
  unsigned max_blocks = 0;
  /// Blocks whose threads take turns with each other's; the others wait for one of them to end.
  unsigned blocks_at_once = 1;
};

/// What later launches follow.
void setSchedule(const Schedule& schedule);

/// Whether a write just beyond shared memory is a fault; AddressSanitizer finds more of them.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kGuardsSharedMemory = false;
#else
inline constexpr bool kGuardsSharedMemory = true;
#endif

struct LaunchShape {
  Extent3 grid;
  Extent3 block;
  std::size_t shared_bytes = 0;
};

inline constexpr unsigned kWarpThreads = 32;
inline constexpr unsigned kMaxThreadsPerBlock = 1024;
inline constexpr std::size_t kMaxSharedBytes = std::size_t{48} << 10;

/// Runs `thread` in every thread of the grid. Throws KernelFault.
void runGrid(const LaunchShape& shape, const std::function<void()>& thread);

// What the running thread calls. `where` is the place in the kernel.

/// Waits for all threads of the block.
void waitForBlock(std::source_location where);

/// Waits for all lanes of the warp that `mask` names.
void waitForWarp(unsigned mask, std::source_location where);

/// The same, but memory is not ordered; returns what each of them gave.
const std::array<std::uint64_t, kWarpThreads>& exchangeInWarp(unsigned mask, std::uint64_t value,
                                                              std::source_location where);

/// Memory of the block, filled with 0xFF: NaN, and -1 as an integer. `id` names a variable.
std::byte* sharedVariable(int id, std::size_t bytes);
std::byte* dynamicSharedMemory();

/// Number of the running thread in its warp.
unsigned laneOfThread();

/// Throws KernelFault unless `bytes` divide the address. The compiler must not see it: of an
/// aligned type, it takes the answer for granted.
void requireAligned(const void* address, std::size_t bytes);

}  // namespace dubito::cuda_on_cpu

/// Of the running thread; set with every switch.
// NOLINTBEGIN(readability-identifier-naming): CUDA's names.
extern dubito::cuda_on_cpu::Extent3 threadIdx;
extern dubito::cuda_on_cpu::Extent3 blockIdx;
extern dubito::cuda_on_cpu::Extent3 blockDim;
extern dubito::cuda_on_cpu::Extent3 gridDim;
// NOLINTEND(readability-identifier-naming)
