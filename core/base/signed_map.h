// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/array.h"
#include "core/base/plot_values.h"

namespace dubito {

/// The absolute value that a picture of `map` shows at full strength: the 99 % quantile of the
/// absolute values, so that a few large numbers do not hide the others; the largest one if that
/// quantile is 0. `map` must not be empty.
[[nodiscard]] float fullValueOf(const Array<float>& map);

/// The grey level of `level` below the colours of a map, between dark and light, so that colours on
/// it can be told apart everywhere.
[[nodiscard]] std::uint8_t greyBelowMap(std::uint8_t level);

/// A map [H, W] of signed numbers as colours, red for positive and blue for negative ones, over
/// `picture` [H, W] in greys. Every pixel of the map becomes a square of `scale` x `scale` pixels.
[[nodiscard]] Image8 signedMapPicture(const Array<float>& map, const Image8& picture,
                                      std::int64_t scale);

}  // namespace dubito
