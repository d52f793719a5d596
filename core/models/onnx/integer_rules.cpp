// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "core/models/onnx/integer_rules_torch.h"

namespace dubito {
namespace {

using Integers = std::vector<ProgramInteger>;

bool isScalar(const NodeTranslation& node, std::size_t i) {
  return node.input(i).integers ? node.input(i).is_scalar : node.input(i).rank() == 0;
}

at::ScalarType integerTypeOf(const NodeTranslation& node, std::size_t i) {
  return node.type(i).value_or(at::kLong);
}

/// The result of an arithmetic operator on two numbers; nothing if it overflows or is undefined.
std::optional<std::int64_t> computed(std::string_view op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  bool fails = false;
  if (op == "Add") {
    fails = __builtin_add_overflow(a, b, &result);
  } else if (op == "Sub") {
    fails = __builtin_sub_overflow(a, b, &result);
  } else if (op == "Mul") {
    fails = __builtin_mul_overflow(a, b, &result);
  } else if (op == "Div") {
    fails = b <= 0;
    result = fails ? 0 : a / b;
  } else if (op == "Mod") {
    fails = b <= 0;
    result = fails ? 0 : ((a % b) + b) % b;
  } else if (op == "Max") {
    result = std::max(a, b);
  } else if (op == "Min") {
    result = std::min(a, b);
  }
  return fails ? std::nullopt : std::optional(result);
}

std::string_view symbolOf(std::string_view op) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kSymbols = {
      {{"Add", "+"}, {"Sub", "-"}, {"Mul", "*"}, {"Div", "//"}, {"Mod", "%"}}};
  const auto* const found =
      std::ranges::find(kSymbols, op, [](const auto& entry) { return entry.first; });
  return found == kSymbols.end() ? std::string_view() : found->second;
}

bool isArithmetic(std::string_view op) {
  return !symbolOf(op).empty() || op == "Max" || op == "Min";
}

std::optional<ProgramInteger> combined(NodeTranslation& node, const ProgramInteger& a,
                                       const ProgramInteger& b) {
  if (a.known && b.known) {
    const auto result = computed(node.op(), *a.known, *b.known);
    return result ? std::optional(ProgramInteger::of(*result)) : std::nullopt;
  }
  const std::string_view symbol = symbolOf(node.op());
  if (symbol.empty()) {
    return ProgramInteger{node.source().assignInteger(fmt::format(
                              "{}({}, {})", node.op() == "Max" ? "max" : "min", a.text, b.text)),
                          std::nullopt};
  }
  // TorchScript rounds down, ONNX towards zero: equal unless a number is negative. Sizes are not.
  const bool is_division = symbol == "//" || symbol == "%";
  if (is_division && ((a.known && *a.known < 0) || (b.known && *b.known <= 0))) {
    return std::nullopt;
  }
  return ProgramInteger{
      node.source().assignInteger(fmt::format("{} {} {}", a.text, symbol, b.text)), std::nullopt};
}

/// A comparison that is decided before the program runs: sizes are never negative.
std::optional<bool> decided(std::string_view op, const ProgramInteger& a, const ProgramInteger& b) {
  if (a.known && b.known) {
    return op == "Equal"         ? *a.known == *b.known
           : op == "Less"        ? *a.known < *b.known
           : op == "Greater"     ? *a.known > *b.known
           : op == "LessOrEqual" ? *a.known <= *b.known
                                 : *a.known >= *b.known;
  }
  const bool one_is_negative = (a.known && *a.known < 0) || (b.known && *b.known < 0);
  if (op == "Equal" && one_is_negative) {
    return false;
  }
  return op == "Equal" && a.text == b.text ? std::optional(true) : std::nullopt;
}

bool isComparison(std::string_view op) {
  return op == "Equal" || op == "Less" || op == "Greater" || op == "LessOrEqual" ||
         op == "GreaterOrEqual";
}

/// Element `i` of integers of `count` elements, or of one element for all.
const ProgramInteger& broadcastElement(const Integers& integers, std::size_t i) {
  return integers.size() == 1 ? integers.front() : integers[i];
}

using Combine =
    std::function<std::optional<ProgramInteger>(const ProgramInteger&, const ProgramInteger&)>;

/// Applies `combine` to the elements of the two inputs.
bool elementwise(NodeTranslation& node, at::ScalarType type, const Combine& combine) {
  const auto a = node.integersOf(0);
  const auto b = node.integersOf(1);
  if (node.inputCount() != 2 || !a || !b || a->empty() || b->empty()) {
    return false;
  }
  const std::size_t count = std::max(a->size(), b->size());
  if ((a->size() != 1 && a->size() != count) || (b->size() != 1 && b->size() != count)) {
    return false;
  }
  Integers results;
  for (std::size_t i = 0; i < count; ++i) {
    auto result = combine(broadcastElement(*a, i), broadcastElement(*b, i));
    if (!result) {
      return false;
    }
    results.push_back(*std::move(result));
  }
  node.setIntegers(0, std::move(results), isScalar(node, 0) && isScalar(node, 1), type);
  return true;
}

bool arithmetic(NodeTranslation& node) {
  return elementwise(
      node, integerTypeOf(node, 0),
      [&node](const ProgramInteger& a, const ProgramInteger& b) { return combined(node, a, b); });
}

bool comparison(NodeTranslation& node) {
  return elementwise(
      node, at::kBool,
      [&node](const ProgramInteger& a, const ProgramInteger& b) -> std::optional<ProgramInteger> {
        const auto answer = decided(node.op(), a, b);
        return answer ? std::optional(ProgramInteger::of(*answer ? 1 : 0)) : std::nullopt;
      });
}

bool shapeOf(NodeTranslation& node) {
  const auto& shape = node.shape(0);
  if (!shape) {
    return false;
  }
  const auto rank = static_cast<std::int64_t>(shape->size());
  const auto bound = [rank](std::int64_t position) {
    return std::clamp(position < 0 ? position + rank : position, std::int64_t{0}, rank);
  };
  const std::int64_t begin = bound(node.integer("start", 0));
  const std::int64_t end = bound(node.integer("end", rank));
  Integers sizes;
  for (std::int64_t axis = begin; axis < end; ++axis) {
    const std::int64_t size = (*shape)[static_cast<std::size_t>(axis)];
    sizes.push_back(size >= 0 ? ProgramInteger::of(size)
                              : ProgramInteger{node.source().assignInteger(fmt::format(
                                                   "{}.size({})", node.tensor(0), axis)),
                                               std::nullopt});
  }
  node.setIntegers(0, std::move(sizes), false);
  return true;
}

bool sizeOf(NodeTranslation& node) {
  const auto& shape = node.shape(0);
  std::int64_t count = 1;
  for (const std::int64_t size : shape.value_or(OnnxShape{kUnknownSize})) {
    if (size < 0 || __builtin_mul_overflow(count, size, &count)) {
      node.setIntegers(
          0,
          {{node.source().assignInteger(fmt::format("{}.numel()", node.tensor(0))), std::nullopt}},
          true);
      return true;
    }
  }
  node.setIntegers(0, {ProgramInteger::of(count)}, true);
  return true;
}

bool gather(NodeTranslation& node) {
  const auto elements = node.integersOf(0);
  const auto positions = node.constantIntegers(1);
  if (!elements || !positions || isScalar(node, 0)) {
    return false;
  }
  const auto count = static_cast<std::int64_t>(elements->size());
  Integers chosen;
  for (const std::int64_t position : *positions) {
    chosen.push_back((*elements)[static_cast<std::size_t>(node.axisOf(position, count))]);
  }
  node.setIntegers(0, std::move(chosen), isScalar(node, 1), integerTypeOf(node, 0));
  return true;
}

bool concat(NodeTranslation& node) {
  Integers all;
  for (std::size_t i = 0; i < node.inputCount(); ++i) {
    const auto part = node.integersOf(i);
    if (!part || isScalar(node, i)) {
      return false;
    }
    all.insert(all.end(), part->begin(), part->end());
  }
  node.setIntegers(0, std::move(all), false, integerTypeOf(node, 0));
  return true;
}

bool slice(NodeTranslation& node) {
  const auto elements = node.integersOf(0);
  const bool by_attributes = node.integers("starts").has_value();
  const auto starts = by_attributes ? node.integers("starts") : node.constantIntegers(1);
  const auto ends = by_attributes ? node.integers("ends") : node.constantIntegers(2);
  const auto steps = node.hasInput(4) ? node.constantIntegers(4) : std::vector<std::int64_t>{1};
  if (!elements || isScalar(node, 0) || !starts || !ends || !steps || starts->size() != 1 ||
      ends->size() != 1 || steps->size() != 1 || steps->front() < 1) {
    return false;
  }
  const auto count = static_cast<std::int64_t>(elements->size());
  const auto bound = [count](std::int64_t position) {
    return std::clamp(position < 0 ? position + count : position, std::int64_t{0}, count);
  };
  Integers chosen;
  for (std::int64_t i = bound(starts->front()); i < bound(ends->front()); i += steps->front()) {
    chosen.push_back((*elements)[static_cast<std::size_t>(i)]);
  }
  node.setIntegers(0, std::move(chosen), false, integerTypeOf(node, 0));
  return true;
}

/// Operators that change a scalar into a vector of one element, or back.
bool reshaped(NodeTranslation& node) {
  const auto elements = node.integersOf(0);
  if (!elements) {
    return false;
  }
  if (node.op() == "Unsqueeze") {
    const auto axes = node.axes(1);
    if (!isScalar(node, 0) || !axes || axes->size() != 1) {
      return false;
    }
    node.setIntegers(0, *elements, false, integerTypeOf(node, 0));
    return true;
  }
  if (node.op() == "Squeeze") {
    if (elements->size() != 1) {
      return false;
    }
    node.setIntegers(0, *elements, true, integerTypeOf(node, 0));
    return true;
  }
  const auto shape = node.hasInput(1) ? node.constantIntegers(1) : node.integers("shape");
  const auto count = static_cast<std::int64_t>(elements->size());
  const bool fits = shape && (shape->empty()       ? count == 1
                              : shape->size() == 1 ? shape->front() == -1 || shape->front() == count
                                                   : false);
  if (!fits) {
    return false;
  }
  node.setIntegers(0, *elements, shape->empty(), integerTypeOf(node, 0));
  return true;
}

bool cast(NodeTranslation& node) {
  const auto elements = node.integersOf(0);
  const at::ScalarType type = torchTypeOf(static_cast<OnnxType>(node.integer("to", 0)));
  if (!elements || (type != at::kLong && type != at::kInt)) {
    return false;
  }
  node.setIntegers(0, *elements, isScalar(node, 0), type);
  return true;
}

bool where(NodeTranslation& node) {
  const auto conditions = node.constantIntegers(0);
  const auto a = node.integersOf(1);
  const auto b = node.integersOf(2);
  if (!conditions || !a || !b || conditions->empty() || a->empty() || b->empty()) {
    return false;
  }
  const std::size_t count = std::max({conditions->size(), a->size(), b->size()});
  for (const std::size_t size : {conditions->size(), a->size(), b->size()}) {
    if (size != 1 && size != count) {
      return false;
    }
  }
  Integers chosen;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_true = (*conditions)[conditions->size() == 1 ? 0 : i] != 0;
    chosen.push_back(broadcastElement(is_true ? *a : *b, i));
  }
  node.setIntegers(0, std::move(chosen),
                   isScalar(node, 0) && isScalar(node, 1) && isScalar(node, 2),
                   integerTypeOf(node, 1));
  return true;
}

