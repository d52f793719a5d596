// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <torch/csrc/jit/ir/scope.h>

#include <nlohmann/json.hpp>

#include "core/base/in_quotes.h"
#include "core/models/exported/graph_builder_torch.h"
#include "core/models/exported/plain_operators.h"
#include "core/models/exported/recomposed_layers_torch.h"
#include "core/models/exported/symbolic_numbers_torch.h"
#include "core/models/program/module_tree_torch.h"
#include "core/models/program/program_check_torch.h"

namespace dubito {

using nlohmann::json;
using torch::jit::Node;
using torch::jit::Value;

namespace {

constexpr const char* kHigherOrder = "torch.ops.higher_order.";
constexpr int kMaxGraphDepth = 32;

/// Sizes, strides and counts of tensors, by their names in exported programs.
std::string symbolicProperty(const std::string& name) {
  if (name == "aten::sym_size") {
    return "aten::size";
  }
  if (name == "aten::sym_stride") {
    return "aten::stride";
  }
  if (name == "aten::sym_numel") {
    return "aten::numel";
  }
  return name == "aten::sym_storage_offset" ? "aten::storage_offset" : "";
}

bool isNormalisation(const std::string& name) {
  return name.find("_norm") != std::string::npos;
}

/// The graph in {"as_graph": {"graph": ...}}.
const json& graphIn(const json& argument) {
  return argument.at("as_graph").at("graph");
}

}  // namespace

std::string layerOf(const json& node) {
  if (!node.contains("metadata") || !node["metadata"].contains("nn_module_stack")) {
    return {};
  }
  // "key,path,type;key,path,type", from the outermost module to the innermost.
  const auto stack = node["metadata"]["nn_module_stack"].get<std::string>();
  const std::string last = stack.substr(stack.rfind(';') + 1);
  const std::size_t begin = last.find(',');
  const std::size_t end = last.rfind(',');
  if (begin == std::string::npos || end <= begin + 1) {
    return {};
  }
  return plainPath(last.substr(begin + 1, end - begin - 1));
}

GraphBuilder::GraphBuilder(torch::jit::Graph& graph, Value* training)
    : graph_(graph), training_(training), values_(graph) {}

void GraphBuilder::addNodes(const json& graph) {
  for (const json& node : graph.at("nodes")) {
    addNode(node);
  }
}

void GraphBuilder::addNode(const json& node) {
  const std::string layer = layerOf(node);
  const torch::jit::ScopePtr outermost = graph_.current_scope()->getRoot();
  const torch::jit::WithCurrentScope in_layer(
      graph_, layer.empty() ? outermost : outermost->push(c10::Symbol::scope(layer)));
  const std::string place = layer.empty() ? "" : fmt::format(" (layer {})", layer);
  const auto target = node.at("target").get<std::string>();
  try {
    name(node.at("outputs"), outputsOf(node, target));
  } catch (const UntranslatableProgram& exception) {
    throw UntranslatableProgram(exception.what() + place);
  } catch (const RefusedProgram& exception) {
    throw RefusedProgram(exception.what() + place);
  } catch (const json::exception&) {
    throw;
  } catch (const std::exception& exception) {
    throw UntranslatableProgram(
        fmt::format("{} does not fit its arguments{}", inQuotes(target), place));
  }
}

GraphBuilder::Outputs GraphBuilder::outputsOf(const json& node, const std::string& target) {
  if (target.starts_with(kHigherOrder)) {
    return higherOrderOutputs(node, target.substr(std::string_view(kHigherOrder).size()));
  }
  if (target.starts_with(kOperatorTarget)) {
    return operatorOutputs(node, operatorIn(target));
  }
  Outputs inputs;
  for (const json& input : node.at("inputs")) {
    inputs.push_back(values_.argument(input.at("arg")));
  }
  const json& outputs = node.at("outputs");
  const bool is_whole = !outputs.empty() && outputs[0].contains("as_sym_int");
  if (Value* const result = insertSymbolicNumber(graph_, target, inputs, is_whole)) {
    return {result};
  }
  throw UntranslatableProgram("it calls " + inQuotes(target) + ", which is not known here");
}

GraphBuilder::Outputs GraphBuilder::operatorOutputs(const json& node, const OperatorName& name) {
  if (isAssertion(name.name)) {
    return {};
  }
  OperatorArguments arguments(node, values_);
  if (const std::string property = symbolicProperty(name.name); !property.empty()) {
    const bool of_axis = arguments.has("dim");
    return {insertCall(graph_, {property, of_axis ? "int" : ""}, arguments)->output()};
  }
  for (const char* const flag : {"train", "training"}) {
    const json* const given = arguments.json(flag);
    if (given != nullptr && given->contains("as_bool")) {
      mode_.has_flags = true;
      mode_.is_training = mode_.is_training || given->at("as_bool").get<bool>();
      if (!isNormalisation(name.name)) {
        arguments.give(flag, training_);
      }
    }
  }
  Node* made = nullptr;
  if (name.name == "aten::convolution") {
    made = insertConvolution(graph_, arguments);
  } else if (name.name == "aten::mul") {
    made = insertChannelDropout(graph_, arguments, training_);
  } else if (name.name == "aten::addmm" || name.name == "aten::mm") {
    made = insertLinear(graph_, name, arguments);
  } else if (const PlainOperator* const plain = plainOperator(name.name)) {
    for (const auto& [to, from] : plain->renamed) {
      arguments.rename(std::string(from), std::string(to));
    }
    for (const auto& [flag, value] : plain->flags) {
      if (!arguments.has(std::string(flag))) {
        arguments.give(std::string(flag), graph_.insertConstant(value));
      }
    }
    made = insertCall(graph_, {std::string(plain->plain), std::string(plain->overload)}, arguments);
  }
  if (made == nullptr) {
    made = insertCall(graph_, name, arguments);
  }
  return {made->outputs().begin(), made->outputs().end()};
}

GraphBuilder::Outputs GraphBuilder::higherOrderOutputs(const json& node, const std::string& name) {
  const json& inputs = node.at("inputs");
  if (name == "cond") {
    return branches(inputs);
  }
  if (name != "wrap_with_set_grad_enabled" && name != "wrap_with_autocast") {
    throw UntranslatableProgram("it uses " + inQuotes("higher_order." + name) +
                                ", which is not known here");
  }
  // The graph is the first argument that is one; its inputs follow.
  std::size_t position = 0;
  while (position < inputs.size() && !inputs[position].at("arg").contains("as_graph")) {
    ++position;
  }
  const bool lowers_precision = name == "wrap_with_autocast" && inputs.size() > 2 &&
                                inputs[2].at("arg").value("as_bool", false);
  if (lowers_precision) {
    throw UntranslatableProgram(
        "it computes a part in lower precision (torch.autocast), which is not supported; export "
        "the network without it");
  }
  Outputs arguments;
  for (std::size_t i = position + 1; i < inputs.size(); ++i) {
    arguments.push_back(values_.argument(inputs[i].at("arg")));
  }
  return inlined(graphIn(inputs.at(position).at("arg")), arguments);
}

GraphBuilder::Outputs GraphBuilder::inlined(const json& graph, const Outputs& arguments) {
  if (++depth_ > kMaxGraphDepth) {
    throw UntranslatableProgram("its graphs are nested too deeply");
  }
  const json& inputs = graph.at("inputs");
  if (inputs.size() != arguments.size()) {
    throw UntranslatableProgram("an inner graph of it has another number of inputs");
  }
  values_.enterGraph();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    values_.set(nameIn(taggedIn(inputs[i]).value), arguments[i]);
  }
  addNodes(graph);
  Outputs outputs;
  for (const json& output : graph.at("outputs")) {
    outputs.push_back(values_.argument(output));
  }
  values_.leaveGraph();
  --depth_;
  return outputs;
}

