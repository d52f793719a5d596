// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace dubito {

/// Writes the standard normal noise eps_p of one item, p = `pair`, to `noise` [R]. It is defined in
/// logit_normal_mc.h and computed here in double. `key` must be siteKey(seed, kLogitNoiseSite).
void logitNoise(std::array<std::uint32_t, 2> key, std::int64_t item_id, std::uint32_t pair,
                std::span<double> noise);

}  // namespace dubito
