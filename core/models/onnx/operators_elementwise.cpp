// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic, comparisons and functions of single elements.
#include <fmt/format.h>

#include <cmath>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/refused_onnx.h"
#include "core/models/onnx/shape_rules_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;

/// `function` is one of torch for one tensor.
void unary(Node& node, std::string_view function) {
  node.setLikeInput(fmt::format("torch.{}({})", function, node.tensor(0)));
}

/// The second operand. Before opset 7, its axes were aligned at a stated axis instead of the last.
std::string secondOperand(Node& node) {
  if (node.opset() >= 7 || node.attribute("axis") == nullptr) {
    return node.operand(1);
  }
  const std::int64_t rank = node.knownRank(0);
  const auto& shape = node.shape(1);
  const std::int64_t axis = node.axisOf(node.integer("axis", -1), rank);
  if (!shape || static_cast<std::int64_t>(shape->size()) > rank - axis) {
    node.refuseNode("its inputs cannot be aligned at an axis");
  }
  std::string result = node.tensor(1);
  for (std::int64_t i = axis + static_cast<std::int64_t>(shape->size()); i < rank; ++i) {
    result = node.source().assign(fmt::format("torch.unsqueeze({}, -1)", result));
  }
  return result;
}

/// The two operands of an elementwise operator: a number may replace the second one.
std::string operands(Node& node) {
  return fmt::format("{}, {}", node.tensor(0), secondOperand(node));
}

KnownShape shapeOfBoth(const Node& node) {
  if (node.opset() < 7 && node.attribute("axis") != nullptr) {
    return node.shape(0);
  }
  return broadcastShape(node.shape(0), node.shape(1));
}

void binary(Node& node, std::string_view function) {
  // A number may be either factor or summand: torch accepts it as the second one only.
  const bool is_symmetric = function == "add" || function == "mul";
  if (is_symmetric && node.input(0).isConstant() && node.input(0).rank() == 0) {
    node.set(0, fmt::format("torch.{}({}, {})", function, node.tensor(1), node.operand(0)),
             node.type(1), node.shape(1));
    return;
  }
  node.set(0, fmt::format("torch.{}({})", function, operands(node)), node.type(0),
           shapeOfBoth(node));
}

void comparison(Node& node, std::string_view function) {
  node.set(0, fmt::format("torch.{}({})", function, operands(node)), at::kBool, shapeOfBoth(node));
}

void logical(Node& node, std::string_view function) {
  node.set(0, fmt::format("torch.{}({})", function, operands(node)), at::kBool, shapeOfBoth(node));
}

bool isFloating(std::optional<at::ScalarType> type) {
  return type && at::isFloatingType(*type);
}

void divide(Node& node) {
  const auto type = node.type(0) ? node.type(0) : node.type(1);
  if (isFloating(type)) {
    binary(node, "div");
  } else if (type) {
    node.set(0, fmt::format("torch.div({}, rounding_mode=\"trunc\")", operands(node)), type,
             shapeOfBoth(node));
  } else {
    node.set(
        0,
        fmt::format("{}({}, {})", node.source().helper("divide"), node.tensor(0), node.tensor(1)),
        type, shapeOfBoth(node));
  }
}

void power(Node& node) {
  // The result has the type of the base.
  const std::string result = node.source().assign(fmt::format("torch.pow({})", operands(node)));
  const auto type = node.type(0);
  if (type && type == node.type(1)) {
    node.setVariable(0, result, type, shapeOfBoth(node));
  } else {
    node.set(0, fmt::format("{}.to({}.dtype)", result, node.tensor(0)), type, shapeOfBoth(node));
  }
}

void modulo(Node& node) {
  binary(node, node.flag("fmod", false) ? "fmod" : "remainder");
}

