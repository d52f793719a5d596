// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/models/onnx/onnx_value_torch.h"
#include "core/models/onnx/program_source_torch.h"
#include "core/models/onnx/stored_tensor_torch.h"

namespace dubito {

/// What all nodes of one program share.
struct ProgramInProgress {
  StoredTensors& stored;
  ProgramSource source;
  /// Names of the weights in the program, by the constant and what was done with it.
  std::map<std::pair<const void*, std::string>, std::string> weights;
  std::vector<OnnxValue> kept;  ///< keeps the constants alive whose addresses are keys
  /// The first weight made of each constant of the file.
  std::map<const OnnxTensor*, at::Tensor> first_of = {};
  std::set<std::string> paths;       ///< of attributes, in use
  bool has_sizes_of_batch = false;   ///< a constant of the file may contain the number of items
  bool is_in_training_mode = false;  ///< the network was exported in training mode
};

/// The opset whose definitions operators of other domains are composed of.
inline constexpr std::int64_t kOpsetOfParts = 20;

/// One node being translated: its inputs and attributes, checked, and the results of its
/// translation. Member functions throw RefusedOnnx, naming the node.
class NodeTranslation {
 public:
  NodeTranslation(const OnnxNode& node, std::int64_t opset, std::vector<const OnnxValue*> inputs,
                  ProgramInProgress& program)
      : node_(node),
        opset_(opset),
        inputs_(std::move(inputs)),
        results_(node.outputs.size()),
        program_(program) {}

  [[nodiscard]] std::string_view op() const { return node_.op; }
  [[nodiscard]] std::int64_t opset() const { return opset_; }
  [[nodiscard]] const OnnxNode& node() const { return node_; }
  [[nodiscard]] ProgramSource& source() { return program_.source; }
  [[nodiscard]] ProgramInProgress& program() { return program_; }

  // --- Inputs

  [[nodiscard]] std::size_t inputCount() const { return inputs_.size(); }
  [[nodiscard]] bool hasInput(std::size_t i) const {
    return i < inputs_.size() && inputs_[i] != nullptr;
  }
  [[nodiscard]] const OnnxValue& input(std::size_t i) const;
  /// An input, or nullptr if it is not given.
  [[nodiscard]] const OnnxValue* inputOrNull(std::size_t i) const {
    return hasInput(i) ? inputs_[i] : nullptr;
  }
  /// Type and shape of an input; absent if unknown.
  [[nodiscard]] std::optional<at::ScalarType> type(std::size_t i) const { return input(i).type; }
  [[nodiscard]] const std::optional<OnnxShape>& shape(std::size_t i) const {
    return input(i).shape;
  }
  /// Number of axes of an input, which must be known.
  [[nodiscard]] std::int64_t knownRank(std::size_t i) const;

  /// Name of a tensor in the program; a constant becomes a weight called `role`.
  [[nodiscard]] std::string tensor(std::size_t i, std::string_view role = "constant");
  [[nodiscard]] std::string tensorOr(std::size_t i, std::string_view fallback,
                                     std::string_view role = "constant") {
    return hasInput(i) ? tensor(i, role) : std::string(fallback);
  }
  /// A tensor, or the number if it is a constant of one element.
  [[nodiscard]] std::string operand(std::size_t i);
  /// Adds a constant computed from input `i` as a weight; `change` tells what was done with it.
  [[nodiscard]] std::string weight(std::size_t i, std::string_view role, std::string_view change,
                                   const at::Tensor& values);
  /// Adds a tensor that an attribute states as a weight.
  [[nodiscard]] std::string addWeight(std::string_view role, const at::Tensor& values,
                                      bool is_learned);
  /// The name of a constant that is the bias of this node.
  [[nodiscard]] std::string biasText(const OnnxValue& bias);
  [[nodiscard]] static std::string textOf(const OnnxValue& value, NodeTranslation& node);

  /// The value of an input if it is known.
  [[nodiscard]] std::optional<at::Tensor> constant(std::size_t i) const;
  [[nodiscard]] at::Tensor neededConstant(std::size_t i, std::string_view what) const;
  /// A number that must be known.
  [[nodiscard]] double numberAt(std::size_t i, double fallback, std::string_view what) const;
  [[nodiscard]] std::optional<std::vector<std::int64_t>> constantIntegers(std::size_t i) const;
  /// Elements of a scalar or vector, if they are known numbers or sizes.
  [[nodiscard]] std::optional<std::vector<ProgramInteger>> integersOf(std::size_t i) const;
  /// A List[int] in the program.
  [[nodiscard]] std::string integerList(std::size_t i);

