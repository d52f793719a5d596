// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>

#include <memory>
#include <sstream>

#include "core/models/head_torch.h"
#include "core/models/model_torch.h"
#include "core/models/program/torch_reason.h"
#include "core/train/head/network_with_head_torch.h"

namespace dubito {

using torch::jit::Graph;
using torch::jit::Module;
using torch::jit::Node;
using torch::jit::Value;
using torch::jit::WithInsertPoint;

namespace {

tl::unexpected<Error> refused(const Model& model, const std::string& reason) {
  return fail(ErrorCode::kUnsupported,
              fmt::format("{}: its features cannot be given to a new head ({}); use a network that "
                          "ends in a linear layer",
                          model.path(), reason));
}

/// The graph as a method of a module that has the network as its attribute "backbone".
void takeBackboneFrom(Graph& graph, const Module& owner) {
  Value* const network = graph.inputs()[kModuleInput];
  Value* const self = graph.insertInput(0, "self");
  self->setType(owner.type());
  Node* const get = graph.createGetAttr(self, "backbone");
  graph.prependNode(get);
  network->replaceAllUsesWith(get->output());
  graph.eraseInput(1);
}

/// Replaces the logits of `found` by those of the attribute "head".
void callHead(Graph& graph, const HeadNode& found) {
  const WithInsertPoint here(found.logits->node());
  Value* const self = graph.inputs()[0];
  Node* const get = graph.insertNode(graph.createGetAttr(self, "head"));
  Node* const call = graph.create(c10::prim::CallMethod, {get->output(), found.features});
  call->s_(c10::attr::name, "forward");
  call->output()->setType(c10::TensorType::get());
  graph.insertNode(call);
  found.logits->replaceAllUsesWith(call->output());
}

}  // namespace

Status checkBackbone(const Model& model) {
  const ModelAudit& audit = model.audit();
  if (!audit.head.found) {
    return refused(model, audit.head.reason);
  }
  if (!audit.head.added.empty()) {
    return refused(model, fmt::format("{} is added to its last layer", audit.head.added));
  }
  if (audit.one_output) {
    return refused(model, "it has a single output for two classes");
  }
  return {};
}

Expected<std::string> archiveWithHeadNetwork(const Model& model, const Module& head,
                                             const std::string& metadata) {
  const Module& backbone = model.impl().module;
  const std::shared_ptr<Graph> graph = deterministicGraph(*model.impl().network.graph);
  const HeadNode found = findHead(*graph, backbone);
  if (found.node == nullptr) {
    return refused(model, found.reason);
  }
  try {
    Module network("dubito_network_with_head");
    network.register_attribute("training", c10::BoolType::get(), false);
    network.register_module("backbone", backbone);
    network.register_module("head", head);
    for (const PreparedInput key : {kDrawsInput, kItemsInput, kSeedInput}) {
      graph->eraseInput(key);
    }
    takeBackboneFrom(*graph, network);
    callHead(*graph, found);
    torch::jit::EliminateDeadCode(graph);
    graph->lint();
    torch::jit::CompilationUnit& unit = *network._ivalue()->compilation_unit();
    const c10::QualifiedName name(*network.type()->name(), "forward");
    network.type()->addMethod(unit.create_function(name, graph));
    network.eval();
    std::ostringstream bytes;
    network.save(bytes, {{"metadata.json", metadata}});
    return bytes.str();
  } catch (const std::exception& exception) {
    return refused(model, torchReason(exception));
  }
}

}  // namespace dubito
