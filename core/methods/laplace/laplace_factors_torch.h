// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/laplace/laplace_memory.h"
#include "core/laplace/laplace_settings.h"
#include "core/laplace/posterior/factors.h"
#include "core/methods/laplace/fitted_items_torch.h"
#include "core/network/network_on_device_torch.h"

namespace dubito {

/// The curvature of a network's loss over a set of items, as factors.
struct FactorsOfItems {
  LaplaceFactors factors;
  FittedItems items;
  std::vector<std::string> notes;
};

/// Sizes of the layers that get a posterior.
[[nodiscard]] Expected<std::vector<LayerSize>> posteriorLayers(const Model& model,
                                                               const NetworkOnDevice& network,
                                                               const LaplaceSettings& settings);

/// Reads `dataset` and accumulates the factors for the last layer or all layers, as the settings
/// require. The expectation over labels is exact for up to 20 classes; for more classes it is
/// estimated from 20 labels per item, drawn with the context's seed. Returns kOutOfMemory before
/// the first pass if the factors cannot fit into memory. With several ranks, each returns the
/// factors of all items.
[[nodiscard]] Expected<FactorsOfItems> laplaceFactors(
    const Model& model, const NetworkOnDevice& network, const LaplaceSettings& settings,
    const Dataset& dataset, const PredictOptions& options, RunContext& context);

}  // namespace dubito
