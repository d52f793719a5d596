// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/inference/options/method_options.h"
#include "core/inference/options/predict_options.h"
#include "core/io/run.h"
#include "core/models/model.h"

namespace dubito {

/// Runs `method` over all items; a method that needs a fit must have been returned by
/// prepareMethod. Unreadable items are skipped and listed in meta.skipped. Errors if an output is
/// NaN or infinite (names the item) or all draws are identical (states the cause). If stopped
/// early, the run contains the items finished so far.
[[nodiscard]] Expected<Run> predict(const Model& model, const Dataset& dataset,
                                    const MethodOptions& method, const PredictOptions& options,
                                    RunContext& context);

/// All draws [T, K] of the item at `index`. They equal the stored samples of a run with the same
/// seed to within 1e-6. (If the model's outputs depend on the other items of the batch, that run
/// must have batch size 1.) Throws std::invalid_argument unless canRecomputeDraws(method).
[[nodiscard]] Expected<Array<float>> recomputeDraws(const Model& model, const Dataset& dataset,
                                                    std::int64_t index, const MethodOptions& method,
                                                    RunContext& context);

/// Draw `draw` of the item at `index`: [K] probabilities, equal to the stored sample of a run with
/// the same seed. Throws like recomputeDraws.
[[nodiscard]] Expected<std::vector<float>> recomputeDraw(const Model& model, const Dataset& dataset,
                                                         std::int64_t index,
                                                         const MethodOptions& method,
                                                         std::int64_t draw, RunContext& context);

}  // namespace dubito