  // --- Attributes

  [[nodiscard]] const OnnxAttribute* attribute(std::string_view name) const;
  [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t fallback) const;
  [[nodiscard]] bool flag(std::string_view name, bool fallback) const {
    return integer(name, fallback ? 1 : 0) != 0;
  }
  [[nodiscard]] double number(std::string_view name, double fallback) const;
  [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(std::string_view name) const;
  /// `count` integers, all `fallback` if the attribute is absent.
  [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name, std::size_t count,
                                                   std::int64_t fallback) const;
  /// A text that must be one of `choices`, which are our own: the text of the file is not used.
  [[nodiscard]] std::string_view choice(std::string_view name, std::string_view fallback,
                                        std::initializer_list<std::string_view> choices) const;
  /// Axes from the attribute or, in newer opsets, input `i`; absent if there are none.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> axes(std::size_t i) const;
  /// An axis from 0 to rank - 1.
  [[nodiscard]] std::int64_t axisOf(std::int64_t axis, std::int64_t rank) const;

  // --- Results

  [[nodiscard]] std::size_t resultCount() const { return results_.size(); }
  [[nodiscard]] bool hasResult(std::size_t i) const {
    return i < node_.outputs.size() && !node_.outputs[i].empty();
  }
  [[nodiscard]] OnnxValue& result(std::size_t i) { return results_.at(i); }
  /// Result `i` is `expression`.
  void set(std::size_t i, std::string_view expression, std::optional<at::ScalarType> type,
           std::optional<OnnxShape> shape);
  /// Result `i` is in `variable`.
  void setVariable(std::size_t i, std::string variable, std::optional<at::ScalarType> type,
                   std::optional<OnnxShape> shape);
  /// The only result has the type and the shape of the first input.
  void setLikeInput(std::string_view expression) { set(0, expression, type(0), shape(0)); }
  void setIntegers(std::size_t i, std::vector<ProgramInteger> integers, bool is_scalar,
                   at::ScalarType type = at::kLong);
  [[nodiscard]] std::vector<OnnxValue> takeResults() { return std::move(results_); }
  /// The only result is `value`.
  void setValue(OnnxValue value) { results_.at(0) = std::move(value); }

  // --- Parts

  /// The first result of ONNX's own operator `op`, translated as a part of this node: `inputs` may
  /// be nullptr, `attributes` replace those of this node, and errors name this node.
  [[nodiscard]] OnnxValue part(std::string_view op, const std::vector<const OnnxValue*>& inputs,
                               std::vector<OnnxAttribute> attributes = {},
                               std::int64_t opset = kOpsetOfParts);

  /// A bias that the only user of the result adds to it. A translation that adds it sets
  /// `has_used_bias`; the user then passes the result on.
  const OnnxValue* following_bias = nullptr;
  bool has_used_bias = false;

  /// Throws RefusedOnnx: "its operator Conv (node '/conv1/Conv') REASON".
  [[noreturn]] void refuse(std::string_view reason_and_remedy) const;
  [[noreturn]] void refuseNode(std::string_view reason) const;

 private:
  [[nodiscard]] std::string freePath(std::string_view weight_name, std::string_view role) const;
  [[nodiscard]] at::Tensor read(const OnnxValue& value) const;
  [[nodiscard]] std::string weightOf(const OnnxValue& value, std::string_view role,
                                     const std::string& change, const at::Tensor& values);

  const OnnxNode& node_;
  std::int64_t opset_;
  std::vector<const OnnxValue*> inputs_;
  std::vector<OnnxValue> results_;
  ProgramInProgress& program_;
};

// Attributes and inputs of the parts of a node.
[[nodiscard]] OnnxAttribute integerAttribute(std::string_view name, std::int64_t value);
[[nodiscard]] OnnxAttribute numberAttribute(std::string_view name, double value);
[[nodiscard]] OnnxAttribute listAttribute(std::string_view name, std::vector<std::int64_t> values);
[[nodiscard]] OnnxValue tensorValue(std::string variable, std::optional<at::ScalarType> type,
                                    std::optional<OnnxShape> shape);

}  // namespace dubito
