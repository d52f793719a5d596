// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>

#include "core/base/run_context.h"
#include "core/inference/laplace/posterior_network_torch.h"
#include "core/inference/networks/rows_that_fit.h"

namespace dubito {

/// Passes a batch through the network, as many items at a time as fit, and hands each part over
/// with the row that it begins at. Errors of prepare(); kCancelled.
[[nodiscard]] Status eachPart(
    PosteriorNetwork& network, const Batch& batch, const Dataset& dataset, RowsThatFit& rows,
    const RunContext& context,
    const std::function<void(PosteriorNetwork::Items&& part, std::int64_t first)>& take);

/// Hands over the Gaussians of items, as many at a time as fit, with the row that they begin at.
/// kCancelled.
using TakeGaussians = std::function<void(const LogitGaussians& gaussians, std::int64_t first)>;
[[nodiscard]] Status eachGaussian(const PosteriorNetwork& network,
                                  const PosteriorNetwork::Items& items, const RunContext& context,
                                  const TakeGaussians& take);

/// Both: the Gaussians of a batch.
[[nodiscard]] Status eachGaussian(PosteriorNetwork& network, const Batch& batch,
                                  const Dataset& dataset, RowsThatFit& rows,
                                  const RunContext& context, const TakeGaussians& take);

}  // namespace dubito
