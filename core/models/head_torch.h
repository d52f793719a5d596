// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <string>

namespace dubito {

/// The last linear layer of a prepared graph.
struct HeadNode {
  torch::jit::Node* node = nullptr;  ///< nullptr: not found, see reason
  std::size_t feature_input = 0;     ///< which input of `node` the features are
  torch::jit::Value* features = nullptr;
  torch::jit::Value* logits = nullptr;
  at::Tensor weight;  ///< [K, Q] float32
  at::Tensor bias;    ///< [K] float32; undefined without one
  bool quantised = false;
  bool softmax_after = false;  ///< a softmax follows
  bool log_after = false;      ///< a log-softmax follows
  std::string reason;          ///< why it was not found
};

/// Walks back from the output through softmax, reshapes and casts. Found anew in every copy of a
/// graph.
[[nodiscard]] HeadNode findHead(torch::jit::Graph& graph, const torch::jit::Module& module);

}  // namespace dubito
