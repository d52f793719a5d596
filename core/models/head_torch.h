// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <string>
#include <vector>

#include "core/models/items_per_pass.h"

namespace dubito {

/// An operation on the logits [N, K] between the head and the output.
struct HeadTail {
  enum class Kind { kScale, kSoftmax, kLogSoftmax, kSigmoid };
  Kind kind = Kind::kScale;
  double factor = 1.0;   ///< for kScale
  std::int64_t dim = 1;  ///< for kSoftmax and kLogSoftmax
};

/// The last linear layer of a prepared graph: logits = W h + b, plus `added` if any.
struct HeadNode {
  torch::jit::Node* node = nullptr;  ///< nullptr if not found, see `reason`
  std::size_t feature_input = 0;     ///< position of the features among the inputs of `node`
  torch::jit::Value* features = nullptr;
  torch::jit::Value* logits = nullptr;
  at::Tensor weight;  ///< [K, Q] float32
  at::Tensor bias;    ///< [K] float32; undefined if none
  /// A term added to W h that is not a stored vector [K]: a computed bias, or the outputs of other
  /// layers. nullptr if none.
  torch::jit::Value* added = nullptr;
  bool quantised = false;
  bool softmax_after = false;  ///< a softmax follows the head
  bool log_after = false;      ///< a log-softmax follows the head
  std::vector<HeadTail> tail;  ///< all operations from the logits to the output
  std::string reason;          ///< why the head was not found
};

/// Finds the last linear layer by walking back from the output through operators that preserve the
/// rows and the order of classes: softmax, sigmoid, reshapes, casts, one constant factor. The
/// result refers to nodes of `graph`, so it must be found again for every copy of the graph.
[[nodiscard]] HeadNode findHead(torch::jit::Graph& graph, const torch::jit::Module& module);

/// The value before the last step between the head and `value`, such as a softmax, a reshape or one
/// constant factor; nullptr if `value` is not the result of such a step.
[[nodiscard]] torch::jit::Value* beforeTail(const torch::jit::Module& module,
                                            torch::jit::Value* value);

/// The term added to the head's products, as an output of the graph: with limited `items`, one row
/// per item, because passes over parts of a batch are put together by their rows.
[[nodiscard]] torch::jit::Value* addedToItems(torch::jit::Graph& graph, const HeadNode& head,
                                              const ItemsPerPass& items);

/// Applies `tail` to logits [N, K].
[[nodiscard]] at::Tensor applyTail(const std::vector<HeadTail>& tail, const at::Tensor& logits);

/// Comparison of W h + b + added with the logits that a network returned.
struct HeadFit {
  at::Tensor rebuilt;  ///< W h + b + added [N, K] in double
  double error = 0.0;  ///< largest |rebuilt - logits|
  /// Whether rounding alone, with any order of summation, can explain the error.
  bool is_rounding = false;
};
/// `bias` and `added` are undefined if absent.
[[nodiscard]] HeadFit compareWithHead(const at::Tensor& weight, const at::Tensor& bias,
                                      const at::Tensor& features, const at::Tensor& added,
                                      const at::Tensor& logits);

}  // namespace dubito
