// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/models/items_per_pass.h"

namespace dubito {

/// Visits every node of a block in execution order; the nodes of inner blocks (branches, loops) are
/// visited before the nodes that follow them. The visited node may be destroyed.
void forEachNode(torch::jit::Block* block, const std::function<void(torch::jit::Node*)>& visit);

/// The operator's name: "aten::dropout".
[[nodiscard]] std::string opName(const torch::jit::Node* node);

/// Whether a value is a tensor.
[[nodiscard]] bool isTensor(const torch::jit::Value* value);

/// Position of the input named `argument` in the operator's schema; nullopt if there is none.
[[nodiscard]] std::optional<std::size_t> inputIndex(const torch::jit::Node* node,
                                                    const std::string& argument);

/// The attribute path of a value, as in "fc1.weight"; nullopt if it is not an attribute of the
/// network.
[[nodiscard]] std::optional<std::string> attributePath(const torch::jit::Value* value);

/// Whether a node only gives its first input another order or shape, as is done to weights: a
/// transposition, or flattening to rows.
[[nodiscard]] bool isReshapedWeight(const torch::jit::Node* node);

/// The value at run time if it is a constant, an attribute of the network, or one that is
/// transposed or flattened to rows; nullopt otherwise.
[[nodiscard]] std::optional<c10::IValue> resolveValue(const torch::jit::Module& module,
                                                      const torch::jit::Value* value);

/// The integers of a list, nullopt for those that are computed; empty if the list itself is
/// computed, or is none of integers.
[[nodiscard]] std::vector<std::optional<std::int64_t>> integersOf(const torch::jit::Value* list);

/// Path of the submodule whose code the node came from, as in "features.3"; empty for the network
/// itself and for free functions.
[[nodiscard]] std::string modulePath(const torch::jit::Node* node);

/// Whether a node multiplies by weights: a linear or convolutional layer, quantised or not.
[[nodiscard]] bool isWeightedLayer(const torch::jit::Node* node);

/// The name of a layer: the module that holds its weights, else the module of its code, else the
/// operator.
[[nodiscard]] std::string layerName(const torch::jit::Node* node);

/// Where in the network a value is used, for display: "before fc2", "before the output".
[[nodiscard]] std::string placeOf(const torch::jit::Value* value);

/// The node in the outermost block that contains `node` or is `node`.
[[nodiscard]] torch::jit::Node* outermostNode(torch::jit::Node* node);

/// A graph ready to run. What its program prints and warns of is left out.
class GraphRunner {
 public:
  /// With limited `items`, the graph must have the inputs of a prepared one (PreparedInput) and
  /// return tensors whose rows are those of the items.
  GraphRunner(std::shared_ptr<torch::jit::Graph> graph, const std::string& name,
              const ItemsPerPass& items = {});

  /// Runs the graph, with gradients disabled, and returns all outputs. Numbers of items that the
  /// graph does not take are run in several passes, or filled up with copies of the last item,
  /// which have the id kPaddedItem.
  [[nodiscard]] std::vector<c10::IValue> run(std::vector<c10::IValue> inputs);
  [[nodiscard]] const std::shared_ptr<torch::jit::Graph>& graph() const { return graph_; }

 private:
  [[nodiscard]] std::vector<c10::IValue> pass(std::vector<c10::IValue> inputs);

  std::shared_ptr<torch::jit::Graph> graph_;
  torch::jit::GraphExecutor executor_;
  ItemsPerPass items_;
};

}  // namespace dubito
