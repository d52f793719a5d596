// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/tapped_network_torch.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/jit/ir/constants.h>

#include <utility>

#include "core/kernels/torch/keyed_dropout_torch.h"
#include "core/models/graph_torch.h"
#include "core/models/head_torch.h"
#include "core/models/model_torch.h"
#include "core/models/program/torch_reason.h"
#include "core/network/head_network_torch.h"
#include "core/network/network_batch_torch.h"

namespace dubito {
namespace {

using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

Node* cloneOf(Graph& graph, Value* value) {
  const torch::jit::WithInsertPoint here(value->node()->next());
  return graph.insert(c10::aten::clone, {value})->node();
}

/// Makes a layer's inputs and outputs results of the graph. The network continues with a copy of
/// the outputs: an in-place activation would otherwise change what is differentiated.
void tap(Graph& graph, const LayerNode& layer) {
  Value* const features = layer.features.node->input(layer.features.position);
  {
    const torch::jit::WithInsertPoint here(layer.features.node);
    graph.registerOutput(graph.insert(c10::aten::clone, {features}));
  }
  Node* const copy = cloneOf(graph, layer.output);
  layer.output->replaceAllUsesAfterNodeWith(copy, copy->output());
  graph.registerOutput(layer.output);
}

/// A copy of the graph whose convolutions skip zeros in the backward pass.
std::shared_ptr<Graph> withSparseGradients(Graph& graph, const torch::jit::Module& module) {
  registerKeyedDropout();
  static const c10::Symbol sparse = c10::Symbol::fromQualString("dubito::sparse_conv2d");
  std::shared_ptr<Graph> copy = graph.copy();
  forEachNode(copy->block(), [&](Node* node) {
    const auto layer = convolutionLayer(module, node);
    if (!layer) {
      return;
    }
    const torch::jit::WithInsertPoint here(node);
    Value* const result = copy->insert(
        sparse,
        {node->input(0), node->input(1), node->input(2), copy->insertConstant(layer->stride),
         copy->insertConstant(layer->padding), copy->insertConstant(layer->dilation)});
    node->output()->replaceAllUsesWith(result);
    node->destroy();
  });
  copy->lint();
  return copy;
}

}  // namespace

TappedNetwork::TappedNetwork(const Model& model, const NetworkOnDevice& network,
                             WeightedLayers layers, const std::shared_ptr<Graph>& graph)
    : model_(model),
      network_(network),
      layers_(std::move(layers)),
      code_(network_.device.is_cpu() ? withSparseGradients(*graph, network_.module) : graph,
            "tapped"),
      reached_(std::make_unique<std::atomic<bool>[]>(layers_.layers.size())) {}

Expected<TappedNetwork> TappedNetwork::of(const Model& model, const NetworkOnDevice& network) {
  if (model.audit().batch.depends_on_batch) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: its results depend on the items that share a batch ({}), so a "
                            "single item has no gradient; use the last layer",
                            model.path(), model.audit().batch.reason),
                {setting("layers", "last")});
  }
  if (!network.items_per_pass.isUnlimited()) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: its program does not run on any number of items, so single items "
                            "cannot be differentiated; use the last layer, or export it "
                            "without the batch size of its example",
                            model.path()),
                {setting("layers", "last")});
  }
  const std::shared_ptr<Graph> graph = deterministicGraph(*network.graph);
  const auto head = usableHead(model, *graph, network.module);
  if (!head) {
    return failWith(head);
  }
  WeightedLayers layers = weightedLayers(*graph, network.module);
  if (layers.layers.empty()) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: none of its layers can be given a posterior; use the last layer",
                            model.path()),
                {setting("layers", "last")});
  }
  graph->registerOutput(head->logits);
  for (const LayerNode& layer : layers.layers) {
    tap(*graph, layer);
  }
  graph->lint();
  return TappedNetwork(model, network, std::move(layers), graph);
}

at::Tensor TappedNetwork::positionsLast(const LayerNode& layer, const at::Tensor& values,
                                        std::int64_t items) const {
  if (layer.is_convolution) {
    return values.flatten(2);
  }
  return values.dim() == 2 ? values.unsqueeze(2)
                           : values.reshape({items, -1, values.size(-1)}).transpose(1, 2);
}

Expected<TappedNetwork::Pass> TappedNetwork::run(const at::Tensor& x,
                                                 std::span<const std::int64_t> indices,
                                                 const Dataset& dataset) const {
  const std::int64_t items = x.size(0);
  torch::jit::Stack results;
  try {
    const at::AutoGradMode with_gradients(true);
    const at::Tensor none = at::empty({0}, at::TensorOptions(at::kLong).device(network_.device));
    // Everything downstream of an input that requires a gradient is differentiable; a copy of it
    // may be written into.
    const at::Tensor leaf = deviceCopy(x, network_.device).requires_grad_(true);
    results = {network_.module._ivalue(), leaf.clone(), std::int64_t{0}, none, none};
    torch::jit::InterpreterState(code_).run(results);
  } catch (const std::exception& exception) {
    return networkFailure(model_, x, exception);
  }
  const at::Tensor rows = results.at(0).toTensor().detach().cpu();
  Pass pass;
  pass.logits = results.at(1).toTensor();
  if (Status checked = checkHeadOutputs(model_, rows, pass.logits.detach().cpu(), dataset, indices);
      !checked) {
    return failWith(checked);
  }
  const at::NoGradGuard no_gradients;
  for (std::size_t i = 0; i < layers().size(); ++i) {
    const LayerNode& layer = layers()[i];
    const at::Tensor features = results.at(2 + 2 * i).toTensor().detach();
    const at::Tensor& output = results.at(3 + 2 * i).toTensor();
    if (features.size(0) != items || output.size(0) != items) {
      return fail(ErrorCode::kUnsupported,
                  fmt::format("{}: its layer {} takes rows that are not items (windows or heads); "
                              "use the last layer",
                              model_.path(), layer.name),
                  {setting("layers", "last")});
    }
    const at::IntArrayRef kernel =
        layer.is_convolution ? layer.weight_values.sizes().slice(2) : at::IntArrayRef();
    pass.inputs.push_back(layer.is_convolution ? at::im2col(features, kernel, layer.dilation,
                                                            layer.padding, layer.stride)
                                               : positionsLast(layer, features, items));
    pass.outputs.push_back(output);
  }
  return pass;
}

Expected<std::vector<at::Tensor>> TappedNetwork::gradients(const Pass& pass,
                                                           const at::Tensor& direction) const {
  std::vector<at::Tensor> found;
  try {
    found =
        torch::autograd::grad({pass.logits}, pass.outputs, {direction.to(pass.logits.options())},
                              /*retain_graph=*/true, /*create_graph=*/false,
                              /*allow_unused=*/true);
  } catch (const std::exception& exception) {
    if (isOutOfMemory(exception)) {
      return networkFailure(model_, pass.logits, exception);
    }
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: the network cannot be differentiated ({}); use the last layer",
                            model_.path(), torchReason(exception)),
                {setting("layers", "last")}, exception.what());
  }
  const at::NoGradGuard no_gradients;
  std::vector<at::Tensor> gradients;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].defined()) {
      reached_[i] = true;
    }
    const at::Tensor gradient = found[i].defined() ? found[i] : at::zeros_like(pass.outputs[i]);
    gradients.push_back(positionsLast(layers()[i], gradient, direction.size(0)));
  }
  return gradients;
}

std::vector<std::string> TappedNetwork::unreached() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < layers().size(); ++i) {
    if (!reached_[i]) {
      names.push_back(layers()[i].name);
    }
  }
  return names;
}

}  // namespace dubito
