// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inference/method_data.h"

namespace dubito {

/// TemperatureOptions with the temperature that minimises the negative log likelihood on
/// data.calibration or data.calibration_run, unless it is given. The logits are the network's own:
/// a run of draws is refused.
[[nodiscard]] Expected<MethodOptions> fitTemperatureMethod(const Model& model,
                                                           const TemperatureOptions& method,
                                                           const MethodData& data,
                                                           const PredictOptions& options,
                                                           RunContext& context);

}  // namespace dubito
