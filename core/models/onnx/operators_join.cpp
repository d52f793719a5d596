// SPDX-License-Identifier: GPL-3.0-or-later
// Joining, splitting and repeating.
#include <fmt/format.h>

#include <algorithm>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/shape_rules_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;

/// Whether a constant with as many items as the example had is joined to computed values.
bool joinsConstantItems(const Node& node) {
  bool has_computed = false;
  bool has_constant = false;
  for (std::size_t i = 0; i < node.inputCount(); ++i) {
    has_constant = has_constant || node.input(i).isConstant();
    has_computed = has_computed || (node.shape(i) && !node.shape(i)->empty() &&
                                    node.shape(i)->front() == kUnknownSize);
  }
  return has_constant && has_computed;
}

void concat(Node& node) {
  const std::int64_t axis = node.integer("axis", node.opset() < 4 ? 1 : 0);
  std::string parts;
  KnownShape shape = node.shape(0);
  std::int64_t total = 0;
  if (axis != 0 && joinsConstantItems(node)) {
    node.program().has_sizes_of_batch = true;
  }
  for (std::size_t i = 0; i < node.inputCount(); ++i) {
    parts += (i == 0 ? "" : ", ") + node.tensor(i);
    const auto& own = node.shape(i);
    const bool fits = shape && own && own->size() == shape->size();
    if (!fits) {
      total = -1;
      continue;
    }
    const auto at = static_cast<std::size_t>(node.axisOf(axis, *node.input(i).rank()));
    const bool overflows =
        (*own)[at] < 0 || total < 0 || __builtin_add_overflow(total, (*own)[at], &total);
    total = overflows ? -1 : total;
    for (std::size_t k = 0; k < shape->size(); ++k) {
      (*shape)[k] = (*shape)[k] < 0 ? (*own)[k] : (*shape)[k];
    }
  }
  if (shape) {
    (*shape)[static_cast<std::size_t>(
        node.axisOf(axis, static_cast<std::int64_t>(shape->size())))] = total;
  }
  node.set(0, fmt::format("torch.cat([{}], {})", parts, axis), node.type(0), shape);
}

/// Sizes of the parts of Split; absent if they are equal.
std::optional<std::vector<ProgramInteger>> partSizes(Node& node) {
  if (const auto stated = node.integers("split")) {
    std::vector<ProgramInteger> sizes;
    for (const std::int64_t size : *stated) {
      sizes.push_back(ProgramInteger::of(size));
    }
    return sizes;
  }
  return node.integersOf(1);
}

void split(Node& node) {
  const std::int64_t axis = node.integer("axis", 0);
  const std::size_t count = node.resultCount();
  const auto sizes = partSizes(node);
  if (node.hasInput(1) && !sizes) {
    node.refuse("computes the sizes of its parts while it runs, which is not supported");
  }
  if (sizes && sizes->size() != count) {
    node.refuseNode(fmt::format("{} sizes for {} parts", sizes->size(), count));
  }
  std::string expression;
  if (sizes) {
    expression =
        fmt::format("torch.split_with_sizes({}, {}, {})", node.tensor(0), sizesText(*sizes), axis);
  } else {
    expression = fmt::format("torch.chunk({}, {}, {})", node.tensor(0), count, axis);
  }
  const std::vector<std::string> parts =
      count == 1 ? std::vector{node.source().assign("(" + expression + ")[0]")}
                 : node.source().assignSeveral(count, expression);
  for (std::size_t i = 0; i < count; ++i) {
    KnownShape shape = node.shape(0);
    if (shape) {
      const auto rank = static_cast<std::int64_t>(shape->size());
      auto& size = (*shape)[static_cast<std::size_t>(node.axisOf(axis, rank))];
      const auto n = static_cast<std::int64_t>(count);
      const auto k = static_cast<std::int64_t>(i);
      // The last part is the smaller one.
      const std::int64_t each = size < 0 ? kUnknownSize : (size + n - 1) / n;
      size = sizes      ? (*sizes)[i].known.value_or(kUnknownSize)
             : size < 0 ? kUnknownSize
                        : std::clamp(size - k * each, std::int64_t{0}, each);
    }
    node.setVariable(i, parts[i], node.type(0), shape);
  }
}

/// Sizes for torch's expand, in which -1 keeps the size of the input; nothing if it depends on
/// sizes that are not known which of the two is 1.
std::optional<std::vector<ProgramInteger>> expandSizes(const Node& node,
                                                       std::vector<ProgramInteger> sizes) {
  const auto& shape = node.shape(0);
  if (!shape || sizes.size() < shape->size()) {
    return std::nullopt;
  }
  const std::size_t offset = sizes.size() - shape->size();
  for (std::size_t i = 0; i < shape->size(); ++i) {
    ProgramInteger& size = sizes[offset + i];
    if (size.known == 1) {
      size = ProgramInteger::of(-1);
    } else if (!size.known && (*shape)[i] != 1) {
      return std::nullopt;
    }
  }
  return sizes;
}

void expand(Node& node) {
  const auto sizes = node.integersOf(1);
  if (!sizes) {
    node.set(0,
             fmt::format("{}({}, {})", node.source().helper("expand_both"), node.tensor(0),
                         node.integerList(1)),
             node.type(0), std::nullopt);
    return;
  }
  KnownShape wanted = OnnxShape();
  for (const ProgramInteger& size : *sizes) {
    wanted->push_back(size.known.value_or(kUnknownSize));
  }
  if (!sizes->empty() && sizes->front().known > 1) {
    node.program().has_sizes_of_batch = true;
  }
  const KnownShape shape = broadcastShape(node.shape(0), wanted);
  if (const auto plain = expandSizes(node, *sizes)) {
    node.set(0, fmt::format("{}.expand({})", node.tensor(0), sizesText(*plain)), node.type(0),
             shape);
    return;
  }
  node.set(0,
           fmt::format("{}({}, {})", node.source().helper("expand_both"), node.tensor(0),
                       sizesText(*sizes)),
           node.type(0), shape);
}

void tile(Node& node) {
  const auto repeats = node.integersOf(1);
  KnownShape shape = node.shape(0);
  if (shape && repeats && repeats->size() == shape->size()) {
    for (std::size_t i = 0; i < shape->size(); ++i) {
      auto& size = (*shape)[i];
      const std::int64_t times = (*repeats)[i].known.value_or(-1);
      if (size < 0 || times < 0 || __builtin_mul_overflow(size, times, &size)) {
        size = kUnknownSize;
      }
    }
  }
  node.set(0, fmt::format("{}.repeat({})", node.tensor(0), node.integerList(1)), node.type(0),
           shape);
}

constexpr OnnxOperator kOperators[] = {
    {"Concat", concat},
    {"Expand", expand},
    {"Split", split},
    {"Tile", tile},
};

}  // namespace

std::span<const OnnxOperator> joinOperators() {
  return kOperators;
}

}  // namespace dubito
