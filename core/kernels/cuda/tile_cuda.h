// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/kernels/cuda/row_pieces_cuda.h"
#include "core/kernels/cuda/team_cuda.h"

namespace dubito {

// A tile is as many adjacent rows [K] of floats as a warp processes together, with every class in a
// register of some thread. Its words are adjacent in memory too, so that a warp reads and writes 32
// of them at a time, whatever K is; few threads per row get their own classes through shared
// memory.

/// More need so many registers that too few warps fit.
constexpr int kMaxThreadClasses = 10;
/// Fewer for each thread mean half as many threads per row.
constexpr int kMinSharedClasses = kMaxThreadClasses / 2 + 1;
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

/// Calls launch.at<kClasses, kLaneBits>() for the shape.
template <int kClasses, int kLaneBits, class Launch>
void launchForShape(const TileShape& shape, const Launch& launch) {
  if (shape.lane_bits > kLaneBits) {
    if constexpr (kLaneBits < kWarpBits) {
      launchForShape<kMinSharedClasses, kLaneBits + 1>(shape, launch);
    }
  } else if (shape.thread_classes > kClasses) {
    if constexpr (kClasses < kMaxThreadClasses) {
      launchForShape<kClasses + 1, kLaneBits>(shape, launch);
    }
  } else {
    launch.template at<kClasses, kLaneBits>();
  }
}

/// Floats of shared memory that a warp needs for its tile.
template <int kClasses>
constexpr int kTileWords = (kWarp + 1) * kClasses;

/// One thread's view of its warp's tile. Its class c, 0 <= c < kClasses, is class
/// (c << kLaneBits) + lane() of row row(), if there is one. All threads of the warp call the
/// functions together.
template <int kClasses, int kLaneBits>
class Tile {
 public:
  /// `shared`: kTileWords<kClasses> floats, used by this warp alone, from a multiple of 16 bytes on
  /// where every thread has a row for itself.
  __device__ Tile(int classes, float* shared)
      : classes_(kHasOwnRow ? kClasses : classes),
        thread_(static_cast<int>(threadIdx.x) % kWarp),
        row_(thread_ >> kLaneBits),
        lane_(thread_ & ((1 << kLaneBits) - 1)),
        first_word_(kIsDirect ? wordOf(0) : thread_),
        shared_(shared) {}

  __device__ int row() const { return row_; }
  __device__ int lane() const { return lane_; }
  __device__ static constexpr int lanes() { return 1 << kLaneBits; }
  __device__ int classOf(int c) const { return (c << kLaneBits) + lane_; }
  __device__ bool has(int c) const { return kHasOwnRow || classOf(c) < classes_; }

  /// This thread's words of the first `count` of the tile; those that do not exist become
  /// `missing`.
  __device__ void read(const float* from, int count, float missing,
                       float (&words)[kClasses]) const {
    const float* const own = from + first_word_;
    if (kHasOwnRow && count == kWarp * kClasses) {
#pragma unroll
      for (int j = 0; j < kClasses; ++j) {
        words[j] = own[kWarp * j];
      }
      return;
    }
    const int there = wordsOf(count);
#pragma unroll
    for (int j = 0; j < kClasses; ++j) {
      words[j] = j < there ? own[j << kStepBits] : missing;
    }
  }

  __device__ void write(const float (&words)[kClasses], float* to, int count) const {
    float* const own = to + first_word_;
    if (kHasOwnRow && count == kWarp * kClasses) {
#pragma unroll
      for (int j = 0; j < kClasses; ++j) {
        own[kWarp * j] = words[j];
      }
      return;
    }
    const int there = wordsOf(count);
#pragma unroll
    for (int j = 0; j < kClasses; ++j) {
      if (j < there) {
        own[j << kStepBits] = words[j];
      }
    }
  }

  /// Turns words into the thread's own classes; classes that do not exist become `missing`.
  __device__ void toClasses(const float (&words)[kClasses], float missing,
                            float (&own)[kClasses]) const {
    if constexpr (kIsDirect) {
      copy(words, own);
    } else {
#pragma unroll
      for (int j = 0; j < kClasses; ++j) {
        shared_[placeOfWord(j)] = words[j];
      }
      __syncwarp();
      if constexpr (kHasOwnRow) {
        RowPieces<kClasses>::copy(shared_ + thread_ * kClasses, own);
      } else {
#pragma unroll
        for (int c = 0; c < kClasses; ++c) {
          own[c] = has(c) ? shared_[placeOf(wordOf(c))] : missing;
        }
      }
      __syncwarp();
    }
  }

  /// The reverse.
  __device__ void toWords(const float (&own)[kClasses], float (&words)[kClasses]) const {
    if constexpr (kIsDirect) {
      copy(own, words);
    } else {
      if constexpr (kHasOwnRow) {
        RowPieces<kClasses>::copy(own, shared_ + thread_ * kClasses);
      } else {
#pragma unroll
        for (int c = 0; c < kClasses; ++c) {
          if (has(c)) {
            shared_[placeOf(wordOf(c))] = own[c];
          }
        }
      }
      __syncwarp();
      const int there = kHasOwnRow ? kClasses : wordsOf((kWarp >> kLaneBits) * classes_);
#pragma unroll
      for (int j = 0; j < kClasses; ++j) {
        words[j] = j < there ? shared_[placeOfWord(j)] : 0.0F;
      }
      __syncwarp();
    }
  }

  /// The word of the tile that holds class c.
  __device__ int wordOf(int c) const {
    return row_ * classes_ + classOf(c);
  }

 private:
  static constexpr bool kHasOwnRow = kLaneBits == 0;
  /// Words are classes: adjacent classes are pieces that memory handles whole.
  static constexpr bool kIsDirect = kLaneBits >= 3;
  static constexpr int kStepBits = kIsDirect ? kLaneBits : kWarpBits;  ///< between own words

  __device__ static void copy(const float (&from)[kClasses], float (&to)[kClasses]) {
#pragma unroll
    for (int c = 0; c < kClasses; ++c) {
      to[c] = from[c];
    }
  }
  /// How many of the thread's words are among the first `count` of the tile.
  __device__ int wordsOf(int count) const {
    const int end = kIsDirect ? min(count, (row_ + 1) * classes_) : count;
    return (end - first_word_ + (1 << kStepBits) - 1) >> kStepBits;
  }
  /// In shared memory. A word left free after every 32 keeps shared rows of 4, 8 or 16 classes out
  /// of each other's banks.
  __device__ static int placeOf(int word) {
    return word + word / kWarp;
  }
  __device__ int placeOfWord(int j) const {
    return (kHasOwnRow ? kWarp : kWarp + 1) * j + thread_;
  }

  int classes_;
  int thread_;
  int row_;
  int lane_;
  int first_word_;
  float* shared_;
};

}  // namespace dubito