/// Max, Min, Sum and Mean of any number of tensors.
void ofSeveral(Node& node, std::string_view function) {
  std::string result = node.tensor(0);
  KnownShape shape = node.shape(0);
  for (std::size_t i = 1; i < node.inputCount(); ++i) {
    result =
        node.source().assign(fmt::format("torch.{}({}, {})", function, result, node.tensor(i)));
    shape = broadcastShape(shape, node.shape(i));
  }
  node.setVariable(0, result, node.type(0), shape);
}

void mean(Node& node) {
  ofSeveral(node, "add");
  node.set(0,
           fmt::format("torch.div({}, {})", node.result(0).variable,
                       numberText(static_cast<double>(node.inputCount()))),
           node.type(0), node.result(0).shape);
}

void where(Node& node) {
  node.set(
      0, fmt::format("torch.where({}, {}, {})", node.tensor(0), node.tensor(1), node.tensor(2)),
      node.type(1), broadcastShape(node.shape(0), broadcastShape(node.shape(1), node.shape(2))));
}

void cast(Node& node) {
  const auto type = torchTypeOf(static_cast<OnnxType>(node.integer("to", 0)));
  node.set(0, fmt::format("{}.to({})", node.tensor(0), static_cast<int>(type)), type,
           node.shape(0));
}

void castLike(Node& node) {
  node.set(0, fmt::format("{}.to({}.dtype)", node.tensor(0), node.tensor(1)), node.type(1),
           node.shape(0));
}

void isInfinite(Node& node) {
  const bool negative = node.flag("detect_negative", true);
  const bool positive = node.flag("detect_positive", true);
  const std::string_view function = negative && positive ? "isinf"
                                    : negative           ? "isneginf"
                                                         : "isposinf";
  if (!negative && !positive) {
    node.set(
        0,
        fmt::format("torch.zeros_like({}, dtype={})", node.tensor(0), static_cast<int>(at::kBool)),
        at::kBool, node.shape(0));
    return;
  }
  node.set(0, fmt::format("torch.{}({})", function, node.tensor(0)), at::kBool, node.shape(0));
}

void bitShift(Node& node) {
  const bool left = node.choice("direction", "LEFT", {"LEFT", "RIGHT"}) == "LEFT";
  binary(node, left ? "bitwise_left_shift" : "bitwise_right_shift");
}

/// A bound of Clip: an attribute in old opsets, an input in newer ones.
std::optional<double> bound(const Node& node, std::size_t i, std::string_view name) {
  if (node.attribute(name) != nullptr) {
    return node.number(name, 0.0);
  }
  const auto known = node.constant(i);
  return known && known->numel() == 1 ? std::optional(known->item().toDouble()) : std::nullopt;
}

void clip(Node& node) {
  const auto low = bound(node, 1, "min");
  const auto high = bound(node, 2, "max");
  const bool are_known = (low || !node.hasInput(1)) && (high || !node.hasInput(2));
  if (are_known) {
    const bool is_floating = !node.type(0) || isFloating(node.type(0));
    const auto text = [is_floating](const std::optional<double>& number) {
      if (!number || std::isinf(*number)) {
        return std::string("None");
      }
      return is_floating ? numberText(*number) : std::to_string(static_cast<std::int64_t>(*number));
    };
    const std::string lowest = text(low);
    const std::string highest = text(high);
    if (lowest == "None" && highest == "None") {
      node.setVariable(0, node.tensor(0), node.type(0), node.shape(0));
      return;
    }
    // The bounds decide last in ONNX and torch alike: the upper one wins.
    node.setLikeInput(fmt::format("torch.clamp({}, {}, {})", node.tensor(0), lowest, highest));
    return;
  }
  std::string result = node.tensor(0);
  if (node.hasInput(1)) {
    result = node.source().assign(fmt::format("torch.maximum({}, {})", result, node.tensor(1)));
  }
  if (node.hasInput(2)) {
    result = node.source().assign(fmt::format("torch.minimum({}, {})", result, node.tensor(2)));
  }
  node.setVariable(0, result, node.type(0), node.shape(0));
}

