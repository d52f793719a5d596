// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "core/kernels/logit_map.h"
#include "core/kernels/logit_normal_sums.h"

namespace dubito {

/// Scratch memory that sumLogitNormalCpu needs, as a number of floats.
[[nodiscard]] std::int64_t logitNormalScratchSize(const LogitMap& map);

/// Computes the sums of sumLogitNormalScalar in float32, vectorised over draws with the widest SIMD
/// vectors that the CPU supports. `scratch` must be aligned to 64 bytes.
void sumLogitNormalCpu(const LogitMap& map, std::array<std::uint32_t, 2> key, std::int64_t item_id,
                       std::int64_t samples, float* scratch, LogitNormalSums& sums);

}  // namespace dubito
