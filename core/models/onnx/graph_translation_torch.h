// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/onnx_file.h"
#include "core/models/onnx/operators.h"

namespace dubito {

/// Values by name. A graph inside a node also sees those of the graph that the node is in.
class OnnxScope {
 public:
  explicit OnnxScope(const OnnxScope* outer = nullptr) : outer_(outer) {}

  [[nodiscard]] const OnnxValue* find(std::string_view name) const;
  /// Throws RefusedOnnx if the name has a value already.
  void add(std::string_view name, OnnxValue value);

 private:
  const OnnxScope* outer_;
  std::unordered_map<std::string_view, OnnxValue> values_;
};

/// Translates the nodes of a graph, in their order, into lines of a program.
class GraphTranslation {
 public:
  GraphTranslation(const OnnxFile& file, ProgramInProgress& program)
      : file_(file), program_(program) {}

  /// Adds constants and translates nodes. Throws RefusedOnnx.
  void addInitializers(const OnnxGraph& graph, OnnxScope& scope);
  void translateNodes(const std::vector<OnnxNode>& nodes, const std::vector<std::string_view>& kept,
                      const std::map<std::string_view, std::int64_t>& opsets, OnnxScope& scope);

 private:
  using Opsets = std::map<std::string_view, std::int64_t>;
  /// How the nodes of a graph use its values.
  using Users = std::unordered_map<std::string_view, std::vector<const OnnxNode*>>;

  void translateNode(const OnnxNode& node, const Opsets& opsets, OnnxScope& scope,
                     const Users& users);
  void callFunction(const OnnxFunction& function, const OnnxNode& node,
                    const std::vector<const OnnxValue*>& inputs, OnnxScope& scope);
  void takeBranch(const OnnxNode& node, const std::vector<const OnnxValue*>& inputs,
                  const Opsets& opsets, OnnxScope& scope);
  static void setConstant(const OnnxNode& node, OnnxScope& scope);
  bool fold(const OnnxOperator& op, const OnnxNode& node, std::int64_t opset,
            const std::vector<const OnnxValue*>& inputs, OnnxScope& scope);
  static void addResults(const OnnxNode& node, std::vector<OnnxValue> results, OnnxScope& scope);
  static const OnnxValue* followingBias(const OnnxNode& node, const OnnxScope& scope,
                                        const Users& users);

  const OnnxFile& file_;
  ProgramInProgress& program_;
  int depth_ = 0;               ///< of functions and branches
  std::size_t node_count_ = 0;  ///< translated so far, with those of functions
  /// Nodes whose addition is part of the product before them.
  std::set<const OnnxNode*> done_;
};

/// A constant as a value.
[[nodiscard]] OnnxValue constantValue(at::Tensor values);

}  // namespace dubito
