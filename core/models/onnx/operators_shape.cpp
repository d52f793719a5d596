// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes: what changes how elements are arranged, and keeps all of them.
#include <fmt/format.h>

#include <algorithm>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/shape_rules_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;

/// Sizes for a reshape, in which 0 is replaced by the size of the same axis.
std::vector<ProgramInteger> withoutZeros(Node& node, std::vector<ProgramInteger> sizes) {
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    if (sizes[axis].known != 0 || node.flag("allowzero", false)) {
      continue;
    }
    const auto& shape = node.shape(0);
    const bool is_known = shape && axis < shape->size() && (*shape)[axis] >= 0;
    sizes[axis] = is_known ? ProgramInteger::of((*shape)[axis])
                           : ProgramInteger{node.source().assignInteger(
                                                fmt::format("{}.size({})", node.tensor(0), axis)),
                                            std::nullopt};
  }
  return sizes;
}

/// Product of the sizes after the first one; -1 if one is unknown.
std::int64_t sizeOfItem(const OnnxShape& shape) {
  return shape.empty() ? -1 : productOfSizes({shape.begin() + 1, shape.end()});
}

/// With a number in the place of the items, the program takes only as many. If the other sizes are
/// those of one item, it is the number of items, which is computed instead.
void freeItems(Node& node, std::vector<ProgramInteger>& sizes) {
  const auto& from = node.shape(0);
  if (node.input(0).isConstant() || sizes.empty() || !(sizes.front().known > 0)) {
    return;
  }
  OnnxShape wanted;
  for (const ProgramInteger& size : sizes) {
    wanted.push_back(size.known.value_or(kUnknownSize));
  }
  const bool has_unknown_items = from && !from->empty() && from->front() == kUnknownSize;
  const std::int64_t item = has_unknown_items ? sizeOfItem(*from) : -1;
  if (item > 0 && sizeOfItem(wanted) == item) {
    sizes.front() = ProgramInteger::of(-1);
  } else {
    node.program().has_sizes_of_batch = true;
  }
}

void reshape(Node& node) {
  auto sizes = node.integersOf(1);
  if (!node.hasInput(1)) {
    sizes.emplace();
    for (const std::int64_t size : node.integers("shape").value_or(std::vector<std::int64_t>())) {
      sizes->push_back(ProgramInteger::of(size));
    }
  }
  if (!sizes) {
    const bool keeps_zeros = !node.flag("allowzero", false);
    const std::string list = node.integerList(1);
    node.set(0,
             keeps_zeros ? fmt::format("{}({}, {})", node.source().helper("reshape_keeping_zeros"),
                                       node.tensor(0), list)
                         : fmt::format("{}.reshape({})", node.tensor(0), list),
             node.type(0),
             node.shape(1) && node.shape(1)->size() == 1 && node.shape(1)->front() >= 0
                 ? unknownSizes(node.shape(1)->front())
                 : std::nullopt);
    return;
  }
  freeItems(node, *sizes);
  const auto filled = withoutZeros(node, *sizes);
  KnownShape shape = knownSizes(filled, node.shape(0));
  // The items usually stay in front: their number cancels out.
  const auto& from = node.shape(0);
  if (from && from->size() > 1 && !shape->empty() && from->front() == kUnknownSize &&
      shape->front() == kUnknownSize && filled.front().known != -1) {
    const OnnxShape rest(from->begin() + 1, from->end());
    const OnnxShape inner = knownSizes({filled.begin() + 1, filled.end()}, rest);
    std::copy(inner.begin(), inner.end(), shape->begin() + 1);
  }
  node.set(0, fmt::format("{}.reshape({})", node.tensor(0), sizesText(filled)), node.type(0),
           shape);
}

void flatten(Node& node) {
  const std::int64_t axis = node.integer("axis", 1);
  const auto& shape = node.shape(0);
  KnownShape flat = unknownSizes(2);
  if (shape) {
    const auto split = axis < 0 ? axis + static_cast<std::int64_t>(shape->size()) : axis;
    if (split >= 0 && split <= static_cast<std::int64_t>(shape->size())) {
      flat = OnnxShape{productOfSizes({shape->begin(), shape->begin() + split}),
                       productOfSizes({shape->begin() + split, shape->end()})};
    }
  }
  if (axis == 1 && shape && shape->size() > 1) {
    node.set(0, fmt::format("torch.flatten({}, 1)", node.tensor(0)), node.type(0), flat);
    return;
  }
  node.set(0,
           fmt::format("{}({}, {})", node.source().helper("flatten_to_rows"), node.tensor(0), axis),
           node.type(0), flat);
}

