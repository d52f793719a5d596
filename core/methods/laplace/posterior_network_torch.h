// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/kernels/logit_gaussians.h"
#include "core/laplace/posterior/posterior.h"
#include "core/models/layer_nodes_torch.h"
#include "core/network/network_on_device_torch.h"

namespace dubito {

/// A network with a Laplace posterior over its weights: maps items to Gaussians over their logits.
class PosteriorNetwork {
 public:
  /// The results that do not depend on the prior: logits, and the tensors from which gaussians()
  /// computes covariances.
  struct Items {
    at::Tensor logits;                          ///< [B, K] float32, on the CPU
    std::vector<at::Tensor> covariance_inputs;  ///< axis 0 of each: items

    [[nodiscard]] std::int64_t bytes() const;
  };

  virtual ~PosteriorNetwork() = default;

  virtual void setScale(const LaplaceScale& scale) = 0;
  /// Measures memory on the first item of a batch and discards the results. `x` and `indices` as
  /// in prepare(). Call it for every batch before itemsPerPass(), so that how a batch is split does
  /// not depend on earlier batches. Errors name the item.
  [[nodiscard]] virtual Status measureSizes(const at::Tensor& x,
                                            std::span<const std::int64_t> indices,
                                            const Dataset& dataset) = 0;
  /// Number of items for which one call of prepare() fits into memory.
  [[nodiscard]] virtual std::int64_t itemsPerPass() const = 0;
  /// Runs the items at `indices` through the network; `x` are their inputs (networkInput), on the
  /// CPU or the device. Errors name the item.
  [[nodiscard]] virtual Expected<Items> prepare(const at::Tensor& x,
                                                std::span<const std::int64_t> indices,
                                                const Dataset& dataset) = 0;
  /// Number of rows that gaussians() should process at a time.
  [[nodiscard]] virtual std::int64_t rowsPerCall() const = 0;
  /// Means [R, K] and covariances of the logits of the R rows [begin, end) of `items`.
  [[nodiscard]] virtual LogitGaussians gaussians(const Items& items, std::int64_t begin,
                                                 std::int64_t end) const = 0;
};

/// kInvalidArgument if the posterior's layers differ from the network's.
[[nodiscard]] Status checkSameLayers(const Model& model, const LaplacePosterior& posterior,
                                     const WeightedLayers& layers);

/// `model` and `posterior` must outlive the result. kInvalidArgument if the posterior's layers
/// differ from the network's; errors of HeadNetwork and TappedNetwork. prepare() of the result
/// returns kOutOfMemory if it needs more than `memory_budget_bytes` (0: the machine's memory).
[[nodiscard]] Expected<std::unique_ptr<PosteriorNetwork>> makePosteriorNetwork(
    const Model& model, const NetworkOnDevice& network, const LaplacePosterior& posterior,
    const LaplaceScale& scale, std::int64_t memory_budget_bytes = 0);

/// Peak bytes per item when a network is linearised around the weights of all layers: inputs,
/// gradients of every logit, and their largest product. Measured on the first readable item; 0 if
/// no item can be read. Errors of TappedNetwork; kCancelled.
[[nodiscard]] Expected<std::int64_t> linearisedItemBytes(const Model& model,
                                                         const NetworkOnDevice& network,
                                                         const Dataset& dataset,
                                                         const RunContext& context);
/// kOutOfMemory, with the remedy, if the `bytes` that `items` items take in total exceed the budget
/// (0: the machine's memory).
[[nodiscard]] Status checkLinearisedMemory(std::int64_t bytes, std::int64_t items,
                                           std::int64_t classes, std::int64_t memory_budget_bytes);

}  // namespace dubito
