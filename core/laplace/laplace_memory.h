// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/expected.h"
#include "core/laplace/laplace_settings.h"

namespace dubito {

/// Size of one layer: K outputs, D inputs with the constant 1 of a bias.
struct LayerSize {
  std::int64_t outputs = 0;
  std::int64_t inputs = 0;
};

/// Bytes that sums, factorisation and posterior of a layer take together at their largest, in
/// double; as a floating-point number because a full posterior may exceed 64 bits.
[[nodiscard]] double laplaceBytes(LaplaceStructure structure, const LayerSize& layer);

/// Of laplaceBytes, what stays while a posterior predicts: the posterior itself and a copy of its
/// bases in float32.
[[nodiscard]] double posteriorShare();
/// Steps that the decomposition of a layer's curvature takes, but for a factor.
[[nodiscard]] double decompositionSteps(LaplaceStructure structure, const LayerSize& layer);

/// kOutOfMemory where a last layer's posterior needs more than `available_bytes`, with the size and
/// a structure that fits. 0: no limit is known.
[[nodiscard]] Status checkLaplaceMemory(LaplaceStructure structure, const LayerSize& layer,
                                        std::int64_t available_bytes);

/// The same for all layers of a network together.
[[nodiscard]] Status checkAllLayersMemory(LaplaceStructure structure,
                                          std::span<const LayerSize> layers,
                                          std::int64_t available_bytes);

}  // namespace dubito
