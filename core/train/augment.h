// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/data/items/item_random.h"

namespace dubito {

/// The items 0 .. n - 1 in the random order of an epoch, which depends only on (seed, epoch).
[[nodiscard]] std::vector<std::int64_t> epochOrder(std::int64_t n, std::uint64_t seed,
                                                   std::int64_t epoch);

/// Displacement of an image, in pixels.
struct Shift {
  std::int64_t down = 0;
  std::int64_t right = 0;
};

/// Random shift, uniform in [-largest, largest] along each axis. Depends only on (seed, epoch,
/// item).
[[nodiscard]] Shift randomShift(std::uint64_t seed, std::int64_t epoch, std::int64_t item,
                                std::int64_t largest);

/// Random numbers that depend only on (seed, stream, epoch, item); each use has another stream.
[[nodiscard]] ItemRandom augmentRandom(std::uint64_t seed, std::int64_t stream, std::int64_t epoch,
                                       std::int64_t item);

/// Whether an image is mirrored: probability 1/2. Depends only on (seed, epoch, item).
[[nodiscard]] bool randomFlip(std::uint64_t seed, std::int64_t epoch, std::int64_t item);

/// Random angle in degrees, uniform in [-largest, largest]. Depends only on (seed, epoch, item).
[[nodiscard]] double randomAngle(std::uint64_t seed, std::int64_t epoch, std::int64_t item,
                                 double largest);

/// Shifts one image [channels, height, width] from `source` to `target` (which must not overlap).
/// Pixels moved in from outside repeat the edge.
void shiftImage(const float* source, float* target, std::int64_t channels, std::int64_t height,
                std::int64_t width, Shift shift);

/// Mirrors one image [channels, height, width] left to right, in place.
void flipImage(float* image, std::int64_t channels, std::int64_t height, std::int64_t width);

/// Rotates one image [channels, height, width] about its centre, counter-clockwise as displayed,
/// from `source` to `target` (which must not overlap): bilinear, pixels from outside repeat the
/// edge. 0 degrees copies the image.
void rotateImage(const float* source, float* target, std::int64_t channels, std::int64_t height,
                 std::int64_t width, double degrees);

}  // namespace dubito
