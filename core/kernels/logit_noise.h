// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace dubito {

/// Standard normal noise eps_pair [R] of one item, in double, in the layout of logit_normal_mc.h.
/// `key` is siteKey(seed, kLogitNoiseSite).
void logitNoise(std::array<std::uint32_t, 2> key, std::int64_t item_id, std::uint32_t pair,
                std::span<double> noise);

}  // namespace dubito
