// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/inference/laplace_options.h"
#include "core/inference/predictor_torch.h"

namespace dubito {

/// Draws the weights of a fitted posterior of all layers. kInvalidArgument if the network has other
/// layers.
[[nodiscard]] Expected<std::unique_ptr<Predictor>> makeWeightDrawsPredictor(
    const LaplaceOptions& chosen, const PredictorInputs& inputs);

}  // namespace dubito
