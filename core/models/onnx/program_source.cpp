// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/passes/constant_propagation.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>
#include <torch/csrc/jit/passes/inliner.h>

#include <cmath>

#include "core/models/onnx/helper_functions.h"
#include "core/models/onnx/program_source_torch.h"

namespace dubito {
namespace {

constexpr const char* kFunction = "forward";

}  // namespace

std::string ProgramSource::addInput() {
  inputs_.push_back(fmt::format("x{}", inputs_.size()));
  return inputs_.back();
}

void ProgramSource::addLine(std::string_view targets, std::string_view expression) {
  lines_ += fmt::format("    {} = {}\n", targets, expression);
  ++line_count_;
}

std::string ProgramSource::assign(std::string_view expression) {
  std::string variable = fmt::format("v{}", tensor_count_++);
  addLine(variable, expression);
  return variable;
}

std::string ProgramSource::assignInteger(std::string_view expression) {
  std::string variable = fmt::format("n{}", integer_count_++);
  addLine(variable, expression);
  return variable;
}

std::vector<std::string> ProgramSource::assignSeveral(std::size_t count,
                                                      std::string_view expression) {
  std::vector<std::string> variables;
  for (std::size_t i = 0; i < count; ++i) {
    variables.push_back(fmt::format("v{}", tensor_count_++));
  }
  addLine(fmt::format("{}", fmt::join(variables, ", ")), expression);
  return variables;
}

std::string ProgramSource::addWeight(ProgramWeight weight) {
  weights_.push_back(std::move(weight));
  return fmt::format("w{}", weights_.size() - 1);
}

std::string ProgramSource::trainingFlag() {
  return "training";
}

std::string ProgramSource::helper(std::string_view name) {
  helpers_.insert(name);
  return std::string(name);
}

std::string ProgramSource::text(const std::vector<std::string>& results) const {
  std::string text = helperSource(helpers_);
  text += fmt::format("def {}(", kFunction);
  for (const std::string& input : inputs_) {
    text += input + ": Tensor, ";
  }
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    text += fmt::format("w{}: Tensor, ", i);
  }
  text += "training: bool):\n" + lines_;
  text += results.size() == 1 ? fmt::format("    return {}\n", results.front())
                              : fmt::format("    return ({},)\n", fmt::join(results, ", "));
  return text;
}

std::shared_ptr<torch::jit::Graph> compileProgram(const ProgramSource& source,
                                                  const std::vector<std::string>& results,
                                                  torch::jit::CompilationUnit& unit) {
  unit.define(std::nullopt, source.text(results), torch::jit::nativeResolver(), nullptr);
  auto graph = torch::jit::toGraphFunction(unit.get_function(kFunction)).graph()->copy();
  torch::jit::Inline(*graph);
  // Of numbers only: a constant tensor could be of any size.
  torch::jit::ConstantPropagationImmutableTypes(graph);
  torch::jit::EliminateDeadCode(graph);
  return graph;
}

std::string numberText(double number) {
  if (std::isnan(number)) {
    return "float(\"nan\")";
  }
  if (std::isinf(number)) {
    return number > 0.0 ? "float(\"inf\")" : "float(\"-inf\")";
  }
  std::string text = fmt::format("{}", number);
  // Without a point, TorchScript would read an integer.
  if (text.find_first_of(".e") == std::string::npos) {
    text += ".0";
  }
  return text;
}

std::string boolText(bool flag) {
  return flag ? "True" : "False";
}

std::string listText(const std::vector<std::int64_t>& integers) {
  return fmt::format("[{}]", fmt::join(integers, ", "));
}

}  // namespace dubito
