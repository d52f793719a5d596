// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/run_context.h"
#include "core/data/images/preprocessing.h"
#include "core/data/items/dataset.h"
#include "core/inference/networks/network_on_device_torch.h"
#include "core/kernels/logit_gaussians.h"
#include "core/laplace/posterior/posterior.h"
#include "core/models/layer_nodes_torch.h"

namespace dubito {

/// A network whose weights have a Laplace posterior: turns items into Gaussians over their logits.
class PosteriorNetwork {
 public:
  /// What of some items does not depend on the prior: their logits, and what the covariance is made
  /// of.
  struct Items {
    at::Tensor logits;             ///< [B, K] float32, on the processor
    std::vector<at::Tensor> made;  ///< the items are the first axis of each

    [[nodiscard]] std::int64_t bytes() const;
  };

  virtual ~PosteriorNetwork() = default;

  virtual void setScale(const LaplaceScale& scale) = 0;
  /// To be called with a batch before itemsTogether() counts: what fits is found out on its first
  /// item, whose results are dropped, so that the groups of a batch do not depend on the batches
  /// before it. Errors name the item.
  [[nodiscard]] virtual Status learnSizes(const Batch& batch, const Dataset& dataset) = 0;
  /// How many items prepare() should be given together so that it fits into memory.
  [[nodiscard]] virtual std::int64_t itemsTogether() const = 0;
  /// Passes a batch through the network. Errors name the item.
  [[nodiscard]] virtual Expected<Items> prepare(const Batch& batch, const Dataset& dataset) = 0;
  /// How many rows gaussians() should be given together.
  [[nodiscard]] virtual std::int64_t rowsTogether() const = 0;
  /// Mean [R, K] and covariance of the logits of the rows [begin, end).
  [[nodiscard]] virtual LogitGaussians gaussians(const Items& items, std::int64_t begin,
                                                 std::int64_t end) const = 0;
};

/// The rows [begin, end) of a batch; its inputs are copied.
[[nodiscard]] Batch rowsOf(const Batch& batch, std::int64_t begin, std::int64_t end);

/// kInvalidArgument where the layers of a posterior are others than those of a network.
[[nodiscard]] Status checkSameLayers(const Model& model, const LaplacePosterior& posterior,
                                     const WeightedLayers& layers);

/// `model` and `posterior` outlive the result. kInvalidArgument where the posterior is one of other
/// layers; what HeadNetwork and TappedNetwork refuse. prepare() refuses with kOutOfMemory what
/// exceeds `memory_budget_bytes` (0: the memory of the machine).
[[nodiscard]] Expected<std::unique_ptr<PosteriorNetwork>> makePosteriorNetwork(
    const Model& model, const NetworkOnDevice& network, const LaplacePosterior& posterior,
    const LaplaceScale& scale, std::int64_t memory_budget_bytes = 0);

/// Bytes that one item takes at its largest when a network is linearised around the weights of all
/// its layers: inputs and gradients of every logit, and the largest product made of them. Found
/// with a pass of the first readable item. 0 if no item can be read. Errors of TappedNetwork;
/// kCancelled.
[[nodiscard]] Expected<std::int64_t> linearisedItemBytes(const Model& model,
                                                         const NetworkOnDevice& network,
                                                         const Dataset& dataset,
                                                         const RunContext& context);
/// kOutOfMemory, with the remedy, if items that take `bytes` together exceed the budget (0: the
/// memory of the machine).
[[nodiscard]] Status checkLinearisedMemory(std::int64_t bytes, std::int64_t items,
                                           std::int64_t classes, std::int64_t memory_budget_bytes);

}  // namespace dubito
