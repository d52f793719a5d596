// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/train/dropout_layers_torch.h"

namespace dubito {

/// Keyed masks of training belong to the sites kTrainingSites + i, i = 0, 1, ... in the order of
/// the layers, so that no draw of a prediction repeats them.
inline constexpr std::int64_t kTrainingSites = std::int64_t{1} << 20;

/// The keys of the masks of n rows (theory, section 4).
struct RowKeys {
  std::int64_t seed = 0;
  at::Tensor items;  ///< [n] int64, on the CPU
  at::Tensor draws;  ///< [n] int64, on the CPU
};

/// The loss of a head and its gradients, layer by layer, with keyed masks in place of those that
/// the network itself would draw on one thread: what autograd computes of the network and its cross
/// entropy, but without a graph, because recording the short operators of a minibatch takes as long
/// as running them.
class HeadPass {
 public:
  /// `network` was built by buildHeadNetwork with a design of `places` and is on its device. The
  /// pass shares its weights and need not be rebuilt when they change.
  HeadPass(const torch::jit::Module& network, const std::vector<DropoutPlace>& places);

  /// Gradients of the sum of the cross entropies divided by `items`.
  struct Gradients {
    double loss = 0.0;                ///< sum of the cross entropies, with dropout
    std::vector<at::Tensor> weights;  ///< by parameters(), contiguous
    std::vector<at::Tensor> rates;    ///< by the logits of the learned rates, first layer first
  };
  /// `features` [n, Q] and `labels` [n] int64 are on the device of the network.
  [[nodiscard]] Gradients run(const at::Tensor& features, const at::Tensor& labels,
                              const RowKeys& keys, std::int64_t items) const;

  /// What the dropout before layer `layer` makes of its inputs `x` [n, inputs].
  [[nodiscard]] at::Tensor dropped(std::size_t layer, const at::Tensor& x,
                                   const RowKeys& keys) const;

  /// Weight and bias of each layer, first layer first.
  [[nodiscard]] std::vector<at::Tensor> parameters() const;

 private:
  /// A dropout and the linear layer behind it.
  struct Layer {
    std::int64_t site = 0;   ///< of the masks
    double drop_rate = 0.0;  ///< if the rates are not learned
    at::Tensor logits;       ///< of learned rates, [1] or [inputs]; else undefined
    at::Tensor weight;       ///< [outputs, inputs]
    at::Tensor bias;         ///< [outputs]
  };
  struct Dropped;

  [[nodiscard]] static Dropped drop(const Layer& layer, const at::Tensor& x, const RowKeys& keys);
  /// Gradients by the logits of learned rates.
  [[nodiscard]] static at::Tensor byLogits(const Layer& layer, const Dropped& dropped,
                                           const at::Tensor& by_y);

  std::vector<Layer> layers_;
  at::Tensor mean_;
  at::Tensor scale_;
};

}  // namespace dubito
