// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <torch/csrc/jit/ir/constants.h>

#include <string>

#include "core/models/graph_torch.h"
#include "core/models/unit_dropout_torch.h"

namespace dubito {

using torch::jit::Module;
using torch::jit::Node;
using torch::jit::Value;

namespace {

bool isNumber(const Value* value, double number) {
  const auto constant = torch::jit::toIValue(value);
  return constant && (constant->isDouble() || constant->isInt()) &&
         constant->toScalar().toDouble() == number;
}

/// A of 1 - A, which a tracer writes as rsub(A, 1) and the compiler as add(neg(A), 1); nullptr for
/// other values.
Value* complementOf(const Value* value) {
  const Node* const node = value->node();
  const std::string op = opName(node);
  if ((op != "aten::rsub" && op != "aten::add") || !isNumber(node->input(1), 1.0) ||
      (node->inputs().size() > 2 && !isNumber(node->input(2), 1.0))) {
    return nullptr;
  }
  if (op == "aten::rsub") {
    return node->input(0);
  }
  const Node* const negative = node->input(0)->node();
  return opName(negative) == "aten::neg" ? negative->input(0) : nullptr;
}

/// The drop rates behind `bernoulli(expand(1 - rates)) / (1 - rates)`; nullptr for other values.
Value* ratesOfFactor(const Value* factor) {
  const Node* const division = factor->node();
  if (opName(division) != "aten::div" || division->inputs().size() != 2) {
    return nullptr;
  }
  const Node* const bernoulli = division->input(0)->node();
  if (opName(bernoulli) != "aten::bernoulli" || bernoulli->inputs().size() != 2) {
    return nullptr;
  }
  const Node* const expand = bernoulli->input(0)->node();
  if (opName(expand) != "aten::expand" && opName(expand) != "aten::expand_as") {
    return nullptr;
  }
  Value* const rates = complementOf(expand->input(0));
  Value* const divisor = complementOf(division->input(1));
  if (rates == nullptr || divisor == nullptr) {
    return nullptr;
  }
  const auto path = attributePath(rates);
  return path && path == attributePath(divisor) ? rates : nullptr;
}

std::optional<std::vector<double>> numbersOf(const Module& module, const Value* value) {
  const auto stored = resolveValue(module, value);
  if (!stored || !stored->isTensor() || stored->toTensor().dim() != 1 ||
      !at::isFloatingType(stored->toTensor().scalar_type())) {
    return std::nullopt;
  }
  const at::Tensor wide = stored->toTensor().cpu().to(at::kDouble).contiguous();
  const double* const numbers = wide.const_data_ptr<double>();
  return std::vector<double>(numbers, numbers + wide.numel());
}

}  // namespace

std::optional<UnitDropout> unitDropout(const Module& module, Node* node) {
  if (opName(node) != "aten::mul" || node->inputs().size() != 2) {
    return std::nullopt;
  }
  for (const std::size_t position : {1U, 0U}) {
    const Value* factor = node->input(position);
    bool is_feature = false;
    while (opName(factor->node()) == "aten::unsqueeze" && isNumber(factor->node()->input(1), -1)) {
      factor = factor->node()->input(0);
      is_feature = true;
    }
    Value* const drop_rates = ratesOfFactor(factor);
    if (drop_rates == nullptr) {
      continue;
    }
    if (auto rates = numbersOf(module, drop_rates)) {
      return UnitDropout{node, node->input(1 - position), drop_rates, *std::move(rates),
                         is_feature};
    }
  }
  return std::nullopt;
}

}  // namespace dubito
