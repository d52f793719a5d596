// SPDX-License-Identifier: GPL-3.0-or-later
// Operators that onnxruntime's optimisation puts in the place of several others.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/shape_rules_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;

/// Parameters of the activation of a fused operator; ONNX's defaults if there are none.
struct Activation {
  std::string_view name;
  std::optional<double> first;
  std::optional<double> second;
};

void setActivated(Node& node, const OnnxValue& x, const Activation& activation) {
  if (activation.name.empty()) {
    node.setValue(x);
    return;
  }
  if (activation.name == "Clip") {
    node.set(0,
             fmt::format(
                 "torch.clamp({}, {}, {})", x.variable,
                 numberText(activation.first.value_or(-std::numeric_limits<double>::infinity())),
                 numberText(activation.second.value_or(std::numeric_limits<double>::infinity()))),
             x.type, x.shape);
    return;
  }
  std::vector<OnnxAttribute> attributes;
  const bool is_hard = activation.name == "HardSigmoid";
  if (is_hard || activation.name == "LeakyRelu") {
    attributes.push_back(numberAttribute("alpha", activation.first.value_or(is_hard ? 0.2 : 0.01)));
    attributes.push_back(numberAttribute("beta", activation.second.value_or(0.5)));
  }
  node.setValue(node.part(activation.name, {&x}, attributes));
}

std::string_view activationName(const Node& node) {
  return node.choice("activation", "",
                     {"", "Relu", "Tanh", "Sigmoid", "LeakyRelu", "Clip", "HardSigmoid"});
}

/// Inputs: those of Conv, and a tensor that is added to the result before its activation.
void fusedConv(Node& node) {
  OnnxValue x = node.part("Conv", {&node.input(0), &node.input(1), node.inputOrNull(2)});
  if (node.hasInput(3)) {
    x = node.part("Add", {&x, &node.input(3)});
  }
  Activation activation{activationName(node), {}, {}};
  if (const OnnxAttribute* const stated = node.attribute("activation_params")) {
    const std::vector<float>& numbers = stated->numbers;
    activation.first = numbers.empty() ? std::nullopt : std::optional<double>(numbers[0]);
    activation.second = numbers.size() < 2 ? std::nullopt : std::optional<double>(numbers[1]);
  }
  setActivated(node, x, activation);
}

void fusedGemm(Node& node) {
  const OnnxValue x = node.part("Gemm", {&node.input(0), &node.input(1), node.inputOrNull(2)});
  Activation activation{activationName(node), {}, {}};
  if (node.attribute("activation_alpha") != nullptr) {
    activation.first = node.number("activation_alpha", 0.0);
  }
  if (node.attribute("activation_beta") != nullptr) {
    activation.second = node.number("activation_beta", 0.0);
  }
  setActivated(node, x, activation);
}

/// An input with its last two axes exchanged if the node states so.
OnnxValue maybeTransposed(Node& node, std::size_t i, std::string_view flag) {
  if (!node.flag(flag, false) || node.knownRank(i) < 2) {
    return node.input(i);
  }
  OnnxShape shape = *node.shape(i);
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return tensorValue(
      node.source().assign(fmt::format("torch.transpose({}, -2, -1)", node.tensor(i, "weight"))),
      node.type(i), shape);
}

void fusedMatMul(Node& node) {
  if (node.flag("transBatchA", false) || node.flag("transBatchB", false)) {
    node.refuse(
        "moves the axis of items (transBatchA, transBatchB), which is not supported; save the "
        "network without optimisation");
  }
  const OnnxValue a = maybeTransposed(node, 0, "transA");
  const OnnxValue b = maybeTransposed(node, 1, "transB");
  const OnnxValue product = node.part("MatMul", {&a, &b});
  const double alpha = node.number("alpha", 1.0);
  if (alpha == 1.0) {
    node.setValue(product);
    return;
  }
  node.set(0, fmt::format("torch.mul({}, {})", product.variable, numberText(alpha)), product.type,
           product.shape);
}

/// GELU of the input, to which a bias may be added first.
void gelu(Node& node, std::string_view form) {
  const OnnxValue x =
      node.hasInput(1) ? node.part("Add", {&node.input(0), &node.input(1)}) : node.input(0);
  const std::string text = node.hasInput(1) ? x.variable : node.tensor(0);
  node.setLikeInput(fmt::format("torch.gelu({}, approximate=\"{}\")", text, form));
}

void quickGelu(Node& node) {
  node.setLikeInput(fmt::format("torch.mul({0}, torch.sigmoid(torch.mul({0}, {1})))",
                                node.tensor(0), numberText(node.number("alpha", 1.702F))));
}

/// x / root mean square(x) * scale, over the axes from a stated one on.
void simplifiedLayerNorm(Node& node) {
  if (node.hasResult(1)) {
    node.refuse("returns its statistics, as in training; export it after model.eval()");
  }
  node.setValue(node.part("RMSNormalization", {&node.input(0), &node.input(1)}, {}, 23));
}

/// Normalises the sum of two inputs and a bias, and may return that sum.
void skipLayerNorm(Node& node, bool is_simplified) {
  if (node.hasResult(1) || node.hasResult(2)) {
    node.refuse("returns its statistics, as in training; export it after model.eval()");
  }
  OnnxValue sum = node.part("Add", {&node.input(0), &node.input(1)});
  const std::size_t bias = is_simplified ? 3 : 4;
  if (node.hasInput(bias)) {
    sum = node.part("Add", {&sum, &node.input(bias)});
  }
  const std::vector<OnnxAttribute> attributes = {
      integerAttribute("axis", -1), numberAttribute("epsilon", node.number("epsilon", 1e-12))};
  node.result(0) = is_simplified
                       ? node.part("RMSNormalization", {&sum, &node.input(2)}, attributes, 23)
                       : node.part("LayerNormalization",
                                   {&sum, &node.input(2), node.inputOrNull(3)}, attributes);
  if (node.hasResult(3)) {
    node.result(3) = sum;
  }
}

constexpr OnnxOperator kOperators[] = {
    {"BiasGelu", [](Node& node) { gelu(node, "none"); }, kMicrosoftDomain},
    {"FastGelu", [](Node& node) { gelu(node, "tanh"); }, kMicrosoftDomain},
    {"FusedConv", fusedConv, kMicrosoftDomain},
    {"FusedGemm", fusedGemm, kMicrosoftDomain},
    {"FusedMatMul", fusedMatMul, kMicrosoftDomain},
    {"Gelu", [](Node& node) { gelu(node, "none"); }, kMicrosoftDomain},
    {"QuickGelu", quickGelu, kMicrosoftDomain},
    // onnxruntime defines it in ONNX's own domain.
    {"SimplifiedLayerNormalization", simplifiedLayerNorm},
    {"SimplifiedLayerNormalization", simplifiedLayerNorm, kMicrosoftDomain},
    {"SkipLayerNormalization", [](Node& node) { skipLayerNorm(node, false); }, kMicrosoftDomain},
    {"SkipSimplifiedLayerNormalization", [](Node& node) { skipLayerNorm(node, true); },
     kMicrosoftDomain},
};

}  // namespace

std::span<const OnnxOperator> fusedOperators() {
  return kOperators;
}

}  // namespace dubito
