// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/csrc/jit/api/compilation_unit.h>

#include <map>
#include <string>

#include "core/models/onnx/attach_weights_torch.h"

namespace dubito {
namespace {

using torch::jit::Graph;
using torch::jit::Module;
using torch::jit::Value;

/// Names inside a module are its attributes; a weight and a submodule may not share one.
class ModuleTree {
 public:
  explicit ModuleTree(Module root) : nodes_{{"", Node{std::move(root), {}}}} {}

  /// Adds a weight and returns the attributes that lead to it.
  std::vector<std::string> add(const ProgramWeight& weight) {
    std::vector<std::string> names;
    std::string path;
    std::size_t begin = 0;
    for (std::size_t dot = weight.path.find('.'); dot != std::string::npos;
         dot = weight.path.find('.', begin)) {
      names.push_back(weight.path.substr(begin, dot - begin));
      path = submodule(path, names.back());
      begin = dot + 1;
    }
    names.push_back(weight.path.substr(begin));
    Module& module = nodes_.at(path).module;
    std::string& name = names.back();
    while (module.hasattr(name)) {
      name += "_";
    }
    if (weight.is_parameter) {
      // Trainable, as in Python: torch multiplies transposed inputs by other weights row by row.
      const bool is_real = weight.values.is_floating_point();
      module.register_parameter(
          name, is_real ? weight.values.detach().set_requires_grad(true) : weight.values,
          /*is_buffer=*/false);
    } else {
      module.register_buffer(name, weight.values);
    }
    return names;
  }

 private:
  struct Node {
    Module module;
    std::map<std::string, std::string> children;  ///< path by name
  };

  /// The path of a submodule, which is added if it is new. `name` becomes its attribute.
  std::string submodule(const std::string& parent, std::string& name) {
    Node& node = nodes_.at(parent);
    if (const auto known = node.children.find(name); known != node.children.end()) {
      const std::string path = known->second;
      name = path.substr(path.rfind('.') + 1);
      return path;
    }
    const std::string wanted = name;
    while (node.module.hasattr(name)) {
      name += "_";
    }
    const std::string path = parent.empty() ? name : parent + "." + name;
    Module module("__torch__.OnnxModule", node.module._ivalue()->compilation_unit(),
                  /*shouldMangle=*/true);
    module.register_attribute("training", c10::BoolType::get(), false);
    node.module.register_module(name, module);
    node.children[wanted] = path;
    nodes_.emplace(path, Node{std::move(module), {}});
    return path;
  }

  std::map<std::string, Node> nodes_;
};

/// Nodes that read attributes, each attribute once.
class AttributeReader {
 public:
  AttributeReader(Graph& graph, Value* self) : graph_(graph) { values_[""] = self; }

  Value* read(const std::vector<std::string>& names) {
    std::string path;
    Value* value = values_.at("");
    for (const std::string& name : names) {
      path += "." + name;
      Value*& known = values_[path];
      if (known == nullptr) {
        known = graph_.insertNode(graph_.createGetAttr(value, name))->output();
      }
      value = known;
    }
    return value;
  }

 private:
  Graph& graph_;
  std::map<std::string, Value*> values_;
};

}  // namespace

Module attachWeights(const std::shared_ptr<torch::jit::CompilationUnit>& unit,
                     const std::shared_ptr<Graph>& graph, std::size_t input_count,
                     std::vector<ProgramWeight> weights) {
  Module root("__torch__.OnnxNetwork", unit);
  root.register_attribute("training", c10::BoolType::get(), false);
  ModuleTree tree(root);
  std::vector<std::vector<std::string>> names;
  for (ProgramWeight& weight : weights) {
    names.push_back(tree.add(weight));
    weight.values = at::Tensor();
  }
  // The type is complete only now.
  Value* const self = graph->insertInput(0, "self")->setType(root.type());
  const torch::jit::WithInsertPoint at_start(*graph->nodes().begin());
  AttributeReader reader(*graph, self);
  const std::size_t first = input_count + 1;
  names.push_back({"training"});
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (Value* const input = graph->inputs()[first + i]; input->hasUses()) {
      input->replaceAllUsesWith(reader.read(names[i]));
    }
  }
  for (std::size_t i = names.size(); i-- > 0;) {
    graph->eraseInput(first + i);
  }
  for (std::size_t i = 0; i < input_count; ++i) {
    graph->inputs()[i + 1]->setDebugName("x" + std::to_string(i));
  }
  root.type()->addMethod(root._ivalue()->compilation_unit()->create_function(
      c10::QualifiedName(*root.type()->name(), "forward"), graph));
  return root;
}

}  // namespace dubito
