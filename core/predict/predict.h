// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/io/run.h"
#include "core/methods/method_options.h"
#include "core/methods/predict_options.h"
#include "core/models/model.h"

namespace dubito {

/// Runs `method` over all items; a method that needs a fit must have been returned by
/// prepareMethod. Unreadable items are skipped and listed in meta.skipped. Errors if an output is
/// NaN or infinite (names the item) or all draws are identical (states the cause). If stopped
/// early, the run contains the items finished so far.
[[nodiscard]] Expected<Run> predict(const Model& model, const Dataset& dataset,
                                    const MethodOptions& method, const PredictOptions& options,
                                    RunContext& context);

}  // namespace dubito
