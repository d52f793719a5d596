// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <torch/csrc/jit/ir/constants.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/models/exported/recomposed_layers_torch.h"

namespace dubito {

using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

namespace {

/// The matrix that a value is the transpose of; nullptr if it is none, or not a stored one.
Value* transposedWeight(Value* value) {
  Node* const node = value->node();
  const auto number = [node](std::size_t input) {
    return torch::jit::toIValue(node->input(input));
  };
  bool swaps = node->kind() == c10::aten::t;
  if (node->kind() == c10::aten::permute) {
    const auto axes = number(1);
    swaps = axes && axes->isIntList() && axes->toIntVector() == std::vector<std::int64_t>{1, 0};
  } else if (node->kind() == c10::aten::transpose && node->inputs().size() == 3) {
    const auto first = number(1);
    const auto second = number(2);
    swaps = first && second && first->isInt() && second->isInt() &&
            (first->toInt() + 2) % 2 != (second->toInt() + 2) % 2;
  }
  const bool is_stored = swaps && node->input(0)->node()->kind() == c10::prim::GetAttr;
  return is_stored ? node->inputs()[0] : nullptr;
}

/// A constant number among the inputs of a node; nullopt if it is none.
std::optional<double> constantNumber(const Node* node, std::size_t input) {
  const auto constant = torch::jit::toIValue(node->input(input));
  return constant && constant->isDouble() ? std::optional<double>(constant->toDouble())
                                          : std::nullopt;
}

/// Whether a division is by the rate `keep`.
bool isRate(double keep, const Node* division) {
  constexpr double kRounding = 1e-6;
  const auto divisor = constantNumber(division, 1);
  return divisor && std::abs(*divisor - keep) <= kRounding;
}

/// The two tensors of a product.
struct Factors {
  Value* left = nullptr;
  Value* right = nullptr;
};

/// Nothing for products with a number.
std::optional<Factors> factorsOf(OperatorArguments& arguments) {
  for (const char* const factor : {"self", "other"}) {
    const nlohmann::json* const json = arguments.json(factor);
    if (json == nullptr || !json->contains("as_tensor")) {
      return std::nullopt;
    }
  }
  const c10::Type& tensor = *c10::TensorType::get();
  return Factors{arguments.value("self", tensor), arguments.value("other", tensor)};
}

/// The rate of channel dropout whose scaled mask a value is; nullopt if it is none.
std::optional<double> channelDropRate(const Value* scaled, const Value* x) {
  const Node* const division = scaled->node();
  if (division->kind() != c10::aten::div) {
    return std::nullopt;
  }
  const Node* const draw = division->input(0)->node();
  if (draw->kind() != c10::aten::bernoulli) {
    return std::nullopt;
  }
  const Node* const made = draw->input(0)->node();
  const bool is_like_x = made->kind() == c10::aten::new_empty && made->input(0) == x;
  if (!is_like_x && made->kind() != c10::aten::empty) {
    return std::nullopt;
  }
  const auto keep = constantNumber(draw, 1);
  const Node* const sizes = made->input(is_like_x ? 1 : 0)->node();
  if (!keep || !isRate(*keep, division) || sizes->kind() != c10::prim::ListConstruct ||
      sizes->inputs().size() < 3) {
    return std::nullopt;
  }
  for (std::size_t axis = 2; axis < sizes->inputs().size(); ++axis) {
    const auto size = torch::jit::toIValue(sizes->input(axis));
    if (!size || !size->isInt() || size->toInt() != 1) {
      return std::nullopt;
    }
  }
  return 1.0 - *keep;
}

bool isOne(OperatorArguments& arguments, const char* factor) {
  const nlohmann::json* const json = arguments.json(factor);
  return json == nullptr || *json == nlohmann::json{{"as_int", 1}} ||
         *json == nlohmann::json{{"as_float", 1.0}};
}

}  // namespace

Node* insertConvolution(Graph& graph, OperatorArguments& arguments) {
  const nlohmann::json* const strides = arguments.json("stride");
  const nlohmann::json* const transposed = arguments.json("transposed");
  if (strides == nullptr || transposed == nullptr || !strides->contains("as_ints") ||
      !transposed->contains("as_bool")) {
    return nullptr;
  }
  const std::size_t axes = strides->at("as_ints").size();
  if (axes < 1 || axes > 3) {
    return nullptr;
  }
  if (!transposed->at("as_bool").get<bool>()) {
    return insertCall(graph, {fmt::format("aten::conv{}d", axes), ""}, arguments);
  }
  return insertCall(graph, {fmt::format("aten::conv_transpose{}d", axes), axes == 1 ? "" : "input"},
                    arguments);
}

Node* insertChannelDropout(Graph& graph, OperatorArguments& arguments, Value* training) {
  const auto factors = factorsOf(arguments);
  const auto rate = factors ? channelDropRate(factors->right, factors->left) : std::nullopt;
  if (!rate) {
    return nullptr;
  }
  Node* const dropout =
      graph.insertNode(graph.create(c10::Symbol::fromQualString("aten::feature_dropout"),
                                    {factors->left, graph.insertConstant(*rate), training}));
  dropout->output()->setType(c10::TensorType::get());
  return dropout;
}

Node* insertLinear(Graph& graph, const OperatorName& called, OperatorArguments& arguments) {
  const c10::Type& tensor = *c10::TensorType::get();
  const bool has_bias = called.name == "aten::addmm";
  if (has_bias && (!isOne(arguments, "beta") || !isOne(arguments, "alpha"))) {
    return nullptr;
  }
  Value* const weight = transposedWeight(arguments.value("mat2", tensor));
  if (weight == nullptr) {
    return nullptr;
  }
  Value* const x = arguments.value(has_bias ? "mat1" : "self", tensor);
  Value* const bias =
      has_bias ? arguments.value("self", tensor) : graph.insertConstant(c10::IValue());
  if (has_bias && bias->node()->kind() != c10::prim::GetAttr) {
    return nullptr;
  }
  Node* const linear = graph.insertNode(graph.create(c10::aten::linear, {x, weight, bias}));
  linear->output()->setType(c10::TensorType::get());
  return linear;
}

}  // namespace dubito
