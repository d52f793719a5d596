// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dubito {

/// An exported program that cannot be translated. what() says why, with its place.
class UntranslatableProgram : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The only member of a JSON object that stands for one of several kinds: {"as_int": 3}.
struct TaggedJson {
  const std::string& tag;
  const nlohmann::json& value;
};

/// Throws UntranslatableProgram for anything but an object of one member.
[[nodiscard]] TaggedJson taggedIn(const nlohmann::json& json);

/// The name in {"name": ...} or {"as_name": ...}; empty for numbers and absent values.
[[nodiscard]] std::string nameIn(const nlohmann::json& value);

/// The values of a program's names while its graph is built, and the constants in its arguments.
class ProgramValues {
 public:
  explicit ProgramValues(torch::jit::Graph& graph) : graph_(graph) {}

  void set(const std::string& name, torch::jit::Value* value);
  /// Names set from here on are those of an inner graph.
  void enterGraph() { replaced_.emplace_back(); }
  /// Forgets the names of the inner graph.
  void leaveGraph();
  /// Throws UntranslatableProgram if no earlier node has the name.
  [[nodiscard]] torch::jit::Value* at(const std::string& name) const;

  /// The value of an argument of a node, as `wanted` by the operator. Inserts constants and lists
  /// where the graph's insert point is. Throws UntranslatableProgram for kinds of arguments that
  /// cannot be used here, and json exceptions for malformed ones.
  [[nodiscard]] torch::jit::Value* argument(const nlohmann::json& json, const c10::Type& wanted);
  /// The same where nothing in particular is wanted.
  [[nodiscard]] torch::jit::Value* argument(const nlohmann::json& json);

 private:
  [[nodiscard]] torch::jit::Value* numberOrName(const nlohmann::json& json, const char* as_number);
  [[nodiscard]] torch::jit::Value* listOf(const nlohmann::json& items, const std::string& tag);
  [[nodiscard]] torch::jit::Value* optionalTensors(const nlohmann::json& items);

  torch::jit::Graph& graph_;
  std::unordered_map<std::string, torch::jit::Value*> values_;
  /// For each inner graph, what its names meant outside; null for nothing.
  std::vector<std::vector<std::pair<std::string, torch::jit::Value*>>> replaced_;
};

}  // namespace dubito
