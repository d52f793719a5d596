// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <utility>

#include "core/models/graph_torch.h"
#include "core/models/prepare_torch.h"

namespace dubito {

using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;
using torch::jit::WithInsertPoint;

namespace {

constexpr const char* kNoMode = "no training mode";
constexpr const char* kBatchStatistics = "statistics of the batch";
constexpr const char* kFunctional = "functional";  // name of a layer without a module

/// Whether the layer has stored statistics to fall back on.
bool hasRunningMean(const torch::jit::Module& module, const Node* node) {
  const auto index = inputIndex(node, "running_mean");
  if (!index) {
    return false;
  }
  const Value* const mean = node->input(*index);
  if (mean->type()->kind() == c10::TypeKind::NoneType) {
    return false;
  }
  const auto value = resolveValue(module, mean);
  return !value || !value->isNone();
}

/// The argument that selects the batch's statistics; nullptr if there is none.
const char* trainingArgument(const std::string& op) {
  if (op == "aten::batch_norm" || op == "aten::native_batch_norm") {
    return "training";
  }
  return op == "aten::instance_norm" ? "use_input_stats" : nullptr;
}

bool isNormWithoutMode(const std::string& op) {
  return op == "aten::layer_norm" || op == "aten::group_norm" || op == "aten::rms_norm";
}

std::string nameOf(const Node* node) {
  const auto weight = inputIndex(node, "weight");
  const auto path = weight ? attributePath(node->input(*weight)) : std::nullopt;
  if (path) {
    const std::size_t dot = path->rfind('.');
    return dot == std::string::npos ? *path : path->substr(0, dot);
  }
  const std::string module = modulePath(node);
  return module.empty() ? kFunctional : module;
}

}  // namespace

std::vector<NormLayer> freezeNormalisation(Graph& graph, const torch::jit::Module& module,
                                           std::vector<std::string>& batch_ops) {
  std::vector<NormLayer> layers;
  // A program may call one layer in several places, such as the branches for one item and many.
  const auto list = [&layers](NormLayer layer) {
    const bool is_listed = std::ranges::any_of(layers, [&layer](const NormLayer& other) {
      return layer.name != kFunctional && layer.name == other.name && layer.op == other.op &&
             layer.mode == other.mode;
    });
    if (!is_listed) {
      layers.push_back(std::move(layer));
    }
  };
  forEachNode(graph.block(), [&](Node* node) {
    const std::string op = opName(node);
    if (isNormWithoutMode(op)) {
      list({nameOf(node), op, kNoMode});
      return;
    }
    const char* const argument = trainingArgument(op);
    if (argument == nullptr) {
      return;
    }
    const std::size_t flag = inputIndex(node, argument).value();
    if (hasRunningMean(module, node)) {
      list({nameOf(node), op, modeOf(node->input(flag))});
      const WithInsertPoint here(node);
      node->replaceInput(flag, graph.insertConstant(false));
    } else if (op == "aten::instance_norm") {
      list({nameOf(node), op, kNoMode});
    } else {
      list({nameOf(node), op, kBatchStatistics});
      batch_ops.push_back(op + " without stored statistics");
    }
  });
  return layers;
}

}  // namespace dubito