GraphBuilder::Outputs GraphBuilder::branches(const json& inputs) {
  Value* condition = values_.argument(inputs.at(0).at("arg"));
  if (condition->type()->isSubtypeOf(*c10::TensorType::get())) {
    condition = graph_.insert(c10::Symbol::fromQualString("aten::Bool"), {condition});
  }
  Outputs arguments;
  for (const json& operand : inputs.at(3).at("arg").value("as_tensors", json::array())) {
    arguments.push_back(values_.at(nameIn(operand)));
  }
  Node* const branch = graph_.insertNode(graph_.create(c10::prim::If, {condition}, 0));
  for (const std::size_t side : {std::size_t{1}, std::size_t{2}}) {
    torch::jit::Block* const block = branch->addBlock();
    const torch::jit::WithInsertPoint inside(block);
    for (Value* const output : inlined(graphIn(inputs.at(side).at("arg")), arguments)) {
      block->registerOutput(output);
    }
  }
  if (branch->blocks()[0]->outputs().size() != branch->blocks()[1]->outputs().size()) {
    throw UntranslatableProgram("its branches return different numbers of tensors");
  }
  Outputs outputs;
  for (const Value* const output : branch->blocks()[0]->outputs()) {
    outputs.push_back(branch->addOutput()->setType(output->type()));
  }
  return outputs;
}

void GraphBuilder::nameOne(const json& name, Value* output) {
  if (const std::string text = nameIn(name); !text.empty()) {
    values_.set(text, output);
  }
}

void GraphBuilder::name(const json& names, const Outputs& outputs) {
  if (names.empty()) {
    return;
  }
  const TaggedJson first = taggedIn(names[0]);
  if (names.size() == 1 && first.tag == "as_tensors" && outputs.size() == 1) {
    Node* const unpack = graph_.insertNode(graph_.createListUnpack(outputs[0], first.value.size()));
    for (std::size_t i = 0; i < first.value.size(); ++i) {
      nameOne(first.value[i], unpack->output(i));
    }
    return;
  }
  // Operators in plain terms return only the first of several outputs; the others are unused.
  std::size_t position = 0;
  for (const json& name : names) {
    const TaggedJson output = taggedIn(name);
    if (output.tag == "as_tensors") {
      for (const json& tensor : output.value) {
        if (position < outputs.size()) {
          nameOne(tensor, outputs[position++]);
        }
      }
    } else if (position < outputs.size()) {
      nameOne(output.value, outputs[position++]);
    }
  }
}

}  // namespace dubito
