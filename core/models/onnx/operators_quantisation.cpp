// SPDX-License-Identifier: GPL-3.0-or-later
// Quantisation: weights and values are computed with in floating point, as the file defines them.
#include <fmt/format.h>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/quantisation_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;

/// A scale or zero point per channel, with as many axes as the values it belongs to.
std::string alongAxis(Node& node, std::size_t i, std::string_view role) {
  const auto& shape = node.shape(i);
  if (node.integer("block_size", 0) != 0) {
    node.refuse("quantises in blocks, which is not supported; quantise per tensor or channel");
  }
  const std::string values = node.tensor(i, role);
  if (!shape || shape->empty() || (shape->size() == 1 && shape->front() == 1)) {
    return shape && shape->size() == 1 ? node.source().assign(values + ".reshape([])") : values;
  }
  const std::int64_t rank = node.knownRank(0);
  const std::int64_t axis = node.axisOf(node.integer("axis", 1), rank);
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(rank), 1);
  sizes[static_cast<std::size_t>(axis)] = -1;
  return node.source().assign(fmt::format("{}.reshape({})", values, listText(sizes)));
}

/// round(x / scale) + zero point, clamped to the range of the type.
void quantise(Node& node) {
  auto type = node.hasInput(2) ? node.type(2) : std::optional(at::kByte);
  if (const std::int64_t stated = node.integer("output_dtype", 0);
      stated != 0 && !node.hasInput(2)) {
    type = torchTypeOf(static_cast<OnnxType>(stated));
  }
  const IntegerRange range = quantisedRange(node, type.value_or(at::kByte));
  const std::string scale = alongAxis(node, 1, "scale");
  std::string rounded =
      node.source().assign(fmt::format("torch.round(torch.div({}, {}))", node.tensor(0), scale));
  if (node.hasInput(2)) {
    rounded = node.source().assign(
        fmt::format("torch.add({}, {})", rounded, alongAxis(node, 2, "zero_point")));
  }
  node.set(0,
           fmt::format("torch.clamp({}, {}, {}).to({})", rounded, range.lowest, range.highest,
                       static_cast<int>(*type)),
           type, node.shape(0));
}

/// (x - zero point) * scale.
void dequantise(Node& node) {
  const std::string scale = alongAxis(node, 1, "scale");
  const auto type = node.type(1).value_or(at::kFloat);
  std::string values = node.tensor(0, "weight");
  values = node.source().assign(fmt::format("{}.to({})", values, static_cast<int>(type)));
  if (node.hasInput(2)) {
    values = node.source().assign(
        fmt::format("torch.sub({}, {})", values, alongAxis(node, 2, "zero_point")));
  }
  node.set(0, fmt::format("torch.mul({}, {})", values, scale), type, node.shape(0));
}

void dynamicQuantise(Node& node) {
  const auto results = node.source().assignSeveral(
      3, fmt::format("{}({})", node.source().helper("quantise_by_range"), node.tensor(0)));
  node.setVariable(0, results[0], at::kByte, node.shape(0));
  node.setVariable(1, results[1], at::kFloat, OnnxShape());
  node.setVariable(2, results[2], at::kByte, OnnxShape());
}

// Elementwise operators and pooling on quantised values, as onnxruntime's tools write them: each is
// the operator of ONNX between DequantizeLinear and QuantizeLinear.

at::ScalarType quantisedType(const Node& node, std::size_t i) {
  return node.type(i).value_or(at::kByte);
}

/// Inputs: values, scale, zero point of each operand; then scale and zero point of the result.
void betweenQuantised(Node& node, std::string_view op, std::size_t operands) {
  std::vector<OnnxValue> values;
  for (std::size_t i = 0; i < operands; ++i) {
    values.push_back(dequantisedInput(node, 3 * i, 3 * i + 1, 3 * i + 2));
  }
  std::vector<const OnnxValue*> inputs;
  for (const OnnxValue& value : values) {
    inputs.push_back(&value);
  }
  setQuantised(node, node.part(op, inputs), 3 * operands, 3 * operands + 1, quantisedType(node, 0));
}

/// Softmax of the opset that the node states.
void quantisedSoftmax(Node& node) {
  const OnnxValue x = dequantisedInput(node, 0, 1, 2);
  const std::int64_t opset = node.integer("opset", 0);
  if (opset < 1) {
    node.refuseNode("it does not state the opset of its softmax");
  }
  setQuantised(node, node.part("Softmax", {&x}, {}, opset), 3, 4, quantisedType(node, 0));
}

