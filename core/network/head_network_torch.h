// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

#include "core/models/graph_torch.h"
#include "core/models/head_torch.h"
#include "core/network/network_on_device_torch.h"

namespace dubito {

/// The last linear layer of a graph; kUnsupported, with the reason, if it cannot be used.
[[nodiscard]] Expected<HeadNode> usableHead(const Model& model, torch::jit::Graph& graph,
                                            const torch::jit::Module& module);

/// Checks a network's rows [B, K] as checkedProbabilities does. kUnsupported if they mask a class
/// with a logit of minus infinity, for which there is no Gaussian, or if their probabilities are
/// not the softmax of `logits` [B, K], the outputs of its last linear layer. Both on the CPU.
[[nodiscard]] Status checkHeadOutputs(const Model& model, const at::Tensor& rows,
                                      const at::Tensor& logits, const Dataset& dataset,
                                      std::span<const std::int64_t> indices);

/// A network in inference mode that also returns the inputs and outputs of its last linear layer.
class HeadNetwork {
 public:
  /// kUnsupported, with the reason, if no last linear layer was found. `model` must outlive the
  /// object.
  [[nodiscard]] static Expected<HeadNetwork> of(const Model& model, const NetworkOnDevice& network);

  struct Outputs {
    at::Tensor features;  ///< [B, Q], on the device
    at::Tensor logits;    ///< [B, K] float32, on the CPU
    at::Tensor added;     ///< term added to W h + b, broadcastable to [B, K]; undefined if absent
  };
  /// `x`: the inputs of the items at `indices` (networkInput), on the CPU or the device. Errors
  /// name the item, as in checkedProbabilities. kUnsupported if the network's probabilities are not
  /// the softmax of the last linear layer's outputs.
  [[nodiscard]] Expected<Outputs> run(const at::Tensor& x, std::span<const std::int64_t> indices,
                                      const Dataset& dataset);
  [[nodiscard]] Expected<Outputs> run(const Batch& batch, const Dataset& dataset);

  /// Logits [B, K] computed in double, without the rounding of the network's own sums, which
  /// depends on the batch. For a quantised layer, which rounds by design, the network's own logits.
  /// kUnsupported if the computed logits differ from the network's by more than rounding.
  [[nodiscard]] Expected<at::Tensor> exactLogits(const Outputs& outputs) const;

  [[nodiscard]] const at::Tensor& weight() const { return weight_; }  ///< [K, Q]
  /// [K]; undefined if absent
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
