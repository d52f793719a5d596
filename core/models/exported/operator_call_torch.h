// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/models/exported/program_values_torch.h"

namespace dubito {

/// How the targets of nodes that call operators begin.
inline constexpr std::string_view kOperatorTarget = "torch.ops.";

/// "aten::mul" and "Tensor".
struct OperatorName {
  std::string name;
  std::string overload;  ///< empty for the default one
};

/// The operator that a target names: "torch.ops.aten.mul.Tensor". Throws UntranslatableProgram.
[[nodiscard]] OperatorName operatorIn(const std::string& target);

/// The arguments of a call by their names in the operator's schema.
class OperatorArguments {
 public:
  OperatorArguments(const nlohmann::json& node, ProgramValues& values);

  [[nodiscard]] bool has(const std::string& name) const {
    return given_.contains(name) || json_.contains(name);
  }
  /// The argument as JSON; nullptr if it is given as a value, or not at all.
  [[nodiscard]] const nlohmann::json* json(const std::string& name) const;
  /// The value of an argument. Throws UntranslatableProgram if absent.
  [[nodiscard]] torch::jit::Value* value(const std::string& name, const c10::Type& wanted);
  void give(const std::string& name, torch::jit::Value* value) { given_[name] = value; }
  void rename(const std::string& from, const std::string& to);

 private:
  ProgramValues& values_;
  std::map<std::string, const nlohmann::json*> json_;
  std::map<std::string, torch::jit::Value*> given_;
};

/// Inserts a call; arguments that are not given have the operator's defaults. Throws RefusedProgram
/// for operators that networks must not contain, and UntranslatableProgram for those that this
/// LibTorch does not have and for calls that do not fit.
[[nodiscard]] torch::jit::Node* insertCall(torch::jit::Graph& graph, const OperatorName& called,
                                           OperatorArguments& arguments);

}  // namespace dubito
