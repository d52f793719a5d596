// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace dubito {

/// A draw from the gamma distribution with `shape` >= 1 and scale 1 (Marsaglia and Tsang 2000), as
/// a function of (seed, stream, draw).
[[nodiscard]] double gammaDraw(double shape, std::uint64_t seed, std::uint64_t stream,
                               std::uint32_t draw);

}  // namespace dubito