void identity(Node& node) {
  node.result(0) = node.input(0);
}

constexpr OnnxOperator kOperators[] = {
    {"Abs", [](Node& node) { unary(node, "abs"); }},
    {"Acos", [](Node& node) { unary(node, "acos"); }},
    {"Acosh", [](Node& node) { unary(node, "acosh"); }},
    {"Add", [](Node& node) { binary(node, "add"); }},
    {"And", [](Node& node) { logical(node, "logical_and"); }},
    {"Asin", [](Node& node) { unary(node, "asin"); }},
    {"Asinh", [](Node& node) { unary(node, "asinh"); }},
    {"Atan", [](Node& node) { unary(node, "atan"); }},
    {"Atanh", [](Node& node) { unary(node, "atanh"); }},
    {"BitShift", bitShift},
    {"BitwiseAnd", [](Node& node) { binary(node, "bitwise_and"); }},
    {"BitwiseNot", [](Node& node) { unary(node, "bitwise_not"); }},
    {"BitwiseOr", [](Node& node) { binary(node, "bitwise_or"); }},
    {"BitwiseXor", [](Node& node) { binary(node, "bitwise_xor"); }},
    {"Cast", cast},
    {"CastLike", castLike},
    {"Ceil", [](Node& node) { unary(node, "ceil"); }},
    {"Clip", clip},
    {"Cos", [](Node& node) { unary(node, "cos"); }},
    {"Cosh", [](Node& node) { unary(node, "cosh"); }},
    {"Div", divide},
    {"Equal", [](Node& node) { comparison(node, "eq"); }},
    {"Erf", [](Node& node) { unary(node, "erf"); }},
    {"Exp", [](Node& node) { unary(node, "exp"); }},
    {"Floor", [](Node& node) { unary(node, "floor"); }},
    {"Greater", [](Node& node) { comparison(node, "gt"); }},
    {"GreaterOrEqual", [](Node& node) { comparison(node, "ge"); }},
    {"Identity", identity},
    {"IsInf", isInfinite},
    {"IsNaN",
     [](Node& node) {
       node.set(0, fmt::format("torch.isnan({})", node.tensor(0)), at::kBool, node.shape(0));
     }},
    {"Less", [](Node& node) { comparison(node, "lt"); }},
    {"LessOrEqual", [](Node& node) { comparison(node, "le"); }},
    {"Log", [](Node& node) { unary(node, "log"); }},
    {"Max", [](Node& node) { ofSeveral(node, "maximum"); }},
    {"Mean", mean},
    {"Min", [](Node& node) { ofSeveral(node, "minimum"); }},
    {"Mod", modulo},
    {"Mul", [](Node& node) { binary(node, "mul"); }},
    {"Neg", [](Node& node) { unary(node, "neg"); }},
    {"Not", [](Node& node) { unary(node, "logical_not"); }},
    {"Or", [](Node& node) { logical(node, "logical_or"); }},
    {"Pow", power},
    {"Reciprocal", [](Node& node) { unary(node, "reciprocal"); }},
    {"Round", [](Node& node) { unary(node, "round"); }},
    {"Sign", [](Node& node) { unary(node, "sign"); }},
    {"Sin", [](Node& node) { unary(node, "sin"); }},
    {"Sinh", [](Node& node) { unary(node, "sinh"); }},
    {"Sqrt", [](Node& node) { unary(node, "sqrt"); }},
    {"Sub", [](Node& node) { binary(node, "sub"); }},
    {"Sum", [](Node& node) { ofSeveral(node, "add"); }},
    {"Tan", [](Node& node) { unary(node, "tan"); }},
    {"Where", where},
    {"Xor", [](Node& node) { logical(node, "logical_xor"); }},
};

}  // namespace

std::span<const OnnxOperator> elementwiseOperators() {
  return kOperators;
}

}  // namespace dubito
