// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>

#include <vector>

#include "core/base/run_context.h"
#include "core/train/train.h"
#include "core/train/training_set_torch.h"

namespace dubito {

/// The batch normalisation layers inside a network.
[[nodiscard]] std::vector<torch::jit::Module> batchNormLayers(const torch::jit::Module& network);

/// Recomputes the running means and variances of `network`, built by buildNetwork and on the
/// context's device, for its current weights: their averages over batches of all items of the set,
/// in an order that depends only on the seed, without augmentation and dropout. The network is in
/// eval mode afterwards. Returns at once if it has no batch normalisation. kCancelled.
[[nodiscard]] Status refreshBatchNorm(torch::jit::Module& network, const TrainingSet& set,
                                      const TrainOptions& options, RunContext& context);

}  // namespace dubito
