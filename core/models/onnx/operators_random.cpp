// SPDX-License-Identifier: GPL-3.0-or-later
// Random numbers. They are operators of torch that the audit finds and draws by key: a seed that
// the file states is not used.
#include <fmt/format.h>

#include <limits>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/shape_rules_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;

at::ScalarType statedType(const Node& node, at::ScalarType fallback) {
  const OnnxAttribute* const stated = node.attribute("dtype");
  return stated == nullptr ? fallback
                           : torchTypeOf(static_cast<OnnxType>(stated->integer.value_or(0)));
}

at::ScalarType floatingType(const Node& node, at::ScalarType fallback) {
  const at::ScalarType type = statedType(node, fallback);
  if (!at::isFloatingType(type)) {
    node.refuseNode("it draws real numbers of an integer type");
  }
  return type;
}

void bernoulli(Node& node) {
  const at::ScalarType type = statedType(node, node.type(0).value_or(at::kFloat));
  const std::string drawn =
      node.source().assign(fmt::format("torch.bernoulli({})", node.tensor(0)));
  node.set(0, fmt::format("{}.to({})", drawn, static_cast<int>(type)), type, node.shape(0));
}

/// Numbers of a standard distribution, stretched and moved.
void setDrawn(Node& node, const std::string& drawn, double factor, double summand,
              at::ScalarType type, KnownShape shape) {
  std::string result = node.source().assign(drawn);
  if (factor != 1.0) {
    result = node.source().assign(fmt::format("torch.mul({}, {})", result, numberText(factor)));
  }
  if (summand != 0.0) {
    result = node.source().assign(fmt::format("torch.add({}, {})", result, numberText(summand)));
  }
  node.setVariable(0, result, type, std::move(shape));
}

/// As many numbers as the input has elements.
void drawLike(Node& node, std::string_view function, double factor, double summand) {
  const at::ScalarType type = floatingType(node, node.type(0).value_or(at::kFloat));
  setDrawn(
      node,
      fmt::format("torch.{}_like({}, dtype={})", function, node.tensor(0), static_cast<int>(type)),
      factor, summand, type, node.shape(0));
}

/// As many numbers as the node states.
void draw(Node& node, std::string_view function, double factor, double summand) {
  const auto shape = node.integers("shape");
  if (!shape || productOfSizes(*shape) < 0) {
    node.refuseNode("it states no possible shape");
  }
  if (!shape->empty() && shape->front() > 1) {
    node.program().has_sizes_of_batch = true;
  }
  const at::ScalarType type = floatingType(node, at::kFloat);
  const std::string place = node.source().inputs().empty()
                                ? std::string()
                                : fmt::format(", device={}.device", node.source().inputs().front());
  setDrawn(node,
           fmt::format("torch.{}({}, dtype={}{})", function, listText(*shape),
                       static_cast<int>(type), place),
           factor, summand, type, *shape);
}

using Draw = void (*)(Node&, std::string_view, double, double);

template <Draw kDraw>
void normal(Node& node) {
  kDraw(node, "randn", node.number("scale", 1.0), node.number("mean", 0.0));
}

template <Draw kDraw>
void uniform(Node& node) {
  const double low = node.number("low", 0.0);
  kDraw(node, "rand", node.number("high", 1.0) - low, low);
}

constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
constexpr OnnxOperator kOperators[] = {
    {"Bernoulli", bernoulli, "", 1, kLast, false},
    {"RandomNormal", normal<draw>, "", 1, kLast, false},
    {"RandomNormalLike", normal<drawLike>, "", 1, kLast, false},
    {"RandomUniform", uniform<draw>, "", 1, kLast, false},
    {"RandomUniformLike", uniform<drawLike>, "", 1, kLast, false},
};

}  // namespace

std::span<const OnnxOperator> randomOperators() {
  return kOperators;
}

}  // namespace dubito
