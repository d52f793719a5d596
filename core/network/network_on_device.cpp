// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/network_on_device_torch.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include "core/kernels/cuda_library.h"
#include "core/models/graph_torch.h"
#include "core/models/model_torch.h"
#include "core/models/own_state_torch.h"

namespace dubito {
namespace {

/// Tensors and devices that tracing or freezing stored in the graph.
void moveConstants(torch::jit::Graph& graph, const c10::Device& device) {
  forEachNode(graph.block(), [&](torch::jit::Node* node) {
    if (node->kind() != c10::prim::Constant || node->outputs().size() != 1) {
      return;
    }
    const auto constant = torch::jit::toIValue(node->output());
    if (!constant || !(constant->isTensor() || constant->isDevice())) {
      return;
    }
    const torch::jit::WithInsertPoint here(node);
    torch::jit::Value* const moved = constant->isTensor()
                                         ? graph.insertConstant(constant->toTensor().to(device))
                                         : graph.insertConstant(device);
    node->output()->replaceAllUsesWith(moved);
    node->destroy();
  });
}

bool isQuantised(const PreparedNetwork& network) {
  bool found = false;
  forEachNode(network.graph->block(), [&found](torch::jit::Node* node) {
    found = found || opName(node).starts_with("quantized::");
  });
  return found;
}

}  // namespace

void setUpTorch(const RunContext& context) {
  torch::jit::getProfilingMode() = false;
  at::set_num_threads(context.threads);
}

Expected<NetworkOnDevice> placeNetwork(const Model& model, const Device& device) {
  const Model::Impl& impl = model.impl();
  NetworkOnDevice placed;
  placed.graph = impl.network.graph->copy();
  placed.items_per_pass = impl.network.items_per_pass;
  if (!device.isCuda()) {
    // State written by the network must not reach the next computation.
    placed.module =
        impl.network.written_state.empty() ? impl.module : withOwnState(impl.module, *placed.graph);
    return placed;
  }
  if (isQuantised(impl.network)) {
    return fail(
        ErrorCode::kUnsupported,
        fmt::format("{}: a quantised network runs on the CPU only; choose it", model.path()),
        {setting("device", "cpu")});
  }
  if (Status ready = prepareCuda(device); !ready) {
    return failWith(ready);
  }
  placed.device = c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(device.index));
  placed.module = impl.module.deepcopy();
  placed.module.to(placed.device);
  moveConstants(*placed.graph, placed.device);
  return placed;
}

NetworkOnDevice withCopiedState(const Model& model, const NetworkOnDevice& network) {
  NetworkOnDevice other = network;
  if (!model.impl().network.written_state.empty()) {
    other.module = withOwnState(network.module, *network.graph);
  }
  return other;
}

}  // namespace dubito
