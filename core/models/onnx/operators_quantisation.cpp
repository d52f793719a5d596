// SPDX-License-Identifier: GPL-3.0-or-later
// Quantisation: weights and values are computed with in floating point, as the file defines them.
#include <fmt/format.h>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/shape_rules_torch.h"

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

struct IntegerRange {
  std::int64_t lowest;
  std::int64_t highest;
};

IntegerRange rangeOf(const Node& node, at::ScalarType type) {
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

/// round(x / scale) + zero point, clamped to the range of the type.
void quantise(Node& node) {
  auto type = node.hasInput(2) ? node.type(2) : std::optional(at::kByte);
  if (const std::int64_t stated = node.integer("output_dtype", 0);
      stated != 0 && !node.hasInput(2)) {
    type = torchTypeOf(static_cast<OnnxType>(stated));
  }
  const IntegerRange range = rangeOf(node, type.value_or(at::kByte));
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

/// A product of whole numbers, computed in double precision, which represents them exactly.
void integerProduct(Node& node) {
  const auto shifted = [&node](std::size_t i) {
    const std::string values = node.source().assign(
        fmt::format("{}.to({})", node.tensor(i, "weight"), static_cast<int>(at::kDouble)));
    if (!node.hasInput(i + 2)) {
      return values;
    }
    std::string zero = node.tensor(i + 2, "zero_point");
    const auto rank = node.input(i + 2).rank();
    if (i == 0 && rank == 1 && node.shape(2)->front() != 1) {
      zero = node.source().assign(fmt::format("torch.unsqueeze({}, 1)", zero));
    }
    return node.source().assign(fmt::format("torch.sub({}, {})", values, zero));
  };
  const std::string a = shifted(0);
  const std::string b = shifted(1);
  node.set(0, fmt::format("torch.matmul({}, {}).to({})", a, b, static_cast<int>(at::kInt)),
           at::kInt, productShape(node.shape(0), node.shape(1)));
}

constexpr OnnxOperator kOperators[] = {
    {"DequantizeLinear", dequantise},
    {"DynamicQuantizeLinear", dynamicQuantise},
    {"MatMulInteger", integerProduct},
    {"QuantizeLinear", quantise},
};

}  // namespace

std::span<const OnnxOperator> quantisationOperators() {
  return kOperators;
}

}  // namespace dubito
