// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace torch::jit {
struct CompilationUnit;
struct Graph;
}  // namespace torch::jit

namespace dubito {

/// A tensor that a program computes with.
struct ProgramWeight {
  std::string path;  ///< attribute of the network: "layer1.0.conv1.weight"
  at::Tensor values;
  bool is_parameter = false;  ///< learned; buffer otherwise
};

/// The text of a TorchScript function, one line per node. It consists of numbers and own
/// identifiers: v0, v1, ... for tensors, n0, ... for integers, x0, ... for inputs and w0, ... for
/// weights. Names of the ONNX file never reach it, so a file cannot smuggle in code.
class ProgramSource {
 public:
  /// Adds an input of the function and returns its name.
  std::string addInput();
  /// Adds `expression` as a line and returns the variable of its result.
  std::string assign(std::string_view expression);
  std::string assignInteger(std::string_view expression);
  /// The same for an expression with several results.
  std::vector<std::string> assignSeveral(std::size_t count, std::string_view expression);
  /// Adds a weight and returns its name.
  std::string addWeight(ProgramWeight weight);
  /// The flag `training` of the network.
  std::string trainingFlag();
  /// Makes a function of helper_functions.h callable and returns its name.
  std::string helper(std::string_view name);

  [[nodiscard]] const std::vector<std::string>& inputs() const { return inputs_; }
  [[nodiscard]] std::vector<ProgramWeight>& weights() { return weights_; }
  [[nodiscard]] std::size_t lineCount() const { return line_count_; }

  /// The function and its helpers. `results` are variables, inputs or weights.
  [[nodiscard]] std::string text(const std::vector<std::string>& results) const;

 private:
  void addLine(std::string_view targets, std::string_view expression);

  std::vector<std::string> inputs_;
  std::vector<ProgramWeight> weights_;
  std::set<std::string_view> helpers_;
  std::string lines_;
  std::size_t line_count_ = 0;
  std::size_t tensor_count_ = 0;
  std::size_t integer_count_ = 0;
};

/// Compiles a program. The inputs of the graph are those of the program, its weights, and the flag
/// `training`; everything is inlined. Its functions are added to `unit`, which must outlive the
/// graph: torch names them in the message of an error. Throws std::exception.
[[nodiscard]] std::shared_ptr<torch::jit::Graph> compileProgram(
    const ProgramSource& source, const std::vector<std::string>& results,
    torch::jit::CompilationUnit& unit);

/// A number as TorchScript text.
[[nodiscard]] std::string numberText(double number);
[[nodiscard]] std::string boolText(bool flag);
/// "[1, 2]".
[[nodiscard]] std::string listText(const std::vector<std::int64_t>& integers);

}  // namespace dubito
