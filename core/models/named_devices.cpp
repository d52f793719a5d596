// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/ir/constants.h>

#include <set>

#include "core/models/graph_torch.h"
#include "core/models/named_devices_torch.h"

namespace dubito {

using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;
using torch::jit::WithInsertPoint;

namespace {

/// Name of the device that a node is, reads or makes of a text; empty for other nodes, and for
/// texts that name no device.
std::string deviceOf(const Node* node, const torch::jit::Module& module) {
  if (node->outputs().size() != 1) {
    return {};
  }
  if (node->output()->type()->kind() == c10::TypeKind::DeviceObjType) {
    const auto value = resolveValue(module, node->output());
    if (value && value->isDevice()) {
      return value->toDevice().str();
    }
  }
  if (opName(node) != "aten::device" || node->inputs().size() != 1) {
    return {};
  }
  const auto text = torch::jit::toIValue(node->input(0));
  try {
    return text && text->isString() ? c10::Device(text->toStringRef()).str() : std::string();
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace

std::vector<std::string> placeOnCpu(Graph& graph, const torch::jit::Module& module) {
  const std::string cpu = c10::Device(c10::kCPU).str();
  std::set<std::string> named;
  forEachNode(graph.block(), [&](Node* node) {
    const WithInsertPoint here(node);
    if (const std::string device = deviceOf(node, module); !device.empty() && device != cpu) {
      named.insert(device);
      node->output()->replaceAllUsesWith(graph.insertConstant(c10::Device(c10::kCPU)));
      node->destroy();
      return;
    }
    if (opName(node) == "aten::cuda") {
      named.insert("cuda");
      Value* const on_cpu =
          graph.insert(c10::Symbol::fromQualString("aten::cpu"), {node->input(0)});
      node->output()->replaceAllUsesWith(on_cpu);
      node->destroy();
    }
  });
  return {named.begin(), named.end()};
}

}  // namespace dubito
