// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/frontend/source_range.h>
#include <torch/csrc/jit/ir/ir.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_set>

namespace dubito {

/// A program contains what the program of a network file must not contain. what() names it and its
/// place: "aten::save (code/__torch__.py, line 9)".
class RefusedProgram : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws RefusedProgram if the source contains an expression that compiling it would run: the
/// default of an argument, or the value of a class constant, that is not a literal. Throws
/// torch::jit::ErrorReport for text that is no program.
void checkSource(const std::shared_ptr<torch::jit::Source>& source);

/// Checks the operators of graphs, and the classes of their values, against the allowed ones (see
/// allowed_operators.h): also in branches that never run.
class ProgramCheck {
 public:
  /// Checks a graph. Throws RefusedProgram.
  static void checkGraph(const torch::jit::Graph& graph);
  /// Checks the functions and methods that were compiled since the last call. Throws
  /// RefusedProgram.
  void checkNew(const torch::jit::CompilationUnit& program);

 private:
  std::unordered_set<const torch::jit::Function*> checked_;
};

/// Throws RefusedProgram if it is a C++ class that is not allowed.
void checkClass(const c10::Type& type);

}  // namespace dubito
