// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/core/dispatch/Dispatcher.h>
#include <fmt/format.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <nlohmann/json.hpp>

#include "core/base/in_quotes.h"
#include "core/models/exported/operator_call_torch.h"
#include "core/models/program/allowed_operators.h"
#include "core/models/program/program_check_torch.h"

namespace dubito {

using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

namespace {

const c10::FunctionSchema& schemaOf(const OperatorName& called) {
  if (const auto handle = c10::Dispatcher::singleton().findSchema({called.name, called.overload})) {
    return handle->schema();
  }
  const auto symbol = c10::Symbol::fromQualString(called.name);
  for (const auto& candidate : torch::jit::getAllOperatorsFor(symbol)) {
    if (candidate->schema().overload_name() == called.overload) {
      return candidate->schema();
    }
  }
  throw UntranslatableProgram(fmt::format(
      "it calls the operator {}, which this LibTorch does not have",
      inQuotes(called.overload.empty() ? called.name : called.name + "." + called.overload)));
}

bool isIdentifier(std::string_view text) {
  return !text.empty() && text.find_first_not_of(
                              "abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                              "0123456789_") == std::string_view::npos;
}

}  // namespace

OperatorName operatorIn(const std::string& target) {
  const std::string_view text = std::string_view(target).substr(kOperatorTarget.size());
  const std::size_t first = text.find('.');
  const std::size_t second = text.find('.', first == std::string_view::npos ? first : first + 1);
  if (second == std::string_view::npos) {
    throw UntranslatableProgram("it calls " + inQuotes(target) + ", which is no operator");
  }
  const std::string_view space = text.substr(0, first);
  const std::string_view name = text.substr(first + 1, second - first - 1);
  const std::string_view overload = text.substr(second + 1);
  if (!isIdentifier(space) || !isIdentifier(name) || !isIdentifier(overload)) {
    throw UntranslatableProgram("it calls " + inQuotes(target) + ", which is no operator");
  }
  return {fmt::format("{}::{}", space, name),
          overload == "default" ? std::string() : std::string(overload)};
}

OperatorArguments::OperatorArguments(const nlohmann::json& node, ProgramValues& values)
    : values_(values) {
  for (const nlohmann::json& input : node.at("inputs")) {
    json_[input.at("name").get<std::string>()] = &input.at("arg");
  }
}

const nlohmann::json* OperatorArguments::json(const std::string& name) const {
  const auto found = json_.find(name);
  return found == json_.end() ? nullptr : found->second;
}

Value* OperatorArguments::value(const std::string& name, const c10::Type& wanted) {
  if (const auto given = given_.find(name); given != given_.end()) {
    return given->second;
  }
  const nlohmann::json* const argument = json(name);
  if (argument == nullptr) {
    throw UntranslatableProgram("it lacks the argument " + inQuotes(name));
  }
  return values_.argument(*argument, wanted);
}

void OperatorArguments::rename(const std::string& from, const std::string& to) {
  if (const auto found = json_.find(from); found != json_.end()) {
    json_[to] = found->second;
    json_.erase(from);
  }
}

Node* insertCall(Graph& graph, const OperatorName& called, OperatorArguments& arguments) {
  const c10::FunctionSchema& schema = schemaOf(called);
  if (!isAllowedOperator(called.name)) {
    throw RefusedProgram(called.name);
  }
  std::vector<Value*> inputs;
  for (const c10::Argument& argument : schema.arguments()) {
    if (arguments.has(argument.name())) {
      inputs.push_back(arguments.value(argument.name(), *argument.type()));
    } else if (argument.default_value()) {
      inputs.push_back(graph.insertConstant(*argument.default_value()));
    } else {
      throw UntranslatableProgram(
          fmt::format("it calls {} without {}", called.name, inQuotes(argument.name())));
    }
  }
  Node* const node = graph.insertNode(
      graph.create(c10::Symbol::fromQualString(called.name), inputs, schema.returns().size()));
  for (std::size_t i = 0; i < schema.returns().size(); ++i) {
    node->output(i)->setType(schema.returns()[i].type());
  }
  if (node->maybeOperator() == nullptr) {
    throw UntranslatableProgram(
        fmt::format("it calls {} with arguments that do not fit", called.name));
  }
  return node;
}

}  // namespace dubito
