// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>
#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/models/audit_torch.h"
#include "core/models/layer_nodes_torch.h"
#include "core/models/model_torch.h"

namespace dubito {
namespace {

/// Equal up to rounding, in the precision of `rows`.
bool isCloseTo(const at::Tensor& rows, const at::Tensor& expected) {
  const bool is_short = rows.scalar_type() == at::kHalf || rows.scalar_type() == at::kBFloat16;
  const double tolerance = is_short ? 3e-2 : 1e-4;
  return at::allclose(rows.to(at::kDouble), expected, tolerance, tolerance, /*equal_nan=*/true);
}

/// "wide (aten::linear)".
std::string describeAdded(const torch::jit::Value* added) {
  const torch::jit::Node* const maker = added->node();
  const std::string op = opName(maker);
  if (const auto path = attributePath(added)) {
    return *path;
  }
  const std::string name = layerName(maker);
  return name == op ? op : fmt::format("{} ({})", name, op);
}

}  // namespace

Head auditHead(const torch::jit::Module& module, const PreparedNetwork& network, const Probe& probe,
               HeadNode& found) {
  Head head;
  std::shared_ptr<torch::jit::Graph> graph = deterministicGraph(*network.graph);
  found = findHead(*graph, module);
  if (found.node == nullptr) {
    head.reason = found.reason;
    return head;
  }
  head.op = opName(found.node);
  head.quantised = found.quantised;
  head.has_bias = found.bias.defined();
  head.added = found.added == nullptr ? "" : describeAdded(found.added);
  graph->registerOutput(found.features);
  graph->registerOutput(found.logits);
  if (found.added != nullptr) {
    graph->registerOutput(addedToItems(*graph, found, network.items_per_pass));
  }
  const auto refuse = [&](const std::string& reason) {
    found.node = nullptr;
    found.reason = head.reason = reason;
    return head;
  };
  GraphRunner runner(graph, "head", network.items_per_pass);
  const at::Tensor inputs = probe.inputs.slice(0, 0, itemsToCompare(probe));
  const auto results = runner.run(deterministicInputs(module, inputs));
  const at::Tensor features = results.at(1).toTensor();
  const at::Tensor logits = results.at(2).toTensor();
  if (features.dim() != 2 || features.size(0) != inputs.size(0) || logits.dim() != 2 ||
      found.weight.size(1) != features.size(1)) {
    return refuse("the input of the last linear layer is not one vector per item");
  }
  if (logits.size(0) != inputs.size(0) || logits.size(1) != found.weight.size(0)) {
    return refuse("the term added to the last linear layer has another shape than its outputs");
  }
  const at::Tensor added = found.added == nullptr ? at::Tensor() : results.at(3).toTensor();
  const HeadFit fit = compareWithHead(found.weight, found.bias, features, added, logits);
  if (!fit.is_rounding && !found.quantised) {
    return refuse(
        fmt::format("the outputs of the last linear layer are not W h + b (they differ "
                    "by up to {:.2g})",
                    fit.error));
  }
  const auto isOfLogits = [&](const HeadTail& step) {
    return step.dim >= -logits.dim() && step.dim < logits.dim();
  };
  if (!std::ranges::all_of(found.tail, isOfLogits)) {
    return refuse(
        "a softmax follows over an axis that the outputs of the last linear layer do not have");
  }
  const at::Tensor rows = results.at(0).toTensor();
  const at::Tensor expected = applyTail(found.tail, logits.to(at::kDouble));
  if (rows.sizes() != expected.sizes() || !isCloseTo(rows, expected)) {
    return refuse("the network's output does not follow from its last linear layer alone");
  }
  head.found = true;
  head.features = features.size(1);
  head.classes = logits.size(1);
  head.reconstruction_error = fit.error;
  return head;
}

std::int64_t countParameters(const torch::jit::Module& module, const PreparedNetwork& network) {
  std::int64_t count = 0;
  std::set<std::pair<const void*, std::int64_t>> counted;  // a tied weight has several names
  for (const at::Tensor& parameter : module.parameters()) {
    const bool is_new = counted.emplace(parameter.const_data_ptr(), parameter.numel()).second;
    count += is_new ? parameter.numel() : 0;
  }
  forEachNode(network.graph->block(), [&](torch::jit::Node* node) {
    if (opName(node) == "quantized::linear_dynamic") {
      const UnpackedLinear layer = unpackQuantised(module, node->input(1));
      count += layer.weight.defined() ? layer.weight.numel() : 0;
      count += layer.bias.defined() ? layer.bias.numel() : 0;
    } else if (node->kind() == c10::prim::Constant && node->outputs().size() == 1) {
      const auto constant = torch::jit::toIValue(node->output());
      if (constant && constant->isTensor() && constant->toTensor().is_floating_point() &&
          constant->toTensor().dim() > 0) {
        count += constant->toTensor().numel();
      }
    }
  });
  return count;
}

}  // namespace dubito
