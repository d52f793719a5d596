// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace dubito {

/// A network's weights as attributes of nested modules, so that layers have the names that they
/// have in Python: the weight "features.0.weight" is the attribute `weight` of the module `0` in
/// the module `features`. Names of a file are only used after everything but letters, digits and
/// underscores has been replaced.
class ModuleTree {
 public:
  /// The network becomes part of `unit`.
  explicit ModuleTree(std::shared_ptr<torch::jit::CompilationUnit> unit);

  /// Adds a parameter or buffer. A name that is taken gets underscores at its end. Returns the
  /// attributes that lead to it from the network.
  std::vector<std::string> add(const std::string& name, const at::Tensor& tensor,
                               bool is_parameter);
  [[nodiscard]] const torch::jit::Module& network() const { return modules_.at(""); }
  /// Makes the graph the network's method `forward`.
  void setForward(const std::shared_ptr<torch::jit::Graph>& graph);

 private:
  std::map<std::string, torch::jit::Module> modules_;  ///< by path; the network itself is ""
};

/// Nodes that read attributes of a network, each attribute once.
class AttributeReader {
 public:
  /// `network`: the value in the graph; its type must be complete.
  AttributeReader(torch::jit::Graph& graph, torch::jit::Value* network) : graph_(graph) {
    values_[""] = network;
  }
  /// Inserts what is not read yet where the graph's insert point is.
  torch::jit::Value* read(const std::vector<std::string>& attributes);

 private:
  torch::jit::Graph& graph_;
  std::map<std::string, torch::jit::Value*> values_;  ///< by path
};

/// A path of modules ("layers.0.mlp") without characters that names in programs cannot have.
[[nodiscard]] std::string plainPath(const std::string& path);

}  // namespace dubito
