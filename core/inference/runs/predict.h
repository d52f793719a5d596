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

/// Runs `method` over all items; a method that needs other data must come from prepareMethod.
/// Unreadable items are skipped and listed in meta.skipped. Errors: NaN or infinite outputs (names
/// the item), and draws that are all identical (states the cause). If stopped early, the run
/// contains the items finished so far.
[[nodiscard]] Expected<Run> predict(const Model& model, const Dataset& dataset,
                                    const MethodOptions& method, const PredictOptions& options,
                                    RunContext& context);

/// All draws [T, K] of the item at `index`, equal to the stored samples of a run with the same seed
/// to 1e-6 (for models that depend on batch mates: of a run with batch 1). Throws
/// std::invalid_argument unless canRecomputeDraws(method).
[[nodiscard]] Expected<Array<float>> recomputeDraws(const Model& model, const Dataset& dataset,
                                                    std::int64_t index, const MethodOptions& method,
                                                    RunContext& context);

/// Draw `draw` of the item at `index`: [K] probabilities, equal to the stored sample of a run with
/// the same seed. Throws as recomputeDraws.
[[nodiscard]] Expected<std::vector<float>> recomputeDraw(const Model& model, const Dataset& dataset,
                                                         std::int64_t index,
                                                         const MethodOptions& method,
                                                         std::int64_t draw, RunContext& context);

}  // namespace dubito
