// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/passes/constant_propagation.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>
#include <torch/csrc/jit/passes/inliner.h>

#include <algorithm>
#include <set>

#include "core/base/in_quotes.h"
#include "core/kernels/torch/keyed_dropout_torch.h"
#include "core/models/autocast_torch.h"
#include "core/models/batch_operators_torch.h"
#include "core/models/graph_torch.h"
#include "core/models/keyed_sites_torch.h"
#include "core/models/model_torch.h"
#include "core/models/named_devices_torch.h"
#include "core/models/number_type_torch.h"
#include "core/models/prepare_torch.h"
#include "core/models/repeatability_torch.h"
#include "core/models/training_flags_torch.h"

namespace dubito {

using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;
using torch::jit::WithInsertPoint;

namespace {

/// The arguments of forward that have no default, by name and type.
std::string neededInputs(const c10::FunctionSchema& schema) {
  std::vector<std::string> needed;
  for (const c10::Argument& argument : schema.arguments()) {
    const bool is_module = argument.type()->kind() == c10::TypeKind::ClassType;
    if (!is_module && !argument.default_value()) {
      needed.push_back(
          fmt::format("{} {}", inQuotes(argument.name()), argument.type()->repr_str()));
    }
  }
  return fmt::format("{}", fmt::join(needed, ", "));
}

/// Every argument of forward after the first must have a default, which becomes a constant.
Status fixExtraInputs(Graph& graph, const c10::FunctionSchema& schema, const std::string& path) {
  if (graph.inputs().size() < 2) {
    return fail(
        ErrorCode::kUnsupported,
        fmt::format("{}: its forward takes no input; a classifier must take one tensor", path));
  }
  if (const c10::TypePtr& taken = graph.inputs()[1]->type();
      !taken->isSubtypeOf(*c10::OptionalType::ofTensor())) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: its forward takes {} instead of a tensor; wrap it in a module "
                            "that takes one tensor [N, ...] and makes that of it, and script the "
                            "wrapper",
                            path, taken->repr_str()));
  }
  while (graph.inputs().size() > 2) {
    const std::size_t last = graph.inputs().size() - 1;
    const c10::Argument& argument = schema.arguments().at(last);
    if (!argument.default_value()) {
      return fail(ErrorCode::kUnsupported,
                  fmt::format("{}: its forward needs {} in addition to the image (its inputs are "
                              "{}); wrap it in a module that takes one tensor and script that",
                              path, inQuotes(argument.name()), neededInputs(schema)));
    }
    const WithInsertPoint at_start(*graph.nodes().begin());
    graph.inputs()[last]->replaceAllUsesWith(graph.insertConstant(*argument.default_value()));
    graph.eraseInput(last);
  }
  return {};
}

/// Parts that run on other threads are programs of their own inside a node.
Status refuseForks(Graph& graph, const std::string& path) {
  bool forks = false;
  forEachNode(graph.block(),
              [&forks](const Node* node) { forks = forks || node->kind() == c10::prim::fork; });
  return forks ? fail(ErrorCode::kUnsupported,
                      fmt::format("{}: its program runs parts of it in parallel (torch.jit.fork), "
                                  "whose layers and dropout cannot be found; call them directly, "
                                  "and script that",
                                  path))
               : Status();
}

/// Whether a value of this type is or contains a tensor.
bool holdsTensors(const c10::Type& type) {
  if (type.kind() == c10::TypeKind::TensorType) {
    return true;
  }
  return std::ranges::any_of(type.containedTypes(),
                             [](const c10::TypePtr& inner) { return holdsTensors(*inner); });
}

Status checkOutput(const Graph& graph, const std::string& path) {
  if (graph.outputs().size() == 1 && holdsTensors(*graph.outputs()[0]->type())) {
    return {};
  }
  return fail(ErrorCode::kUnsupported,
              fmt::format("{}: its forward returns {} instead of a tensor of class scores; wrap "
                          "it in a module that returns the scores and script that",
                          path,
                          graph.outputs().size() == 1 ? graph.outputs()[0]->type()->str()
                                                      : "several values"));
}

/// Sets `training` to false, so that branches on it can be removed.
void fixTrainingFlags(Graph& graph) {
  forEachNode(graph.block(), [&graph](Node* node) {
    if (node->kind() == c10::prim::GetAttr && node->s(c10::attr::name) == "training" &&
        node->output()->type()->kind() == c10::TypeKind::BoolType) {
      const WithInsertPoint here(node);
      node->output()->replaceAllUsesWith(graph.insertConstant(false));
    }
  });
}

void removeBatchCounters(Graph& graph) {
  forEachNode(graph.block(), [](Node* node) {
    if (node->kind() == c10::prim::SetAttr && node->s(c10::attr::name) == "num_batches_tracked") {
      node->destroy();
      return;
    }
    if (opName(node) != "aten::add_") {
      return;
    }
    const auto target = attributePath(node->input(0));
    if (target && target->ends_with("num_batches_tracked")) {
      node->output()->replaceAllUsesWith(node->input(0));
      node->destroy();
    }
  });
}

