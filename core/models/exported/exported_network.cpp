// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/in_quotes.h"
#include "core/models/exported/exported_network_torch.h"
#include "core/models/exported/tensor_meta_torch.h"
#include "core/models/program/module_tree_torch.h"
#include "core/models/program/program_check_torch.h"

namespace dubito {

using nlohmann::json;
using torch::jit::Graph;
using torch::jit::Value;

namespace {

/// Where a stored tensor is in the program and in the network.
struct Stored {
  std::string name;                    ///< of the value in the program
  std::vector<std::string> attribute;  ///< that leads to it from the network
};

/// The names of the tensors that forward takes; a stored tensor for each other input.
struct Inputs {
  std::vector<std::string> tensors;
  std::vector<Stored> stored;
};

const at::Tensor& tensorNamed(const std::map<std::string, at::Tensor>& tensors,
                              const std::string& name) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) {
    throw UntranslatableProgram("its archive lacks the weights " + inQuotes(name));
  }
  return found->second;
}

Inputs readInputs(const json& specs, const std::map<std::string, at::Tensor>& tensors,
                  ModuleTree& tree) {
  Inputs inputs;
  const std::map<std::string, const char*> stored = {{"parameter", "parameter_name"},
                                                     {"buffer", "buffer_name"},
                                                     {"tensor_constant", "tensor_constant_name"}};
  for (const json& spec : specs) {
    const TaggedJson input = taggedIn(spec);
    if (input.tag == "constant_input") {
      continue;
    }
    if (input.tag == "user_input") {
      const TaggedJson argument = taggedIn(input.value.at("arg"));
      if (argument.tag == "as_tensor") {
        inputs.tensors.push_back(nameIn(argument.value));
      } else if (argument.tag.starts_with("as_sym")) {
        throw UntranslatableProgram("its forward takes a number in addition to the image");
      }
      continue;
    }
    const auto kind = stored.find(input.tag);
    if (kind == stored.end()) {
      throw UntranslatableProgram("it has an input of kind " + inQuotes(input.tag));
    }
    const auto name = input.value.at(kind->second).get<std::string>();
    inputs.stored.push_back({nameIn(input.value.at("arg")),
                             tree.add(name, tensorNamed(tensors, name), input.tag == "parameter")});
  }
  return inputs;
}

/// What the program says about the tensors that it takes.
std::vector<StatedTensor> statedTensors(const json& graph, const std::vector<std::string>& names) {
  std::vector<StatedTensor> tensors;
  for (const std::string& name : names) {
    const json& meta = graph.at("tensor_values").at(name);
    const auto type = scalarTypeOf(integerIn(meta.at("dtype")));
    StatedTensor& tensor = tensors.emplace_back();
    tensor.name = name;
    tensor.type = type ? c10::toString(*type) : "unknown";
    for (const json& size : meta.at("sizes")) {
      tensor.shape.push_back(
          size.contains("as_int") ? std::max<std::int64_t>(integerIn(size.at("as_int")), 0) : 0);
    }
  }
  return tensors;
}

/// What the program says about its only input. Throws UntranslatableProgram for inputs that are no
/// items with real numbers.
StatedInput statedInput(const json& graph, const StatedTensor& tensor) {
  const json& meta = graph.at("tensor_values").at(tensor.name);
  const auto type = scalarTypeOf(integerIn(meta.at("dtype")));
  if (!type || !at::isFloatingType(*type)) {
    throw UntranslatableProgram(fmt::format(
        "its forward takes numbers of type {}, such as words by number, instead of real numbers "
        "({}); items are images or vectors",
        tensor.type, describe({tensor})));
  }
  StatedInput input;
  const json& sizes = meta.at("sizes");
  if (sizes.empty()) {
    throw UntranslatableProgram("its forward takes one number instead of a batch of items");
  }
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    const bool is_fixed = sizes[axis].contains("as_int");
    const auto size = is_fixed ? integerIn(sizes[axis].at("as_int")) : std::int64_t{0};
    if (axis == 0) {
      input.batch = size;
      continue;
    }
    input.item_shape.push_back(size);
    const json& symbol = is_fixed ? sizes[axis] : sizes[axis].at("as_expr");
    const bool has_example = !is_fixed && symbol.contains("hint") && symbol["hint"].is_object() &&
                             symbol["hint"].contains("as_int");
    input.example_shape.push_back(has_example ? integerIn(symbol["hint"]["as_int"]) : size);
  }
  return input;
}

