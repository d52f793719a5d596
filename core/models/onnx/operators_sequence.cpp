// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences of tensors, as exporters write them for split, chunk and lists. Their length and the
// positions in them must be constants; the program has no sequences, only their elements.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/shape_rules_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;
using Elements = std::vector<OnnxValue>;

/// Longer sequences are no parts of a network.
constexpr std::int64_t kMaxElements = 4096;

const Elements& elementsOfInput(const Node& node, std::size_t i) {
  if (node.input(i).sequence == nullptr) {
    node.refuseNode(fmt::format("its input {} is no sequence", i));
  }
  return *node.input(i).sequence;
}

void setSequence(Node& node, Elements elements) {
  if (static_cast<std::int64_t>(elements.size()) > kMaxElements) {
    node.refuseNode(fmt::format("a sequence of {} tensors", elements.size()));
  }
  OnnxValue value;
  value.sequence = std::make_shared<const Elements>(std::move(elements));
  node.setValue(std::move(value));
}

/// A constant position from 0 to `last`; `fallback` if none is stated. Negative ones count from the
/// end of a sequence of `count` tensors.
std::size_t positionIn(const Node& node, std::size_t i, std::int64_t count, std::int64_t last,
                       std::int64_t fallback) {
  if (!node.hasInput(i)) {
    return static_cast<std::size_t>(fallback);
  }
  const auto known = node.constantIntegers(i);
  if (!known || known->size() != 1) {
    node.refuse(
        "computes its position in a sequence while it runs, which is not supported; export it with "
        "a constant position");
  }
  const std::int64_t position = known->front() < 0 ? known->front() + count : known->front();
  if (position < 0 || position > last) {
    node.refuseNode(fmt::format("position {} in a sequence of {}", known->front(), count));
  }
  return static_cast<std::size_t>(position);
}

void construct(Node& node) {
  Elements elements;
  for (std::size_t i = 0; i < node.inputCount(); ++i) {
    elements.push_back(node.input(i));
  }
  setSequence(node, std::move(elements));
}

void at(Node& node) {
  const Elements& elements = elementsOfInput(node, 0);
  const auto count = static_cast<std::int64_t>(elements.size());
  node.setValue(elements[positionIn(node, 1, count, count - 1, 0)]);
}

void insert(Node& node) {
  Elements elements = elementsOfInput(node, 0);
  const auto count = static_cast<std::int64_t>(elements.size());
  // A new element may also be put behind the last one.
  const std::size_t position = positionIn(node, 2, count, count, count);
  elements.insert(elements.begin() + static_cast<std::ptrdiff_t>(position), node.input(1));
  setSequence(node, std::move(elements));
}

void erase(Node& node) {
  Elements elements = elementsOfInput(node, 0);
  const auto count = static_cast<std::int64_t>(elements.size());
  if (count == 0) {
    node.refuseNode("its sequence is empty");
  }
  elements.erase(elements.begin() +
                 static_cast<std::ptrdiff_t>(positionIn(node, 1, count, count - 1, count - 1)));
  setSequence(node, std::move(elements));
}

void length(Node& node) {
  const auto count = static_cast<std::int64_t>(elementsOfInput(node, 0).size());
  node.setIntegers(0, {ProgramInteger::of(count)}, true);
}

/// Begin and end of each part; the axis is kept unless every part is one element without it.
void setParts(Node& node, std::int64_t axis, const std::vector<std::int64_t>& sizes,
              bool keeps_axis) {
  Elements elements;
  std::int64_t begin = 0;
  for (const std::int64_t size : sizes) {
    OnnxShape shape = *node.shape(0);
    const auto place = shape.begin() + axis;
    if (keeps_axis) {
      *place = size;
      elements.push_back(
          tensorValue(node.source().assign(fmt::format("torch.slice({}, {}, {}, {})",
                                                       node.tensor(0), axis, begin, begin + size)),
                      node.type(0), shape));
    } else {
      shape.erase(place);
      elements.push_back(tensorValue(node.source().assign(fmt::format("torch.select({}, {}, {})",
                                                                      node.tensor(0), axis, begin)),
                                     node.type(0), shape));
    }
    begin += size;
  }
  setSequence(node, std::move(elements));
}

void splitToSequence(Node& node) {
  const std::int64_t axis = node.axisOf(node.integer("axis", 0), node.knownRank(0));
  const std::int64_t size = (*node.shape(0))[static_cast<std::size_t>(axis)];
  const auto stated = node.constantIntegers(1);
  if (node.hasInput(1) && !stated) {
    node.refuse(
        "computes the sizes of its parts while it runs, which is not supported; export it with "
        "constant sizes");
  }
  if (stated && node.input(1).rank() == 1) {
    const bool is_valid = std::ranges::all_of(
        *stated, [](std::int64_t part) { return part >= 0 && part < (std::int64_t{1} << 40); });
    if (!is_valid ||
        (size >= 0 && std::accumulate(stated->begin(), stated->end(), std::int64_t{0}) != size)) {
      node.refuseNode("the sizes of its parts do not add up to that of the axis");
    }
    setParts(node, axis, *stated, true);
    return;
  }
  const std::int64_t each = stated ? stated->at(0) : 1;
  if (each < 1) {
    node.refuseNode(fmt::format("parts of {} elements", each));
  }
  if (size < 0) {
    node.refuse(
        "splits an axis whose size the file does not determine into parts, which is not supported; "
        "export it with a fixed size");
  }
  if ((size - 1) / each >= kMaxElements) {
    node.refuseNode("a sequence of too many tensors");
  }
  std::vector<std::int64_t> sizes;
  for (std::int64_t begin = 0; begin < size; begin += each) {
    sizes.push_back(std::min(each, size - begin));
  }
  setParts(node, axis, sizes, stated.has_value() || node.flag("keepdims", true));
}

void concatFromSequence(Node& node) {
  const Elements& elements = elementsOfInput(node, 0);
  if (elements.empty()) {
    node.refuseNode("its sequence is empty");
  }
  std::vector<const OnnxValue*> parts;
  if (!node.flag("new_axis", false)) {
    for (const OnnxValue& element : elements) {
      parts.push_back(&element);
    }
    node.setValue(node.part("Concat", parts));
    return;
  }
  const OnnxValue axis = [&] {
    OnnxValue value;
    value.type = at::kLong;
    value.shape = OnnxShape{1};
    value.integers = {ProgramInteger::of(node.integer("axis", 0))};
    return value;
  }();
  Elements unsqueezed;
  for (const OnnxValue& element : elements) {
    unsqueezed.push_back(node.part("Unsqueeze", {&element, &axis}));
  }
  for (const OnnxValue& element : unsqueezed) {
    parts.push_back(&element);
  }
  node.setValue(node.part("Concat", parts));
}

// Elements keep their names in the program: a sequence of constants is not computed while reading.
constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
constexpr OnnxOperator kOperators[] = {
    {"ConcatFromSequence", concatFromSequence, "", 1, kLast, false},
    {"SequenceAt", at, "", 1, kLast, false},
    {"SequenceConstruct", construct, "", 1, kLast, false},
    {"SequenceEmpty", [](Node& node) { setSequence(node, {}); }, "", 1, kLast, false},
    {"SequenceErase", erase, "", 1, kLast, false},
    {"SequenceInsert", insert, "", 1, kLast, false},
    {"SequenceLength", length, "", 1, kLast, false},
    {"SplitToSequence", splitToSequence, "", 1, kLast, false},
};

}  // namespace

std::span<const OnnxOperator> sequenceOperators() {
  return kOperators;
}

}  // namespace dubito
