// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <string>
#include <vector>

namespace dubito {

/// What happens to logits [N, K] between the head and the output.
struct HeadTail {
  enum class Kind { kScale, kSoftmax, kLogSoftmax, kSigmoid };
  Kind kind = Kind::kScale;
  double factor = 1.0;   ///< of kScale
  std::int64_t dim = 1;  ///< of the two softmaxes
};

/// The last linear layer of a prepared graph: logits = W h + b, plus `added` if there is such.
struct HeadNode {
  torch::jit::Node* node = nullptr;  ///< nullptr: not found, see reason
  std::size_t feature_input = 0;     ///< which input of `node` the features are
  torch::jit::Value* features = nullptr;
  torch::jit::Value* logits = nullptr;
  at::Tensor weight;  ///< [K, Q] float32
  at::Tensor bias;    ///< [K] float32; undefined without one
  /// What is added to W h and is no stored vector [K]: a bias that is computed, or the outputs of
  /// other layers. nullptr: nothing.
  torch::jit::Value* added = nullptr;
  bool quantised = false;
  bool softmax_after = false;  ///< a softmax follows
  bool log_after = false;      ///< a log-softmax follows
  std::vector<HeadTail> tail;  ///< from the logits to the output
  std::string reason;          ///< why it was not found
};

/// Walks back from the output through operators that leave rows and order of classes alone:
/// softmax, sigmoid, reshapes, casts, one constant factor. Found anew in every copy of a graph.
[[nodiscard]] HeadNode findHead(torch::jit::Graph& graph, const torch::jit::Module& module);

/// What `tail` makes of logits [N, K].
[[nodiscard]] at::Tensor throughTail(const std::vector<HeadTail>& tail, const at::Tensor& logits);

/// What W h + b + added gives beside the logits that a network returned.
struct HeadFit {
  at::Tensor rebuilt;  ///< W h + b + added [N, K] in double
  double error = 0.0;  ///< largest |rebuilt - logits|
  /// Whether rounding explains the error, whatever the order in which the network sums.
  bool is_rounding = false;
};
/// `bias` and `added` undefined without such.
[[nodiscard]] HeadFit compareWithHead(const at::Tensor& weight, const at::Tensor& bias,
                                      const at::Tensor& features, const at::Tensor& added,
                                      const at::Tensor& logits);

}  // namespace dubito