/// The names of the outputs if forward returns a dictionary, or an object with named members.
std::vector<std::string> outputNames(const json& graph_module, std::size_t outputs) {
  try {
    const json& signature = graph_module.at("module_call_graph").at(0).at("signature");
    const json spec = json::parse(signature.at("out_spec").get<std::string>()).at(1);
    if (!spec.at("type").is_string() || spec.at("type") == "builtins.tuple" ||
        spec.at("type") == "builtins.list") {
      return {};
    }
    json context = json::parse(spec.at("context").get<std::string>());
    if (context.is_array() && !context.empty() && context.front().is_array()) {
      context = context.front();  // names of an object, before the name of its class
    }
    const auto names = context.get<std::vector<std::string>>();
    return names.size() == outputs ? names : std::vector<std::string>();
  } catch (const json::exception&) {
    return {};
  }
}

/// Returns what forward returns: a tensor, a tuple, or a dictionary.
void returnOutputs(Graph& graph, const std::vector<Value*>& outputs,
                   const std::vector<std::string>& names) {
  if (outputs.empty()) {
    throw UntranslatableProgram("its forward returns no tensor");
  }
  if (outputs.size() == 1 && names.empty()) {
    graph.registerOutput(outputs.front());
    return;
  }
  if (names.empty()) {
    graph.registerOutput(graph.insertNode(graph.createTuple(outputs))->output());
    return;
  }
  std::vector<Value*> keys;
  for (const std::string& name : names) {
    keys.push_back(graph.insertConstant(name));
  }
  graph.registerOutput(graph
                           .insertNode(graph.createDict(c10::StringType::get(),
                                                        c10::TensorType::get(), keys, outputs))
                           ->output());
}

std::vector<Value*> userOutputs(const json& specs, const ProgramValues& values) {
  std::vector<Value*> outputs;
  for (const json& spec : specs) {
    const TaggedJson output = taggedIn(spec);
    if (output.tag != "user_output") {
      continue;  // what the program writes back to buffers, which stay as they are
    }
    const TaggedJson argument = taggedIn(output.value.at("arg"));
    if (argument.tag == "as_tensor") {
      outputs.push_back(values.at(nameIn(argument.value)));
    }
  }
  return outputs;
}

}  // namespace

ExportedNetwork translateProgram(const json& program,
                                 const std::map<std::string, at::Tensor>& tensors) {
  const json& graph_module = program.at("graph_module");
  const json& signature = graph_module.at("signature");
  ModuleTree tree(std::make_shared<torch::jit::CompilationUnit>());
  const Inputs inputs = readInputs(signature.at("input_specs"), tensors, tree);
  ExportedNetwork network;
  network.inputs = statedTensors(graph_module.at("graph"), inputs.tensors);
  if (network.inputs.size() != 1) {
    throw UntranslatableProgram(
        network.inputs.empty()
            ? std::string("its forward takes no tensor")
            : fmt::format("its forward takes {} tensors ({}) instead of one", network.inputs.size(),
                          shownText(describe(network.inputs), 400)));
  }
  network.module = tree.network();
  network.input = statedInput(graph_module.at("graph"), network.inputs.front());

  const auto graph = std::make_shared<Graph>();
  Value* const self = graph->addInput("self")->setType(network.module.type());
  AttributeReader attributes(*graph, self);
  GraphBuilder builder(*graph, attributes.read({"training"}));
  builder.values().set(inputs.tensors.front(), graph->addInput("x"));
  for (const Stored& stored : inputs.stored) {
    builder.values().set(stored.name, attributes.read(stored.attribute));
  }
  builder.addNodes(graph_module.at("graph"));
  const std::vector<Value*> outputs = userOutputs(signature.at("output_specs"), builder.values());
  returnOutputs(*graph, outputs, outputNames(graph_module, outputs.size()));
  torch::jit::EliminateDeadCode(graph);
  graph->lint();
  ProgramCheck::checkGraph(*graph);
  tree.setForward(graph);
  network.mode = builder.mode();
  return network;
}

}  // namespace dubito
