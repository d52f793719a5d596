// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/optim/adam.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/train/drop_rate_trace.h"
#include "core/train/dropout_layers_torch.h"

namespace dubito {

/// The learned rates of a network that was built with a design of `places`; empty if it has none.
[[nodiscard]] DropRates learnedRates(const torch::jit::Module& network,
                                     const std::vector<DropoutPlace>& places);

/// The drop rates of a network that are trained with its weights, and their regulariser (theory,
/// section 4). Weights without learned dropout are the trainer's own business.
class LearnedDropout {
 public:
  /// `network` was built with a design of `places` and is on its device; `items` is N. Without
  /// learned rates everything below does nothing.
  LearnedDropout(const torch::jit::Module& network, const std::vector<DropoutPlace>& places,
                 double length_scale, std::int64_t items);

  [[nodiscard]] bool empty() const { return layers_.empty(); }
  /// The weights whose size the penalty restrains: they have no weight decay besides it.
  [[nodiscard]] std::vector<at::Tensor> weights() const;
  /// The logits of the rates.
  [[nodiscard]] std::vector<at::Tensor> logits() const;
  /// Sum over the layers of weight_reg sum_i |V_:i|^2 / (1 - p_i) + dropout_reg sum_i (p_i log p_i
  /// + (1 - p_i) log(1 - p_i)), to be added to the mean cross entropy, with weight_reg = l^2 / (2
  /// N) and dropout_reg = 1 / N; i runs over the inputs of the layer. A scalar; undefined if
  /// empty().
  [[nodiscard]] at::Tensor penalty() const;

  void zeroGradients();
  /// Moves the logits along their gradients with Adam, whose steps do not depend on the size of the
  /// gradients: those of a unit are too small for the weights' learning rate. `share` in [0, 1] is
  /// that of the learning-rate schedule.
  void step(double share);

  [[nodiscard]] std::vector<LayerDropRates> trace() const;

  /// The state of the optimiser, as bytes; empty if empty().
  [[nodiscard]] std::string optimiserState() const;
  /// Throws if the state belongs to other layers.
  void restoreOptimiser(const std::string& state);

 private:
  struct Layer {
    DropoutPlace place;
    at::Tensor logits;  ///< [1] or [units]
    at::Tensor weight;
  };

  double length_scale_;
  std::int64_t items_;
  std::vector<Layer> layers_;
  std::unique_ptr<torch::optim::Adam> optimiser_;
};

}  // namespace dubito