bool product(NodeTranslation& node) {
  const auto elements = node.integersOf(0);
  if (!elements || isScalar(node, 0)) {
    return false;
  }
  std::int64_t known = 1;
  std::string text;
  for (const ProgramInteger& element : *elements) {
    if (!element.known) {
      text += (text.empty() ? "" : " * ") + element.text;
    } else if (__builtin_mul_overflow(known, *element.known, &known)) {
      return false;
    }
  }
  Integers result = {ProgramInteger::of(known)};
  if (!text.empty()) {
    result = {{node.source().assignInteger(fmt::format("{} * {}", known, text)), std::nullopt}};
  }
  node.setIntegers(0, std::move(result), !node.flag("keepdims", true), integerTypeOf(node, 0));
  return true;
}

}  // namespace

bool translateIntegers(NodeTranslation& node) {
  if (!node.node().domain.empty() || node.resultCount() != 1) {
    return false;
  }
  const std::string_view op = node.op();
  if (op == "Shape") {
    return node.inputCount() == 1 && shapeOf(node);
  }
  if (op == "Size") {
    return node.inputCount() == 1 && sizeOf(node);
  }
  if (!node.integersOf(0)) {
    return false;
  }
  if (isArithmetic(op)) {
    return arithmetic(node);
  }
  if (isComparison(op)) {
    return comparison(node);
  }
  if (op == "Gather") {
    return node.integer("axis", 0) == 0 && gather(node);
  }
  if (op == "Concat") {
    return concat(node);
  }
  if (op == "Slice") {
    return slice(node);
  }
  if (op == "Unsqueeze" || op == "Squeeze" || op == "Reshape") {
    return reshaped(node);
  }
  if (op == "Cast") {
    return cast(node);
  }
  if (op == "Identity") {
    node.setIntegers(0, *node.integersOf(0), isScalar(node, 0), integerTypeOf(node, 0));
    return true;
  }
  if (op == "Where") {
    return where(node);
  }
  return op == "ReduceProd" && product(node);
}

}  // namespace dubito
