// SPDX-License-Identifier: GPL-3.0-or-later
// Linear models and scaling of ai.onnx.ml, as skl2onnx writes them.
#include <ATen/Functions.h>
#include <fmt/format.h>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/shape_rules_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;

at::Tensor numbersOf(const Node& node, std::string_view name) {
  const OnnxAttribute* const stated = node.attribute(name);
  return at::tensor(stated == nullptr ? std::vector<float>() : stated->numbers, at::kFloat);
}

/// Adds numbers of an attribute as a weight.
std::string stored(Node& node, std::string_view role, const at::Tensor& values) {
  return node.addWeight(role, values, true);
}

/// x as float32: skl2onnx models also take double.
std::string floatInput(Node& node) {
  return node.type(0) == at::kFloat
             ? node.tensor(0)
             : node.source().assign(
                   fmt::format("{}.to({})", node.tensor(0), static_cast<int>(at::kFloat)));
}

/// The rows of scores of W x + b, [items, outputs].
struct LinearScores {
  std::string text;
  std::int64_t outputs = 0;
};

LinearScores linearScores(Node& node, std::int64_t outputs) {
  const at::Tensor coefficients = numbersOf(node, "coefficients");
  at::Tensor intercepts = numbersOf(node, "intercepts");
  if (outputs < 1 || coefficients.numel() == 0 || coefficients.numel() % outputs != 0 ||
      (intercepts.numel() != 0 && intercepts.numel() != outputs)) {
    node.refuseNode("its coefficients and classes do not fit together");
  }
  if (intercepts.numel() == 0) {
    intercepts = at::zeros({outputs});
  }
  const std::string weight = stored(node, "weight", coefficients.reshape({outputs, -1}));
  return {node.source().assign(fmt::format("torch.linear({}, {}, {})", floatInput(node), weight,
                                           stored(node, "bias", intercepts))),
          outputs};
}

/// The scores after the stated transform.
std::string transformed(Node& node, const std::string& scores) {
  const std::string_view transform = node.choice(
      "post_transform", "NONE", {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"});
  if (transform == "NONE") {
    return scores;
  }
  if (transform == "LOGISTIC") {
    return node.source().assign(fmt::format("torch.sigmoid({})", scores));
  }
  if (transform == "SOFTMAX") {
    return node.source().assign(fmt::format("torch.softmax({}, 1)", scores));
  }
  node.refuse(fmt::format("has the transform {}, which is not supported", transform));
}

/// Result 0 is the class, which nothing here uses; result 1 the scores.
void linearClassifier(Node& node) {
  const OnnxAttribute* const texts = node.attribute("classlabels_strings");
  const OnnxAttribute* const numbers = node.attribute("classlabels_ints");
  const std::size_t named = texts != nullptr && !texts->texts.empty() ? texts->texts.size()
                            : numbers != nullptr                      ? numbers->integers.size()
                                                                      : 0;
  const auto classes = static_cast<std::int64_t>(named);
  const at::Tensor intercepts = numbersOf(node, "intercepts");
  const bool is_binary = classes == 2 && intercepts.numel() == 1;
  const LinearScores scores = linearScores(node, is_binary ? 1 : classes);
  std::string rows = scores.text;
  if (is_binary) {
    const std::string_view transform = node.choice(
        "post_transform", "NONE", {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"});
    const std::string positive = transformed(node, rows);
    rows = node.source().assign(
        transform == "LOGISTIC" ? fmt::format("torch.cat([torch.rsub({0}, 1.0), {0}], 1)", positive)
                                : fmt::format("torch.cat([torch.neg({0}), {0}], 1)", positive));
  } else {
    rows = transformed(node, rows);
  }
  node.setVariable(1, rows, at::kFloat, OnnxShape{kUnknownSize, classes});
  node.set(0, fmt::format("torch.argmax({}, 1)", rows), at::kLong, OnnxShape{kUnknownSize});
}

void linearRegressor(Node& node) {
  const std::int64_t targets = node.integer("targets", 1);
  const LinearScores scores = linearScores(node, targets);
  node.setVariable(0, transformed(node, scores.text), at::kFloat, OnnxShape{kUnknownSize, targets});
}

/// (x - offset) * scale.
void scaler(Node& node) {
  const std::string offset = stored(node, "offset", numbersOf(node, "offset"));
  const std::string scale = stored(node, "scale", numbersOf(node, "scale"));
  node.set(0, fmt::format("torch.mul(torch.sub({}, {}), {})", floatInput(node), offset, scale),
           at::kFloat, node.shape(0));
}

void normalizer(Node& node) {
  const std::string_view norm = node.choice("norm", "MAX", {"MAX", "L1", "L2"});
  const std::string x = floatInput(node);
  const std::string size = node.source().assign(
      norm == "MAX"  ? fmt::format("torch.amax(torch.abs({}), 1, True)", x)
      : norm == "L1" ? fmt::format("torch.sum(torch.abs({}), [1], True)", x)
                     : fmt::format("torch.sqrt(torch.sum(torch.square({}), [1], True))", x));
  node.set(0,
           fmt::format("torch.div({0}, torch.where(torch.eq({1}, 0), torch.ones_like({1}), {1}))",
                       x, size),
           at::kFloat, node.shape(0));
}

/// Gives the columns names, in a dictionary per item; the columns are what is used here.
void zipMap(Node& node) {
  node.result(0) = node.input(0);
}

/// Elements of the last axis.
void featureExtractor(Node& node) {
  const std::string positions = node.source().assign(
      fmt::format("{}.reshape([-1]).to({})", node.tensor(1), static_cast<int>(at::kLong)));
  const auto rank = node.input(0).rank();
  node.set(0,
           fmt::format("torch.index_select({}{}, -1, {})", node.tensor(0),
                       rank == 1 ? ".reshape([1, -1])" : "", positions),
           node.type(0), rank ? unknownSizes(std::max<std::int64_t>(*rank, 2)) : std::nullopt);
}

void binarizer(Node& node) {
  node.set(0,
           fmt::format("torch.gt({0}, {1}).to({0}.dtype)", node.tensor(0),
                       numberText(node.number("threshold", 0.0))),
           node.type(0), node.shape(0));
}

constexpr OnnxOperator kOperators[] = {
    {"ArrayFeatureExtractor", featureExtractor, kMachineLearningDomain},
    {"Binarizer", binarizer, kMachineLearningDomain},
    {"LinearClassifier", linearClassifier, kMachineLearningDomain},
    {"LinearRegressor", linearRegressor, kMachineLearningDomain},
    {"Normalizer", normalizer, kMachineLearningDomain},
    {"Scaler", scaler, kMachineLearningDomain},
    {"ZipMap", zipMap, kMachineLearningDomain},
};

}  // namespace

std::span<const OnnxOperator> machineLearningOperators() {
  return kOperators;
}

}  // namespace dubito
