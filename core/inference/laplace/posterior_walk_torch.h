// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>

#include "core/base/run_context.h"
#include "core/inference/laplace/posterior_network_torch.h"
#include "core/inference/networks/rows_that_fit.h"

namespace dubito {

/// Runs a batch through the network, as many items at a time as fit, and passes each part with its
/// first row to `take`. Errors of prepare(); kCancelled.
[[nodiscard]] Status forEachPart(
    PosteriorNetwork& network, const Batch& batch, const Dataset& dataset, RowsThatFit& rows,
    const RunContext& context,
    const std::function<void(PosteriorNetwork::Items&& part, std::int64_t first)>& take);

/// Passes the Gaussians of `items` to `take`, as many rows at a time as fit, with their first row.
/// kCancelled.
using TakeGaussians = std::function<void(const LogitGaussians& gaussians, std::int64_t first)>;
[[nodiscard]] Status forEachGaussian(const PosteriorNetwork& network,
                                     const PosteriorNetwork::Items& items,
                                     const RunContext& context, const TakeGaussians& take);

/// Both steps: the Gaussians of a batch.
[[nodiscard]] Status forEachGaussian(PosteriorNetwork& network, const Batch& batch,
                                     const Dataset& dataset, RowsThatFit& rows,
                                     const RunContext& context, const TakeGaussians& take);

}  // namespace dubito