void transpose(Node& node) {
  auto order = node.integers("perm");
  const auto rank = node.input(0).rank();
  if (!order) {
    if (!rank) {
      node.set(0, fmt::format("{}({})", node.source().helper("reverse_axes"), node.tensor(0)),
               node.type(0), std::nullopt);
      return;
    }
    order.emplace();
    for (std::int64_t axis = *rank; axis-- > 0;) {
      order->push_back(axis);
    }
  }
  KnownShape shape = unknownSizes(static_cast<std::int64_t>(order->size()));
  if (rank) {
    if (static_cast<std::int64_t>(order->size()) != *rank) {
      node.refuseNode(fmt::format("perm has {} axes of {}", order->size(), *rank));
    }
    for (std::size_t i = 0; i < order->size(); ++i) {
      (*shape)[i] = (*node.shape(0))[static_cast<std::size_t>(node.axisOf((*order)[i], *rank))];
    }
  }
  node.set(0, fmt::format("{}.permute({})", node.tensor(0), listText(*order)), node.type(0), shape);
}

void squeeze(Node& node) {
  const auto axes = node.axes(1);
  const auto& shape = node.shape(0);
  if (!axes) {
    KnownShape left;
    if (shape && std::ranges::find(*shape, kUnknownSize) == shape->end()) {
      left = *shape;
      std::erase(*left, 1);
    }
    node.set(0, fmt::format("torch.squeeze({})", node.tensor(0)), node.type(0), left);
    return;
  }
  node.set(0, fmt::format("torch.squeeze({}, {})", node.tensor(0), listText(*axes)), node.type(0),
           axes->empty() ? shape : reducedShape(shape, *axes, false));
}

void unsqueeze(Node& node) {
  const auto axes = node.axes(1);
  if (!axes) {
    node.refuseNode("it states no axes");
  }
  const auto rank = node.input(0).rank();
  if (!rank) {
    node.set(0,
             fmt::format("{}({}, {})", node.source().helper("unsqueeze_axes"), node.tensor(0),
                         listText(*axes)),
             node.type(0), std::nullopt);
    return;
  }
  const std::int64_t result_rank = *rank + static_cast<std::int64_t>(axes->size());
  std::vector<std::int64_t> sorted;
  for (const std::int64_t axis : *axes) {
    sorted.push_back(node.axisOf(axis, result_rank));
  }
  std::ranges::sort(sorted);
  std::string result = node.tensor(0);
  OnnxShape shape = *node.shape(0);
  for (const std::int64_t axis : sorted) {
    result = node.source().assign(fmt::format("torch.unsqueeze({}, {})", result, axis));
    if (axis > static_cast<std::int64_t>(shape.size())) {
      node.refuseNode("an axis is stated twice");
    }
    shape.insert(shape.begin() + axis, 1);
  }
  node.setVariable(0, result, node.type(0), shape);
}

void depthToSpace(Node& node) {
  const std::int64_t block = node.integer("blocksize", 1);
  const bool by_depth = node.choice("mode", "DCR", {"DCR", "CRD"}) == "DCR";
  if (block < 1 || block > 1024) {
    node.refuseNode(fmt::format("a block of {}", block));
  }
  node.set(0,
           fmt::format("{}({}, {}, {})", node.source().helper("depth_to_space"), node.tensor(0),
                       block, boolText(by_depth)),
           node.type(0), unknownSizes(4));
}

void spaceToDepth(Node& node) {
  const std::int64_t block = node.integer("blocksize", 1);
  if (block < 1 || block > 1024) {
    node.refuseNode(fmt::format("a block of {}", block));
  }
  const bool by_depth = node.choice("mode", "DCR", {"DCR", "CRD"}) == "DCR";
  node.set(0,
           fmt::format("{}({}, {}, {})", node.source().helper("space_to_depth"), node.tensor(0),
                       block, boolText(by_depth)),
           node.type(0), unknownSizes(4));
}

constexpr OnnxOperator kOperators[] = {
    {"DepthToSpace", depthToSpace}, {"Flatten", flatten}, {"Reshape", reshape},
    {"SpaceToDepth", spaceToDepth}, {"Squeeze", squeeze}, {"Transpose", transpose},
    {"Unsqueeze", unsqueeze},
};

}  // namespace

std::span<const OnnxOperator> shapeOperators() {
  return kOperators;
}

}  // namespace dubito
