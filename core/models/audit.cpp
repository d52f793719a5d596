// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>

#include <algorithm>
#include <set>

#include "core/models/audit_torch.h"
#include "core/models/keyed_sites_torch.h"
#include "core/models/layer_nodes_torch.h"
#include "core/models/model_torch.h"

namespace dubito {
namespace {

/// Rows of items with the masks of draw 0, in the given order.
at::Tensor maskedRows(const torch::jit::Module& module, const PreparedNetwork& network,
                      GraphRunner& runner, const Probe& probe,
                      const std::vector<std::int64_t>& order) {
  const at::Tensor items = at::tensor(order, at::kLong);
  // State left behind by a pass must not affect the next one.
  const torch::jit::Module fresh = network.written_state.empty() ? module : module.deepcopy();
  return runner
      .run({fresh._ivalue(), probe.inputs.index_select(0, items), std::int64_t{1}, items,
            at::zeros_like(items)})
      .at(0)
      .toTensor();
}

/// Noise that inference draws too: without its site, a pass would not be repeatable.
std::set<std::int64_t> sitesInInference(const PreparedNetwork& network) {
  std::set<std::int64_t> sites;
  for (const DropoutSite& site : network.sites) {
    if (site.is_noise && site.refused.empty() && site.mode == "always on") {
      sites.insert(site.site);
    }
  }
  return sites;
}

/// Whether rows mean the same in a training branch as in inference: a branch may skip a softmax.
bool areSameKind(const at::Tensor& rows, const at::Tensor& inference) {
  constexpr double kSumTolerance = 1e-3;
  const auto areProbabilities = [](const at::Tensor& values) {
    const at::Tensor differs =
        at::logical_or(at::abs(values.sum(1) - 1.0) > kSumTolerance, (values < 0.0).any(1));
    return !differs.any().item().toBool();
  };
  return rows.dim() == 2 && rows.size(1) == inference.size(1) &&
         areProbabilities(rows) == areProbabilities(inference.slice(0, 0, rows.size(0)));
}

/// Whether the masks of reversed items are the same, at a drop rate at which masks are noticed.
/// `sequence_first`: the only site has its items on the second axis.
bool masksFollowItems(const torch::jit::Module& module, const PreparedNetwork& network,
                      const Probe& probe, OutputKind output, const std::set<std::int64_t>& sites,
                      bool sequence_first = false) {
  constexpr double kNoise = 1e-5;
  constexpr double kDropRate = 0.5;
  const std::shared_ptr<torch::jit::Graph> graph = network.graph->copy();
  std::set<std::int64_t> kept = sitesInInference(network);
  kept.insert(sites.begin(), sites.end());
  keepSites(*graph, [&kept](std::int64_t site) { return kept.contains(site); });
  setDropRate(*graph, kDropRate);
  if (sequence_first && !setItemAxis(*graph, *sites.begin(), 1)) {
    return false;
  }
  GraphRunner runner(graph, "site_rows");
  try {
    const at::Tensor rows = maskedRows(module, network, runner, probe, {0, 1, 2});
    const at::Tensor forwards = probabilitiesOf(rows, output);
    const at::Tensor backwards =
        probabilitiesOf(maskedRows(module, network, runner, probe, {2, 1, 0}), output).flip(0);
    if (takesDrawingBranches(*graph)) {
      // Throws for numbers whose rows only happen to be as many as the items.
      static_cast<void>(maskedRows(module, network, runner, probe, {0, 1}));
      if (!areSameKind(rows, probe.rows)) {
        return false;
      }
    }
    return at::allclose(forwards, backwards, 0.0, kNoise, /*equal_nan=*/true);
  } catch (const std::exception&) {
    return false;
  }
}

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
    graph->registerOutput(found.added);
  }
  const auto refuse = [&](const std::string& reason) {
    found.node = nullptr;
    found.reason = head.reason = reason;
    return head;
  };
  GraphRunner runner(graph, "head");
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

void auditSiteRows(const torch::jit::Module& module, PreparedNetwork& network, const Probe& probe,
                   OutputKind output) {
  std::set<std::int64_t> usable;
  for (const DropoutSite& site : network.sites) {
    if (site.refused.empty()) {
      usable.insert(site.site);
    }
  }
  if (usable.empty() || masksFollowItems(module, network, probe, output, usable)) {
    return;
  }
  // Noise that inference draws comes first: it takes part in every pass.
  std::vector<DropoutSite*> order;
  for (DropoutSite& site : network.sites) {
    order.push_back(&site);
  }
  const std::set<std::int64_t> in_inference = sitesInInference(network);
  std::ranges::stable_partition(
      order, [&](const DropoutSite* site) { return in_inference.contains(site->site); });
  for (DropoutSite* const site : order) {
    if (!site->refused.empty() || masksFollowItems(module, network, probe, output, {site->site})) {
      continue;
    }
    if (masksFollowItems(module, network, probe, output, {site->site}, /*sequence_first=*/true)) {
      static_cast<void>(setItemAxis(*network.graph, site->site, 1));
      continue;
    }
    site->refused =
        site->is_noise
            ? "its numbers cannot be told apart by item: the first axis of " + site->op +
                  " is not that of the batch, or its training branch returns another kind of output"
            : "the rows of its input are not items, so masks cannot follow items";
    // At rate 0 it drops nothing in training either.
    site->is_used = site->is_noise || site->drop_rate > 0.0;
    usable.erase(site->site);
  }
  keepSites(*network.graph, [&usable](std::int64_t site) { return usable.contains(site); });
  torch::jit::EliminateDeadCode(network.graph);
}

std::int64_t countParameters(const torch::jit::Module& module, const PreparedNetwork& network) {
  std::int64_t count = 0;
  for (const at::Tensor& parameter : module.parameters()) {
    count += parameter.numel();
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
