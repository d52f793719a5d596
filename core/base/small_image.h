// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace dubito {

inline constexpr std::size_t kSmallSide = 16;

/// An image reduced to 16 x 16 grey values in rows, whatever its aspect ratio: enough to tell
/// whether two images show the same.
using SmallImage = std::array<std::uint8_t, kSmallSide * kSmallSide>;

}  // namespace dubito
