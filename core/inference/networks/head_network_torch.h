// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

#include "core/inference/networks/network_on_device_torch.h"
#include "core/models/graph_torch.h"
#include "core/models/head_torch.h"

namespace dubito {

/// The last linear layer of a graph; kUnsupported, with the reason, where it cannot be used.
[[nodiscard]] Expected<HeadNode> usableHead(const Model& model, torch::jit::Graph& graph,
                                            const torch::jit::Module& module);

/// kUnsupported if the network's rows [B, K] mask a class with a logit of minus infinity, of which
/// there is no Gaussian.
[[nodiscard]] Status refuseMasked(const Model& model, const at::Tensor& rows);

/// kUnsupported where the network's probabilities [B, K] are not the softmax of its last linear
/// layer's outputs [B, K].
[[nodiscard]] Status checkSoftmaxOfHead(const Model& model, const at::Tensor& logits,
                                        const at::Tensor& probs);

/// A network in inference with what goes into its last linear layer and what comes out of it.
class HeadNetwork {
 public:
  /// kUnsupported, with the reason, where no last linear layer was found. `model` outlives the
  /// object.
  [[nodiscard]] static Expected<HeadNetwork> of(const Model& model, const NetworkOnDevice& network);

  struct Outputs {
    at::Tensor features;  ///< [B, Q], on the device
    at::Tensor logits;    ///< [B, K] float32, on the processor
    at::Tensor added;     ///< to W h + b, broadcasts to [B, K]; undefined without such
  };
  /// Errors name the item, as checkedProbabilities. kUnsupported where the network's probabilities
  /// are not the softmax of that layer's outputs.
  [[nodiscard]] Expected<Outputs> run(const Batch& batch, const Dataset& dataset);

  /// The logits [B, K] in double without the rounding of the network's own sums, which depends on
  /// the batch; of a quantised layer, which rounds on purpose, the network's own. kUnsupported
  /// where more than rounding lies between the two.
  [[nodiscard]] Expected<at::Tensor> exactLogits(const Outputs& outputs) const;

  [[nodiscard]] const at::Tensor& weight() const { return weight_; }  ///< [K, Q]
  /// [K]; undefined without one.
  [[nodiscard]] const at::Tensor& bias() const { return bias_; }

 private:
  HeadNetwork(const Model& model, const NetworkOnDevice& network, GraphRunner runner);

  const Model& model_;
  NetworkOnDevice network_;
  GraphRunner runner_;
  at::Tensor weight_;
  at::Tensor bias_;
  bool is_quantised_ = false;
};

}  // namespace dubito