/// Randomised leaky ReLUs have a separate flag.
void switchOffRandomUnits(Graph& graph) {
  forEachNode(graph.block(), [&](Node* node) {
    const std::string op = opName(node);
    if (op == "aten::rrelu" || op == "aten::rrelu_") {
      const WithInsertPoint here(node);
      node->replaceInput(inputIndex(node, "training").value(), graph.insertConstant(false));
    }
  });
}

/// Calls that could not be inlined, and programs inside a node.
std::vector<std::string> hiddenCode(Graph& graph) {
  std::set<std::string> found;
  forEachNode(graph.block(), [&found](const Node* node) {
    if (node->kind() == c10::prim::CallMethod || node->kind() == c10::prim::CallFunction ||
        node->hasAttribute(c10::attr::Subgraph)) {
      found.insert(opName(node));
    }
  });
  return {found.begin(), found.end()};
}

/// Marks the sites that are no longer in the graph.
void refuseUnreachable(Graph& graph, std::vector<DropoutSite>& sites, bool is_used,
                       const char* reason) {
  std::set<std::int64_t> reachable;
  for (const KeyedNode& keyed : keyedNodes(graph)) {
    reachable.insert(keyed.site);
  }
  for (DropoutSite& site : sites) {
    if (site.refused.empty() && !reachable.contains(site.site)) {
      site.refused = reason;
      site.is_used = is_used;
    }
  }
}

}  // namespace

std::string modeOf(const Value* flag) {
  if (const auto constant = torch::jit::toIValue(flag); constant && constant->isBool()) {
    return constant->toBool() ? "always on" : "always off";
  }
  const auto path = attributePath(flag);
  return path && path->ends_with("training") ? "follows training" : "computed";
}

Expected<PreparedNetwork> prepareNetwork(torch::jit::Module& module, const std::string& path,
                                         const std::vector<OutputStep>& output,
                                         const PreparedNetwork* earlier) {
  const auto forward = module.find_method("forward");
  if (!forward) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: the module has no forward; script the network itself", path));
  }
  registerKeyedDropout();
  PreparedNetwork network;
  network.graph = forward->graph()->copy();
  std::shared_ptr<Graph>& graph = network.graph;
  torch::jit::Inline(*graph);
  if (Status alone = refuseForks(*graph, path); !alone) {
    return failWith(alone);
  }
  writeOutAutocast(graph);
  if (Status fixed = fixExtraInputs(*graph, forward->function().getSchema(), path); !fixed) {
    return failWith(fixed);
  }
  if (Status checked = checkOutput(*graph, path); !checked) {
    return failWith(checked);
  }
  if (!output.empty() || graph->outputs()[0]->type()->kind() == c10::TypeKind::OptionalType) {
    returnOnly(*graph, output);
    bypassContainers(graph);
  }
  network.number_type = earlier != nullptr ? earlier->number_type : parameterTypeOf(module, *graph);
  network.is_promoted =
      earlier != nullptr ? earlier->is_promoted : isHalfNetwork(module, network.number_type);
  if (network.is_promoted) {
    promoteHalfPrecision(module);
    promoteHalfPrecision(*graph);
  }
  convertInput(*graph, module);
  foldScalarAttributes(*graph, module);
  network.named_devices = placeOnCpu(*graph, module);
  network.without_dropout = avoidFusedInference(*graph);
  // Folds the choice between in-place and copying operators, so that each dropout occurs once.
  torch::jit::ConstantPropagation(graph);
  torch::jit::EliminateDeadCode(graph);
  addKeyInputs(*graph);
  network.sites = replaceDropout(*graph, module, network.without_dropout);
  network.norms = freezeNormalisation(*graph, module, network.batch_ops);
  removeBatchCounters(*graph);
  torch::jit::EliminateDeadCode(graph);
  refuseUnreachable(*graph, network.sites, false, "its result is not used");
  takeTrainingBranches(*graph, module);
  refuseUnreachable(*graph, network.sites, false, "training does not reach it");
  keyTrainingRandomness(*graph, module, network.sites);
  switchOffRandomUnits(*graph);
  network.changed_by_training = changedByTraining(*graph, module);
  fixTrainingFlags(*graph);
  torch::jit::ConstantPropagation(graph);
  torch::jit::EliminateDeadCode(graph);
  refuseUnreachable(*graph, network.sites, true,
                    "it is in a branch that only runs in training and cannot be taken");
  if (!output.empty()) {
    bypassContainers(graph);  // training branches, and what they hid, are gone
    refuseUnreachable(*graph, network.sites, false, "its result is not used");
  }
  makePooledHeadLinear(*graph, module);
  workOnCopyOfInput(graph);
  listBatchOps(*graph, network.batch_ops);
  if (!network.is_promoted) {
    network.lower_precision = lowerPrecisionIn(module, *graph);
  }
  if (!network.lower_precision.empty()) {
    network.batch_ops.push_back("rounding to " + network.lower_precision);
  }
  network.hidden_code = hiddenCode(*graph);
  network.random_ops =
      randomOps(takesDrawingBranches(*graph) ? *deterministicGraph(*graph) : *graph);
  network.written_state = writtenState(*graph);
  graph->lint();
  return network;
}

}  // namespace dubito
