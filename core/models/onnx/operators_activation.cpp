// SPDX-License-Identifier: GPL-3.0-or-later
// Activation functions, softmax and dropout.
#include <fmt/format.h>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/shape_rules_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;

void plain(Node& node, std::string_view function) {
  node.setLikeInput(fmt::format("torch.{}({})", function, node.tensor(0)));
}

/// A function of torch with the attribute alpha.
void withAlpha(Node& node, std::string_view function, double fallback) {
  node.setLikeInput(fmt::format("torch.{}({}, {})", function, node.tensor(0),
                                numberText(node.number("alpha", fallback))));
}

void selu(Node& node) {
  const double alpha = node.number("alpha", 1.67326319217681884765625);
  const double gamma = node.number("gamma", 1.05070102214813232421875);
  node.setLikeInput(
      fmt::format("torch.elu({}, {}, {})", node.tensor(0), numberText(alpha), numberText(gamma)));
}

void hardSigmoid(Node& node) {
  const std::string scaled = node.source().assign(
      fmt::format("torch.add(torch.mul({}, {}), {})", node.tensor(0),
                  numberText(node.number("alpha", 0.2)), numberText(node.number("beta", 0.5))));
  node.setLikeInput(fmt::format("torch.clamp({}, 0.0, 1.0)", scaled));
}

void gelu(Node& node) {
  const std::string_view form = node.choice("approximate", "none", {"none", "tanh"});
  node.setLikeInput(fmt::format("torch.gelu({}, approximate=\"{}\")", node.tensor(0), form));
}

void prelu(Node& node) {
  const std::string x = node.tensor(0);
  std::string slope = node.tensor(1, "weight");
  // Before opset 7, one slope per channel had no further axes.
  const auto rank = node.input(0).rank();
  if (node.opset() < 7 && node.input(1).rank() == 1 && rank > 2) {
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(*rank - 1), 1);
    sizes.front() = -1;
    slope = node.source().assign(fmt::format("{}.reshape({})", slope, listText(sizes)));
  }
  const std::string sloped = node.source().assign(fmt::format("torch.mul({}, {})", x, slope));
  node.setLikeInput(fmt::format("torch.where(torch.ge({}, 0), {}, {})", x, x, sloped));
}

void thresholdedRelu(Node& node) {
  node.setLikeInput(fmt::format("torch.threshold({}, {}, 0.0)", node.tensor(0),
                                numberText(node.number("alpha", 1.0))));
}

void shrink(Node& node) {
  const std::string x = node.tensor(0);
  const std::string bias = numberText(node.number("bias", 0.0));
  const std::string limit = numberText(node.number("lambd", 0.5));
  node.setLikeInput(fmt::format(
      "torch.where(torch.lt({0}, -{1}), torch.add({0}, {2}), torch.where(torch.gt({0}, {1}), "
      "torch.sub({0}, {2}), torch.zeros_like({0})))",
      x, limit, bias));
}

void softsign(Node& node) {
  const std::string x = node.tensor(0);
  node.setLikeInput(fmt::format("torch.div({0}, torch.add(torch.abs({0}), 1.0))", x));
}

void swish(Node& node) {
  const std::string x = node.tensor(0);
  const double alpha = node.number("alpha", 1.0);
  node.setLikeInput(alpha == 1.0 ? fmt::format("torch.silu({})", x)
                                 : fmt::format("torch.mul({0}, torch.sigmoid(torch.mul({0}, {1})))",
                                               x, numberText(alpha)));
}

/// Softmax over one axis; before opset 13, over this axis and all after it together.
void overAxis(Node& node, std::string_view function) {
  const bool is_old = node.opset() < 13;
  const std::int64_t axis = node.integer("axis", is_old ? 1 : -1);
  const auto rank = node.input(0).rank();
  const bool is_last = axis == -1 || (rank && node.axisOf(axis, *rank) == *rank - 1);
  if (!is_old || is_last) {
    node.setLikeInput(fmt::format("torch.{}({}, {})", function, node.tensor(0), axis));
    return;
  }
  const std::string rows = node.source().assign(
      fmt::format("{}({}, {})", node.source().helper("flatten_to_rows"), node.tensor(0), axis));
  node.setLikeInput(
      fmt::format("torch.{}({}, 1).reshape({}.shape)", function, rows, node.tensor(0)));
}

void hardmax(Node& node) {
  const bool is_old = node.opset() < 13;
  const std::int64_t axis = node.integer("axis", is_old ? 1 : -1);
  const std::int64_t rank = node.knownRank(0);
  if (is_old && node.axisOf(axis, rank) != rank - 1) {
    node.refuse("works on several axes at once, as before opset 13; export it with opset 13");
  }
  node.setLikeInput(fmt::format("{}({}, {})", node.source().helper("hardmax"), node.tensor(0),
                                node.axisOf(axis, rank)));
}

/// Follows the training flag of the network, so that it is a dropout site like that of a network
/// in PyTorch, whatever mode it was exported in.
void dropout(Node& node) {
  const double ratio = node.attribute("ratio") != nullptr ? node.number("ratio", 0.5)
                                                          : node.numberAt(1, 0.5, "its rate");
  if (const auto training = node.constantIntegers(2); training && training->at(0) != 0) {
    node.program().is_in_training_mode = true;
  }
  if (!(ratio >= 0.0 && ratio <= 1.0)) {
    node.refuseNode(fmt::format("its rate is {}", ratio));
  }
  node.setLikeInput(fmt::format("torch.dropout({}, {}, {})", node.tensor(0), numberText(ratio),
                                node.source().trainingFlag()));
  if (node.hasResult(1)) {
    node.set(
        1,
        fmt::format("torch.ones_like({}, dtype={})", node.tensor(0), static_cast<int>(at::kBool)),
        at::kBool, node.shape(0));
  }
}

constexpr OnnxOperator kOperators[] = {
    {"Celu", [](Node& node) { withAlpha(node, "celu", 1.0); }},
    {"Dropout", dropout, "", 1, 1000, false},
    {"Elu", [](Node& node) { withAlpha(node, "elu", 1.0); }},
    {"Gelu", gelu},
    {"HardSigmoid", hardSigmoid},
    {"HardSwish", [](Node& node) { plain(node, "hardswish"); }},
    {"Hardmax", hardmax},
    {"LeakyRelu", [](Node& node) { withAlpha(node, "leaky_relu", 0.01); }},
    {"LogSoftmax", [](Node& node) { overAxis(node, "log_softmax"); }},
    {"Mish", [](Node& node) { plain(node, "mish"); }},
    {"PRelu", prelu},
    {"Relu", [](Node& node) { plain(node, "relu"); }},
    {"Selu", selu},
    {"Shrink", shrink},
    {"Sigmoid", [](Node& node) { plain(node, "sigmoid"); }},
    {"Softmax", [](Node& node) { overAxis(node, "softmax"); }},
    {"Softplus", [](Node& node) { plain(node, "softplus"); }},
    {"Softsign", softsign},
    {"Swish", swish},
    {"Tanh", [](Node& node) { plain(node, "tanh"); }},
    {"ThresholdedRelu", thresholdedRelu},
};

}  // namespace

std::span<const OnnxOperator> activationOperators() {
  return kOperators;
}

}  // namespace dubito
