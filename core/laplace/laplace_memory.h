// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/expected.h"
#include "core/laplace/laplace_settings.h"

namespace dubito {

/// Size of one layer: K outputs and D inputs, including the constant 1 for the bias.
struct LayerSize {
  std::int64_t outputs = 0;
  std::int64_t inputs = 0;
};

/// Peak memory, in bytes, of a layer's sums, factorisation and posterior together, all in double
/// precision. Returned as a floating-point number because the size of a full posterior may exceed
/// 64 bits.
[[nodiscard]] double laplaceBytes(LaplaceStructure structure, const LayerSize& layer);

/// Fraction of laplaceBytes that remains in use during prediction: the posterior itself and a
/// float32 copy of its bases.
[[nodiscard]] double posteriorMemoryShare();
/// Cost of decomposing a layer's curvature, up to a constant factor.
[[nodiscard]] double decompositionCost(LaplaceStructure structure, const LayerSize& layer);

/// Fails with kOutOfMemory if the posterior of a last layer needs more than `available_bytes`; the
/// message states the size and a structure that fits. 0: the limit is unknown.
[[nodiscard]] Status checkLaplaceMemory(LaplaceStructure structure, const LayerSize& layer,
                                        std::int64_t available_bytes);

/// As above, for all layers of a network together.
[[nodiscard]] Status checkAllLayersMemory(LaplaceStructure structure,
                                          std::span<const LayerSize> layers,
                                          std::int64_t available_bytes);

}  // namespace dubito
