// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/models/exported/operator_call_torch.h"
#include "core/models/exported/program_values_torch.h"

namespace dubito {

/// What a program tells about the mode in which it was exported.
struct ExportedMode {
  bool has_flags = false;    ///< it calls operators that differ in training, such as dropout
  bool is_training = false;  ///< some of them were exported in training mode
};

/// Translates the nodes of an exported program into nodes of a graph.
class GraphBuilder {
 public:
  /// `training`: the network's flag, which takes the place of the one that each operator was
  /// exported with. The scope of a node is its layer (modulePath).
  GraphBuilder(torch::jit::Graph& graph, torch::jit::Value* training);

  [[nodiscard]] ProgramValues& values() { return values_; }
  /// Appends all nodes of a graph in the schema. Throws UntranslatableProgram, RefusedProgram, or
  /// json exceptions.
  void addNodes(const nlohmann::json& graph);
  [[nodiscard]] const ExportedMode& mode() const { return mode_; }

 private:
  using Outputs = std::vector<torch::jit::Value*>;

  void addNode(const nlohmann::json& node);
  [[nodiscard]] Outputs outputsOf(const nlohmann::json& node, const std::string& target);
  [[nodiscard]] Outputs operatorOutputs(const nlohmann::json& node, const OperatorName& name);
  [[nodiscard]] Outputs higherOrderOutputs(const nlohmann::json& node, const std::string& name);
  [[nodiscard]] Outputs inlined(const nlohmann::json& graph, const Outputs& arguments);
  [[nodiscard]] Outputs branches(const nlohmann::json& inputs);
  /// Gives the outputs the names that the program has for them.
  void name(const nlohmann::json& names, const Outputs& outputs);
  void nameOne(const nlohmann::json& name, torch::jit::Value* output);

  torch::jit::Graph& graph_;
  torch::jit::Value* training_;
  ProgramValues values_;
  ExportedMode mode_;
  int depth_ = 0;  ///< of graphs inside graphs
};

/// The layer that a node is from: "features.0"; empty if it is from the network itself.
[[nodiscard]] std::string layerOf(const nlohmann::json& node);

}  // namespace dubito
