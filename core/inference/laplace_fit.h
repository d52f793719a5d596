// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inference/method_data.h"
#include "core/laplace/prior_search.h"

namespace dubito {

/// LaplaceOptions with a posterior fitted on data.fit, or read from data.posterior_path where that
/// file exists (else it is written there), and with the prior that the options ask for: auto-nll
/// takes data.calibration, mmc-drop data.calibration or else data.fit.
[[nodiscard]] Expected<MethodOptions> fitLaplaceMethod(const Model& model,
                                                       const LaplaceOptions& method,
                                                       const MethodData& data,
                                                       const PredictOptions& options,
                                                       RunContext& context);

/// NLL, ECE and evidence of the method over the prior precision, on data.calibration; `method`
/// comes from fitLaplaceMethod.
[[nodiscard]] Expected<PriorLandscape> laplaceLandscape(const Model& model,
                                                        const LaplaceOptions& method,
                                                        const MethodData& data,
                                                        const PredictOptions& options,
                                                        RunContext& context);

}  // namespace dubito
