// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/kernels/cuda/team_cuda.h"

namespace dubito {

// A tile is as many adjacent rows [K] of floats as a warp processes together, with every class in a
// register of some thread. Its words are adjacent in memory too, so that a warp reads and writes 32
// of them at a time, whatever K is; threads get their own classes through shared memory.

/// More need so many registers that too few warps fit.
constexpr int kMaxThreadClasses = 10;
constexpr std::int64_t kMaxTileClasses = std::int64_t{kWarp} * kMaxThreadClasses;

/// How a warp shares a tile of rows with up to kMaxTileClasses classes; depends on nothing else, so
/// that the results of a row do not depend on its batch.
struct TileShape {
  int classes = 0;         ///< K
  int lane_bits = 0;       ///< 2^lane_bits threads per row, at most K of them
  int thread_classes = 0;  ///< classes per thread, at most kMaxThreadClasses

  explicit TileShape(std::int64_t of_row) : classes(static_cast<int>(of_row)) {
    while (kMaxThreadClasses << lane_bits < classes) {
      ++lane_bits;
    }
    thread_classes = (classes + (1 << lane_bits) - 1) >> lane_bits;
  }
  [[nodiscard]] int rows() const { return kWarp >> lane_bits; }
};

/// Floats of shared memory that a warp needs for its tile.
template <int kClasses>
constexpr int kTileWords = (kWarp + 1) * kClasses;

/// One thread's view of its warp's tile. Its class c, 0 <= c < kClasses, is class
/// (c << lane_bits) + lane() of row row(), if there is one. All threads of the warp call the
/// functions together.
template <int kClasses>
class Tile {
 public:
  /// `shared`: kTileWords<kClasses> floats, used by this warp alone.
  __device__ Tile(int classes, int lane_bits, float* shared)
      : classes_(classes),
        lane_bits_(lane_bits),
        thread_(static_cast<int>(threadIdx.x) % kWarp),
        row_(thread_ >> lane_bits),
        lane_(thread_ & ((1 << lane_bits) - 1)),
        words_((kWarp >> lane_bits) * classes),
        first_word_(row_ * classes + lane_),
        shared_(shared) {}

  __device__ int row() const { return row_; }
  __device__ int lane() const { return lane_; }
  __device__ int classOf(int c) const { return (c << lane_bits_) + lane_; }
  __device__ bool has(int c) const { return classOf(c) < classes_; }

  /// The first `count` words of the tile, every 32nd in the same thread; zeros follow.
  __device__ void read(const float* from, int count, float (&words)[kClasses]) const {
#pragma unroll
    for (int j = 0; j < kClasses; ++j) {
      const int at = kWarp * j + thread_;
      words[j] = at < count ? from[at] : 0.0F;
    }
  }

  __device__ void write(const float (&words)[kClasses], float* to, int count) const {
#pragma unroll
    for (int j = 0; j < kClasses; ++j) {
      const int at = kWarp * j + thread_;
      if (at < count) {
        to[at] = words[j];
      }
    }
  }

  /// Turns words into the thread's own classes; classes that do not exist become `missing`.
  __device__ void toClasses(const float (&words)[kClasses], float missing,
                            float (&own)[kClasses]) const {
    if (1 << lane_bits_ == kWarp) {
#pragma unroll
      for (int c = 0; c < kClasses; ++c) {
        own[c] = has(c) ? words[c] : missing;
      }
      return;
    }
#pragma unroll
    for (int j = 0; j < kClasses; ++j) {
      shared_[placeOf(kWarp * j + thread_)] = words[j];
    }
    __syncwarp();
#pragma unroll
    for (int c = 0; c < kClasses; ++c) {
      own[c] = has(c) ? shared_[placeOf(wordOf(c))] : missing;
    }
    __syncwarp();
  }

  /// The reverse.
  __device__ void toWords(const float (&own)[kClasses], float (&words)[kClasses]) const {
    if (1 << lane_bits_ == kWarp) {
#pragma unroll
      for (int c = 0; c < kClasses; ++c) {
        words[c] = own[c];
      }
      return;
    }
#pragma unroll
    for (int c = 0; c < kClasses; ++c) {
      if (has(c)) {
        shared_[placeOf(wordOf(c))] = own[c];
      }
    }
    __syncwarp();
#pragma unroll
    for (int j = 0; j < kClasses; ++j) {
      const int at = kWarp * j + thread_;
      words[j] = at < words_ ? shared_[placeOf(at)] : 0.0F;
    }
    __syncwarp();
  }

  /// The word of the tile that holds class c.
  __device__ int wordOf(int c) const {
    return row() * classes_ + classOf(c);
  }

 private:
  // A word left free after every 32 keeps rows of 4, 8 or 16 classes out of each other's banks.
  __device__ static int placeOf(int word) {
    return word + word / kWarp;
  }

  int classes_;
  int lane_bits_;
  int thread_;
  int row_;
  int lane_;
  int words_;  ///< of a tile
  int first_word_;
  float* shared_;
};

}  // namespace dubito
