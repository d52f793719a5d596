// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/laplace/posterior/prior_search.h"
#include "core/methods/method_data.h"

namespace dubito {

/// NLL, ECE and evidence as functions of the prior precision, on data.calibration. `method` must
/// come from prepareMethod. kInvalidArgument without calibration data; errors of predict.
[[nodiscard]] Expected<PriorLandscape> laplaceLandscape(const Model& model,
                                                        const LaplaceOptions& method,
                                                        const MethodData& data,
                                                        const PredictOptions& options,
                                                        RunContext& context);

}  // namespace dubito
