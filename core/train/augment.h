// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

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

/// Shifts one image [channels, height, width] from `source` to `target` (which must not overlap).
/// Pixels moved in from outside repeat the edge.
void shiftImage(const float* source, float* target, std::int64_t channels, std::int64_t height,
                std::int64_t width, Shift shift);

}  // namespace dubito
