// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/methods/batch_predictor_torch.h"
#include "core/methods/laplace/laplace_options.h"

namespace dubito {

/// A predictor that draws weights from a fitted posterior over all layers. kInvalidArgument if the
/// network has other layers.
[[nodiscard]] Expected<std::unique_ptr<BatchPredictor>> makeWeightDrawsPredictor(
    const LaplaceOptions& chosen, const PredictorInputs& inputs);

}  // namespace dubito
