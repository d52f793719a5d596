// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/methods/method_options.h"
#include "core/models/model.h"

namespace dubito {

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
