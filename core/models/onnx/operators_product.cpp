// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix products.
#include <ATen/Functions.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/shape_rules_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;

/// The constant second factor [in, out] as the weight [out, in] of a linear layer.
std::string transposedWeight(Node& node, std::size_t i) {
  return node.weight(i, "weight", "transposed", node.neededConstant(i, "").t().contiguous());
}

/// Whether input `i` is a constant that can be the bias of a layer of `classes` outputs.
bool isBias(const Node& node, std::size_t i, std::int64_t outputs) {
  return node.hasInput(i) && node.input(i).isConstant() &&
         node.shape(i) == KnownShape(OnnxShape{outputs});
}

/// Whether a following addition is that of a bias: its constant is then passed as such.
bool isFollowingBias(const OnnxValue* value, std::int64_t outputs) {
  return value != nullptr && value->isConstant() && value->shape == KnownShape(OnnxShape{outputs});
}

/// With a constant matrix on the right it is a linear layer, which the product treats as such.
void matMul(Node& node) {
  const KnownShape shape = productShape(node.shape(0), node.shape(1));
  const bool is_layer = node.input(1).isConstant() && node.input(1).rank() == 2 &&
                        !node.input(0).isConstant() && node.input(0).rank() != 1;
  if (!is_layer) {
    node.set(0, fmt::format("torch.matmul({}, {})", node.tensor(0), node.tensor(1)), node.type(0),
             shape);
    return;
  }
  const std::string weight = transposedWeight(node, 1);
  std::string bias = "None";
  if (isFollowingBias(node.following_bias, (*node.shape(1))[1])) {
    bias = node.biasText(*node.following_bias);
    node.has_used_bias = true;
  }
  node.set(0, fmt::format("torch.linear({}, {}, {})", node.tensor(0), weight, bias), node.type(0),
           shape);
}

void gemm(Node& node) {
  const bool transposes_a = node.flag("transA", false);
  const bool transposes_b = node.flag("transB", false);
  const double alpha = node.number("alpha", 1.0);
  const double beta = node.number("beta", 1.0);
  const auto& a = node.shape(0);
  const auto& b = node.shape(1);
  OnnxShape shape = {kUnknownSize, kUnknownSize};
  if (a && a->size() == 2) {
    shape[0] = (*a)[transposes_a ? 1 : 0];
  }
  if (b && b->size() == 2) {
    shape[1] = (*b)[transposes_b ? 0 : 1];
  }
  const bool is_layer = !transposes_a && alpha == 1.0 && node.input(1).isConstant() && b &&
                        b->size() == 2 &&
                        (!node.hasInput(2) || (beta == 1.0 && isBias(node, 2, shape[1])));
  if (is_layer) {
    const std::string weight = transposes_b ? node.tensor(1, "weight") : transposedWeight(node, 1);
    node.set(0,
             fmt::format("torch.linear({}, {}, {})", node.tensor(0), weight,
                         node.tensorOr(2, "None", "bias")),
             node.type(0), shape);
    return;
  }
  std::string product = node.source().assign(
      fmt::format("torch.matmul({}{}, {}{})", node.tensor(0), transposes_a ? ".t()" : "",
                  node.tensor(1, "weight"), transposes_b ? ".t()" : ""));
  if (alpha != 1.0) {
    product = node.source().assign(fmt::format("torch.mul({}, {})", product, numberText(alpha)));
  }
  if (node.hasInput(2)) {
    const std::string added =
        beta == 1.0 ? node.tensor(2, "bias")
                    : fmt::format("torch.mul({}, {})", node.tensor(2, "bias"), numberText(beta));
    product = node.source().assign(fmt::format("torch.add({}, {})", product, added));
  }
  node.setVariable(0, product, node.type(0), shape);
}

/// Letters, commas, an arrow and dots only. Our own copy, built letter by letter.
std::string checkedEquation(const Node& node) {
  const OnnxAttribute* const stated = node.attribute("equation");
  std::string equation;
  for (const char c : stated == nullptr ? std::string_view() : stated->text.value_or("")) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_letter && c != ',' && c != '-' && c != '>' && c != '.' && c != ' ') {
      node.refuseNode("its equation has other characters than letters, commas and ->");
    }
    if (c != ' ') {
      equation += c;
    }
  }
  constexpr std::size_t kMaxLength = 200;
  if (equation.empty() || equation.size() > kMaxLength) {
    node.refuseNode("it states no equation");
  }
  return equation;
}

void einsum(Node& node) {
  const std::string equation = checkedEquation(node);
  std::string factors;
  for (std::size_t i = 0; i < node.inputCount(); ++i) {
    factors += (i == 0 ? "" : ", ") + node.tensor(i);
  }
  KnownShape shape;
  const std::size_t arrow = equation.find("->");
  if (arrow != std::string::npos && equation.find('.') == std::string::npos) {
    shape = unknownSizes(static_cast<std::int64_t>(equation.size() - arrow - 2));
  }
  node.set(0, fmt::format("torch.einsum(\"{}\", [{}])", equation, factors), node.type(0), shape);
}

/// Determinants of the matrices in the last two axes.
void determinant(Node& node) {
  KnownShape shape = node.shape(0);
  if (shape && shape->size() >= 2) {
    shape->resize(shape->size() - 2);
  }
  node.set(0, fmt::format("torch.det({})", node.tensor(0)), node.type(0), shape);
}

constexpr OnnxOperator kOperators[] = {
    {"Det", determinant},
    {"Einsum", einsum},
    {"Gemm", gemm},
    {"MatMul", matMul},
};

}  // namespace

std::span<const OnnxOperator> productOperators() {
  return kOperators;
}

}  // namespace dubito