/// Pooling of images with the channels in axis 1 or, if the node says so, in the last one.
void quantisedPool(Node& node, std::string_view op) {
  OnnxValue x = dequantisedInput(node, 0, 1, 2);
  const bool has_channels_last = node.flag("channels_last", false);
  std::vector<std::int64_t> to_front = {0};
  std::vector<std::int64_t> to_end = {0};
  if (has_channels_last) {
    const std::int64_t rank = node.knownRank(0);
    to_front.push_back(rank - 1);
    for (std::int64_t axis = 1; axis + 1 < rank; ++axis) {
      to_front.push_back(axis);
      to_end.push_back(axis + 1);
    }
    to_end.push_back(1);
    x = node.part("Transpose", {&x}, {listAttribute("perm", to_front)});
  }
  OnnxValue pooled = node.part(op, {&x});
  if (has_channels_last) {
    pooled = node.part("Transpose", {&pooled}, {listAttribute("perm", to_end)});
  }
  setQuantised(node, pooled, 3, 4, quantisedType(node, 0));
}

/// Inputs: scale and zero point of the result; then values, scale and zero point of each part.
void quantisedConcat(Node& node) {
  std::vector<OnnxValue> values;
  for (std::size_t i = 2; i < node.inputCount(); i += 3) {
    values.push_back(dequantisedInput(node, i, i + 1, i + 2));
  }
  std::vector<const OnnxValue*> inputs;
  for (const OnnxValue& value : values) {
    inputs.push_back(&value);
  }
  setQuantised(node, node.part("Concat", inputs), 0, 1, quantisedType(node, 1));
}

constexpr OnnxOperator kOperators[] = {
    {"DequantizeLinear", dequantise},
    {"DynamicQuantizeLinear", dynamicQuantise},
    {"QuantizeLinear", quantise},
    {"DequantizeLinear", dequantise, kMicrosoftDomain},
    {"QLinearAdd", [](Node& node) { betweenQuantised(node, "Add", 2); }, kMicrosoftDomain},
    {"QLinearAveragePool", [](Node& node) { quantisedPool(node, "AveragePool"); },
     kMicrosoftDomain},
    {"QLinearConcat", quantisedConcat, kMicrosoftDomain},
    {"QLinearGlobalAveragePool", [](Node& node) { quantisedPool(node, "GlobalAveragePool"); },
     kMicrosoftDomain},
    {"QLinearLeakyRelu", [](Node& node) { betweenQuantised(node, "LeakyRelu", 1); },
     kMicrosoftDomain},
    {"QLinearMul", [](Node& node) { betweenQuantised(node, "Mul", 2); }, kMicrosoftDomain},
    {"QLinearSigmoid", [](Node& node) { betweenQuantised(node, "Sigmoid", 1); }, kMicrosoftDomain},
    {"QLinearSoftmax", quantisedSoftmax, kMicrosoftDomain},
    {"QuantizeLinear", quantise, kMicrosoftDomain},
};

}  // namespace

IntegerRange quantisedRange(const NodeTranslation& node, at::ScalarType type) {
  switch (type) {
    case at::kByte:
      return {0, 255};
    case at::kChar:
      return {-128, 127};
    case at::kShort:
      return {-32768, 32767};
    default:
      node.refuse("quantises to a type that is not supported; use int8, uint8 or int16");
  }
}

OnnxValue dequantisedInput(NodeTranslation& node, std::size_t values, std::size_t scale,
                           std::size_t zero_point) {
  return node.part("DequantizeLinear",
                   {&node.input(values), &node.input(scale), node.inputOrNull(zero_point)});
}

void setQuantised(NodeTranslation& node, const OnnxValue& x, std::size_t scale,
                  std::size_t zero_point, at::ScalarType fallback) {
  const OnnxType type = fallback == at::kChar ? OnnxType::kInt8 : OnnxType::kUint8;
  node.setValue(node.part("QuantizeLinear", {&x, &node.input(scale), node.inputOrNull(zero_point)},
                          {integerAttribute("output_dtype", static_cast<std::int64_t>(type))}));
}

std::span<const OnnxOperator> quantisationOperators() {
  return kOperators;
}

}  // namespace dubito
