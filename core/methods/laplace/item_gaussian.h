// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/measures/laplace_bridge.h"
#include "core/methods/laplace/laplace_options.h"
#include "core/models/model.h"

namespace dubito {

/// The Gaussian over the logits of the item at `index`, with all covariances, of which a run stores
/// only the variances. `method` comes from prepareMethod and is not weight sampling
/// (drawsWeights()). kReadFailed for an item that cannot be read; errors of predict().
[[nodiscard]] Expected<LogitGaussian> itemGaussian(const Model& model, const Dataset& dataset,
                                                   std::int64_t index, const LaplaceOptions& method,
                                                   RunContext& context);

}  // namespace dubito
