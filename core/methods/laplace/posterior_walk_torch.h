// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/base/run_context.h"
#include "core/methods/laplace/posterior_network_torch.h"
#include "core/network/rows_that_fit.h"

namespace dubito {

/// Runs the items at `indices`, whose inputs are `x` (networkInput, on the CPU or the device),
/// through the network, as many at a time as fit into memory, and calls `take` for each part with
/// the part's first row. Errors of prepare(); kCancelled.
[[nodiscard]] Status forEachPart(
    PosteriorNetwork& network, const at::Tensor& x, std::span<const std::int64_t> indices,
    const Dataset& dataset, RowsThatFit& rows, const RunContext& context,
    const std::function<void(PosteriorNetwork::Items&& part, std::int64_t first)>& take);

/// Computes the Gaussians of `items`, as many rows at a time as fit into memory, and calls `take`
/// for each group of rows with the first row of the group. kCancelled.
using TakeGaussians = std::function<void(const LogitGaussians& gaussians, std::int64_t first)>;
[[nodiscard]] Status forEachGaussian(const PosteriorNetwork& network,
                                     const PosteriorNetwork::Items& items,
                                     const RunContext& context, const TakeGaussians& take);

/// Combines both functions: calls `take` with the Gaussians of the items.
[[nodiscard]] Status forEachGaussian(PosteriorNetwork& network, const at::Tensor& x,
                                     std::span<const std::int64_t> indices, const Dataset& dataset,
                                     RowsThatFit& rows, const RunContext& context,
                                     const TakeGaussians& take);

}  // namespace dubito
