// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/base/in_quotes.h"
#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/refused_onnx.h"
#include "core/models/onnx/weight_path.h"

namespace dubito {
namespace {

/// Longer vectors are data, not sizes.
constexpr std::int64_t kMaxIntegers = 256;

bool isIntegral(at::ScalarType type) {
  return type == at::kLong || type == at::kInt || type == at::kBool;
}

/// `values` in the memory of `first` if they are the same matrix or its transpose, so that a weight
/// that is used in two ways stays one weight; else unchanged.
at::Tensor sharingMemory(const at::Tensor& values, const at::Tensor& first) {
  if (values.sizes() == first.sizes() && at::equal(values, first)) {
    return first;
  }
  const bool may_be_transposed = values.dim() == 2 && first.dim() == 2 &&
                                 values.size(0) == first.size(1) && values.size(1) == first.size(0);
  return may_be_transposed && at::equal(values, first.t()) ? first.t() : values;
}

}  // namespace

void NodeTranslation::refuse(std::string_view reason_and_remedy) const {
  refuseUnsupported(fmt::format("its operator {} (node {}) {}", inQuotes(node_.op),
                                inQuotes(node_.name), reason_and_remedy));
}

void NodeTranslation::refuseNode(std::string_view reason) const {
  refuseDamaged(
      fmt::format("operator {}, node {}: {}", inQuotes(node_.op), inQuotes(node_.name), reason));
}

const OnnxValue& NodeTranslation::input(std::size_t i) const {
  if (!hasInput(i)) {
    refuseNode(fmt::format("input {} is missing", i));
  }
  return *inputs_[i];
}

std::int64_t NodeTranslation::knownRank(std::size_t i) const {
  if (const auto rank = input(i).rank()) {
    return *rank;
  }
  refuse(fmt::format(
      "needs to know the number of axes of its input {}, which the file does not determine; export "
      "it with an input of a fixed number of axes",
      i));
}

std::string NodeTranslation::weightOf(const OnnxValue& value, std::string_view role,
                                      const std::string& change, const at::Tensor& values) {
  const void* const address = value.stored != nullptr ? static_cast<const void*>(value.stored.get())
                                                      : value.constant.unsafeGetTensorImpl();
  const auto [known, is_new] = program_.weights.try_emplace({address, change}, std::string());
  if (!is_new) {
    return known->second;
  }
  program_.kept.push_back(value);
  const OnnxTensor* const origin = value.origin().get();
  const std::string_view name = origin != nullptr ? origin->name : std::string_view();
  const bool is_statistic = role == "running_mean" || role == "running_var";
  at::Tensor kept = change.empty() && value.stored == nullptr ? values.clone() : values;
  // Quantised weights are integers in the file: what is computed from them is not learned, nor are
  // single numbers that the exporter named, such as a scale.
  const bool is_learned = origin != nullptr && value.type && at::isFloatingType(*value.type) &&
                          kept.is_floating_point() && kept.dim() > 0 && !is_statistic &&
                          (kept.numel() != 1 || isNameOfModule(name));
  if (is_learned) {
    const auto [first, is_first] = program_.first_of.try_emplace(origin, kept);
    kept = is_first ? kept : sharingMemory(kept, first->second);
  }
  known->second = program_.source.addWeight({freePath(name, role), kept, is_learned});
  return known->second;
}

std::string NodeTranslation::freePath(std::string_view weight_name, std::string_view role) const {
  const std::string wanted = weightPath(node_, weight_name, role);
  std::string path = wanted;
  for (int copy = 1; !program_.paths.insert(path).second; ++copy) {
    path = fmt::format("{}_{}", wanted, copy);
  }
  return path;
}

std::string NodeTranslation::addWeight(std::string_view role, const at::Tensor& values,
                                       bool is_learned) {
  return program_.source.addWeight({freePath({}, role), values, is_learned});
}

std::string NodeTranslation::textOf(const OnnxValue& value, NodeTranslation& node) {
  if (value.sequence != nullptr) {
    node.refuse(
        "takes or returns a sequence of tensors, which is not supported here; export a network "
        "that stacks or concatenates them");
  }
  if (!value.variable.empty()) {
    return value.variable;
  }
  if (value.integers) {
    std::vector<std::string> texts;
    for (const ProgramInteger& element : *value.integers) {
      texts.push_back(element.text);
    }
    const std::string place =
        node.source().inputs().empty()
            ? ""
            : fmt::format(", device={}.device", node.source().inputs().front());
    const auto type = static_cast<int>(value.type.value_or(at::kLong));
    return value.is_scalar ? node.source().assign(fmt::format("torch.tensor({}, dtype={}{})",
                                                              texts.at(0), type, place))
                           : node.source().assign(fmt::format("torch.tensor([{}], dtype={}{})",
                                                              fmt::join(texts, ", "), type, place));
  }
  node.refuseNode("a value that it needs is not computed");
}

std::string NodeTranslation::tensor(std::size_t i, std::string_view role) {
  const OnnxValue& value = input(i);
  if (value.isConstant()) {
    return weightOf(value, role, "", *constant(i));
  }
  if (value.integers && value.integers->empty()) {
    return source().assign(fmt::format("torch.zeros([0], dtype={})", static_cast<int>(at::kLong)));
  }
  return textOf(value, *this);
}

std::string NodeTranslation::weight(std::size_t i, std::string_view role, std::string_view change,
                                    const at::Tensor& values) {
  return weightOf(input(i), role, std::string(change), values);
}

std::string NodeTranslation::operand(std::size_t i) {
  const auto known = input(i).rank() == 0 ? constant(i) : std::nullopt;
  if (known && known->scalar_type() != at::kBool) {
    const double number = known->item().toDouble();
    if (known->is_floating_point() && std::isfinite(number)) {
      return numberText(number);
    }
    if (!known->is_floating_point()) {
      return std::to_string(known->item().toLong());
    }
  }
  return tensor(i);
}

std::string NodeTranslation::biasText(const OnnxValue& bias) {
  return weightOf(bias, "bias", "", read(bias));
}

at::Tensor NodeTranslation::read(const OnnxValue& value) const {
  return value.constant.defined() ? value.constant : program_.stored.read(*value.stored);
}

std::optional<at::Tensor> NodeTranslation::constant(std::size_t i) const {
  return hasInput(i) && input(i).isConstant() ? std::optional(read(input(i))) : std::nullopt;
}

at::Tensor NodeTranslation::neededConstant(std::size_t i, std::string_view what) const {
  if (auto known = constant(i)) {
    return *std::move(known);
  }
  refuse(fmt::format("computes {} while it runs, which is not supported; export it with a constant",
                     what));
}

double NodeTranslation::numberAt(std::size_t i, double fallback, std::string_view what) const {
  if (!hasInput(i)) {
    return fallback;
  }
  const at::Tensor known = neededConstant(i, what);
  if (known.numel() != 1) {
    refuseNode(fmt::format("{} is not one number", what));
  }
  return known.item().toDouble();
}

std::optional<std::vector<std::int64_t>> NodeTranslation::constantIntegers(std::size_t i) const {
  const auto elements = integersOf(i);
  if (!elements) {
    return std::nullopt;
  }
  std::vector<std::int64_t> integers;
  for (const ProgramInteger& element : *elements) {
    if (!element.known) {
      return std::nullopt;
    }
    integers.push_back(*element.known);
  }
  return integers;
}

std::optional<std::vector<ProgramInteger>> NodeTranslation::integersOf(std::size_t i) const {
  if (!hasInput(i)) {
    return std::nullopt;
  }
  const OnnxValue& value = input(i);
  if (value.integers) {
    return value.integers;
  }
  const bool is_short =
      value.isConstant() && value.type && isIntegral(*value.type) &&
      (value.rank() == 0 || (value.rank() == 1 && value.shape->front() <= kMaxIntegers));
  if (!is_short) {
    return std::nullopt;
  }
  const at::Tensor known = constant(i)->to(at::kLong).reshape({-1});
  std::vector<ProgramInteger> integers;
  for (std::int64_t k = 0; k < known.numel(); ++k) {
    integers.push_back(ProgramInteger::of(known[k].item().toLong()));
  }
  return integers;
}

std::string NodeTranslation::integerList(std::size_t i) {
  if (const auto known = integersOf(i)) {
    std::vector<std::string> texts;
    for (const ProgramInteger& element : *known) {
      texts.push_back(element.text);
    }
    return fmt::format("[{}]", fmt::join(texts, ", "));
  }
  return source().assignInteger(fmt::format("{}({})", source().helper("integers_of"), tensor(i)));
}

const OnnxAttribute* NodeTranslation::attribute(std::string_view name) const {
  const auto found = std::ranges::find(node_.attributes, name, &OnnxAttribute::name);
  if (found == node_.attributes.end()) {
    return nullptr;
  }
  if (found->is_reference) {
    refuseNode(fmt::format("its attribute {} refers to a function", inQuotes(name)));
  }
  return &*found;
}

std::int64_t NodeTranslation::integer(std::string_view name, std::int64_t fallback) const {
  const OnnxAttribute* const found = attribute(name);
  return found == nullptr ? fallback : found->integer.value_or(0);
}

double NodeTranslation::number(std::string_view name, double fallback) const {
  const OnnxAttribute* const found = attribute(name);
  return found == nullptr ? fallback : double{found->number.value_or(0.0F)};
}

std::optional<std::vector<std::int64_t>> NodeTranslation::integers(std::string_view name) const {
  const OnnxAttribute* const found = attribute(name);
  return found == nullptr ? std::nullopt : std::optional(found->integers);
}

std::vector<std::int64_t> NodeTranslation::integers(std::string_view name, std::size_t count,
                                                    std::int64_t fallback) const {
  auto found = integers(name);
  if (!found || found->empty()) {
    return std::vector<std::int64_t>(count, fallback);
  }
  if (found->size() != count) {
    refuseNode(
        fmt::format("{} has {} numbers instead of {}", inQuotes(name), found->size(), count));
  }
  return *std::move(found);
}

std::string_view NodeTranslation::choice(std::string_view name, std::string_view fallback,
                                         std::initializer_list<std::string_view> choices) const {
  const OnnxAttribute* const found = attribute(name);
  if (found == nullptr) {
    return fallback;
  }
  const std::string_view text = found->text.value_or(std::string_view());
  const auto* const match = std::ranges::find(choices, text);
  if (match == choices.end()) {
    refuse(fmt::format("has {} {}, which is not supported; supported: {}", inQuotes(name),
                       inQuotes(text), fmt::join(choices, ", ")));
  }
  return *match;
}

std::optional<std::vector<std::int64_t>> NodeTranslation::axes(std::size_t i) const {
  if (auto stated = integers("axes")) {
    return stated;
  }
  if (!hasInput(i)) {
    return std::nullopt;
  }
  if (auto known = constantIntegers(i)) {
    return known;
  }
  refuse("computes its axes while it runs, which is not supported; export it with constant axes");
}

std::int64_t NodeTranslation::axisOf(std::int64_t axis, std::int64_t rank) const {
  if (axis < -rank || axis >= rank) {
    refuseNode(fmt::format("axis {} of a tensor with {} axes", axis, rank));
  }
  return axis < 0 ? axis + rank : axis;
}

void NodeTranslation::set(std::size_t i, std::string_view expression,
                          std::optional<at::ScalarType> type, std::optional<OnnxShape> shape) {
  setVariable(i, source().assign(expression), type, std::move(shape));
}

void NodeTranslation::setVariable(std::size_t i, std::string variable,
                                  std::optional<at::ScalarType> type,
                                  std::optional<OnnxShape> shape) {
  if (i >= results_.size()) {
    return;
  }
  results_[i].variable = std::move(variable);
  results_[i].type = type;
  results_[i].shape = std::move(shape);
}

void NodeTranslation::setIntegers(std::size_t i, std::vector<ProgramInteger> integers,
                                  bool is_scalar, at::ScalarType type) {
  OnnxValue& value = result(i);
  value.type = type;
  value.is_scalar = is_scalar;
  value.shape = is_scalar ? OnnxShape() : OnnxShape{static_cast<std::int64_t>(integers.size())};
  std::vector<std::int64_t> known;
  for (const ProgramInteger& element : integers) {
    if (element.known) {
      known.push_back(*element.known);
    }
  }
  if (known.size() == integers.size()) {
    const at::Tensor values = at::tensor(known, at::kLong).to(type);
    value.constant = is_scalar ? values.reshape({}) : values;
    return;
  }
  value.integers = std::move(integers);
}

}  // namespace dubito
