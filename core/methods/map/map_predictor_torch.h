// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/methods/batch_predictor_torch.h"
#include "core/methods/map/logit_scaling.h"

namespace dubito {

/// A predictor that makes one deterministic pass and scales its logits, or its log-probabilities if
/// the network returns probabilities.
[[nodiscard]] std::unique_ptr<BatchPredictor> makeMapPredictor(const PredictorInputs& inputs,
                                                               const LogitScaling& scaling);

}  // namespace dubito
