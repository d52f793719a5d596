// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inference/method_data.h"

namespace dubito {

/// The method with its temperature: as it was given, or fitted on the calibration set of `data`.
/// Errors as prepareMethod.
[[nodiscard]] Expected<MethodOptions> fitTemperatureMethod(const Model& model,
                                                           const TemperatureOptions& method,
                                                           const MethodData& data,
                                                           const PredictOptions& options,
                                                           RunContext& context);

/// The method with its weights and biases, fitted on the calibration set of `data`. Errors as
/// prepareMethod.
[[nodiscard]] Expected<MethodOptions> fitVectorScalingMethod(const Model& model,
                                                             const VectorScalingOptions& method,
                                                             const MethodData& data,
                                                             const PredictOptions& options,
                                                             RunContext& context);

}  // namespace dubito
