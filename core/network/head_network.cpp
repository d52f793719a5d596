// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>

#include <utility>

#include "core/models/model_torch.h"
#include "core/network/head_network_torch.h"
#include "core/network/network_batch_torch.h"

namespace dubito {
namespace {

// Rounding difference between two softmaxes of the same logits, with a margin for half precision.
constexpr double kSameProbabilities = 1e-3;

}  // namespace

HeadNetwork::HeadNetwork(const Model& model, const NetworkOnDevice& network, GraphRunner runner)
    : model_(model), network_(network), runner_(std::move(runner)) {}

Expected<HeadNode> usableHead(const Model& model, torch::jit::Graph& graph,
                              const torch::jit::Module& module) {
  const Head& audited = model.audit().head;
  HeadNode head;
  if (audited.found) {
    head = findHead(graph, module);
  } else {
    head.reason = audited.reason;
  }
  if (head.node == nullptr) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: its last layer cannot be used ({}); choose another method, such "
                            "as mc-dropout",
                            model.path(), head.reason));
  }
  return head;
}

Status checkHeadOutputs(const Model& model, const at::Tensor& rows, const at::Tensor& logits,
                        const Dataset& dataset, std::span<const std::int64_t> indices) {
  const auto probs = checkedProbabilities(rows, model, dataset, indices);
  if (!probs) {
    return failWith(probs);
  }
  if (at::isneginf(rows).any().item().toBool()) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: it masks classes with logits of minus infinity, for which laplace "
                            "has no Gaussian; choose another method, such as mc-dropout",
                            model.path()));
  }
  const at::Tensor of_head = at::softmax(logits.to(at::kDouble), 1);
  if (at::abs(of_head - *probs).max().item().toDouble() > kSameProbabilities) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: its probabilities are not the softmax of its last linear layer, "
                            "because something follows that layer; choose another method, such "
                            "as mc-dropout",
                            model.path()));
  }
  return {};
}

Expected<HeadNetwork> HeadNetwork::of(const Model& model, const NetworkOnDevice& network) {
  const std::shared_ptr<torch::jit::Graph> graph = deterministicGraph(*network.graph);
  const auto head = usableHead(model, *graph, network.module);
  if (!head) {
    return failWith(head);
  }
  graph->registerOutput(head->features);
  graph->registerOutput(head->logits);
  if (head->added != nullptr) {
    graph->registerOutput(addedToItems(*graph, *head, network.items_per_pass));
  }
  HeadNetwork result(model, network, GraphRunner(graph, "head", network.items_per_pass));
  result.weight_ = head->weight.detach().cpu();
  result.bias_ = head->bias.defined() ? head->bias.detach().cpu() : head->bias;
  result.is_quantised_ = head->quantised;
  return result;
}

Expected<HeadNetwork::Outputs> HeadNetwork::run(const Batch& batch, const Dataset& dataset) {
  return run(networkInput(batch, model_), batch.indices, dataset);
}

Expected<HeadNetwork::Outputs> HeadNetwork::run(const at::Tensor& x,
                                                std::span<const std::int64_t> indices,
                                                const Dataset& dataset) {
  std::vector<c10::IValue> results;
  try {
    const at::Tensor none = at::empty({0}, at::TensorOptions(at::kLong).device(network_.device));
    results = runner_.run(
        {network_.module._ivalue(), deviceCopy(x, network_.device), std::int64_t{0}, none, none});
  } catch (const std::exception& exception) {
    return networkFailure(model_, x, exception);
  }
  const at::Tensor rows = results.at(0).toTensor().detach().cpu();
  Outputs outputs{results.at(1).toTensor().detach(),
                  results.at(2).toTensor().detach().to(at::kCPU, at::kFloat).contiguous(),
                  results.size() > 3 ? results.at(3).toTensor().detach() : at::Tensor()};
  if (Status checked = checkHeadOutputs(model_, rows, outputs.logits, dataset, indices); !checked) {
    return failWith(checked);
  }
  return outputs;
}

Expected<at::Tensor> HeadNetwork::exactLogits(const Outputs& outputs) const {
  if (is_quantised_) {
    return outputs.logits.to(at::kDouble);
  }
  HeadFit fit = compareWithHead(weight_, bias_, outputs.features, outputs.added, outputs.logits);
  if (!fit.is_rounding) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: the outputs of its last linear layer are not W h + b (they differ "
                            "by up to {:.2g}); choose another method, such as mc-dropout",
                            model_.path(), fit.error));
  }
  return std::move(fit.rebuilt);
}

}  // namespace dubito
