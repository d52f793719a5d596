// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cctype>

#include "core/models/program/module_tree_torch.h"

namespace dubito {

using torch::jit::Module;

namespace {

constexpr std::size_t kMaxModuleDepth = 64;
constexpr std::size_t kMaxNameBytes = 200;

/// The parts of a path between dots.
std::vector<std::string> partsOf(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (parts.size() + 1 < kMaxModuleDepth) {
    const std::size_t end = path.find('.', begin);
    if (end == std::string::npos) {
      break;
    }
    parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.push_back(path.substr(begin));
  return parts;
}

std::string plainName(std::string name) {
  name.resize(std::min(name.size(), kMaxNameBytes));
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '_');
  // The network has a method of the name "forward".
  return name.empty() || name == "forward" ? name + '_' : name;
}

Module makeModule(const std::string& name, const std::shared_ptr<torch::jit::CompilationUnit>& cu) {
  Module module(c10::QualifiedName("__torch__." + name), cu, /*shouldMangle=*/true);
  module.register_attribute("training", c10::BoolType::get(), false);
  return module;
}

}  // namespace

std::string plainPath(const std::string& path) {
  std::string plain;
  for (const std::string& part : partsOf(path)) {
    plain += (plain.empty() ? "" : ".") + plainName(part);
  }
  return plain;
}

ModuleTree::ModuleTree(std::shared_ptr<torch::jit::CompilationUnit> unit) {
  modules_.emplace("", makeModule("Network", unit));
}

std::vector<std::string> ModuleTree::add(const std::string& name, const at::Tensor& tensor,
                                         bool is_parameter) {
  std::vector<std::string> parts = partsOf(name);
  std::string path;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    Module& parent = modules_.at(path);
    std::string& part = parts[i];
    part = plainName(part);
    std::string inner = path.empty() ? part : path + "." + part;
    while (!modules_.contains(inner) && parent.hasattr(part)) {
      part += '_';
      inner += '_';
    }
    if (!modules_.contains(inner)) {
      Module module = makeModule("Layer", parent._ivalue()->compilation_unit());
      parent.register_module(part, module);
      modules_.emplace(inner, std::move(module));
    }
    path = std::move(inner);
  }
  Module& parent = modules_.at(path);
  std::string& leaf = parts.back();
  leaf = plainName(leaf);
  while (parent.hasattr(leaf)) {
    leaf += '_';
  }
  if (is_parameter) {
    // As in Python: torch multiplies by weights that can be trained in one product, and otherwise
    // row by row if the input is transposed.
    parent.register_parameter(
        leaf, tensor.is_floating_point() ? tensor.detach().set_requires_grad(true) : tensor,
        /*is_buffer=*/false);
  } else {
    parent.register_buffer(leaf, tensor);
  }
  return parts;
}

void ModuleTree::setForward(const std::shared_ptr<torch::jit::Graph>& graph) {
  const auto type = network().type();
  type->addMethod(network()._ivalue()->compilation_unit()->create_function(
      c10::QualifiedName(*type->name(), "forward"), graph));
}

torch::jit::Value* AttributeReader::read(const std::vector<std::string>& attributes) {
  std::string path;
  torch::jit::Value* value = values_.at("");
  for (const std::string& attribute : attributes) {
    path += "." + attribute;
    torch::jit::Value*& known = values_[path];
    if (known == nullptr) {
      known = graph_.insertGetAttr(value, attribute);
    }
    value = known;
  }
  return value;
}

}  // namespace dubito
