// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes: what changes how elements are arranged, or makes new tensors of given sizes.
#include <ATen/Functions.h>
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

/// Sizes known before the program runs; that of -1 if the others and the input determine it.
OnnxShape knownSizes(const std::vector<ProgramInteger>& sizes, const KnownShape& input) {
  OnnxShape shape;
  std::int64_t others = 1;
  std::size_t open = 0;
  for (const ProgramInteger& size : sizes) {
    const std::int64_t known = size.known.value_or(kUnknownSize);
    shape.push_back(known >= 0 ? known : kUnknownSize);
    open += known < 0 ? 1 : 0;
    if (known > 0 && __builtin_mul_overflow(others, known, &others)) {
      others = 0;
    }
  }
  const std::int64_t count = input ? productOfSizes(*input) : -1;
  if (open == 1 && count >= 0 && others > 0) {
    std::ranges::replace(shape, kUnknownSize, count / others);
  }
  return shape;
}

std::string sizesText(const std::vector<ProgramInteger>& sizes) {
  std::string text;
  for (const ProgramInteger& size : sizes) {
    text += (text.empty() ? "" : ", ") + size.text;
  }
  return "[" + text + "]";
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

std::string deviceOf(Node& node) {
  return node.source().inputs().empty()
             ? std::string()
             : fmt::format(", device={}.device", node.source().inputs().front());
}

void constantOfShape(Node& node) {
  const OnnxAttribute* const stated = node.attribute("value");
  at::Tensor value = at::zeros({}, at::kFloat);
  if (stated != nullptr && stated->tensor) {
    value = node.program().stored.read(*stated->tensor).reshape({-1});
    if (value.numel() != 1) {
      node.refuseNode("its value is not one number");
    }
  }
  const std::string text = value.is_floating_point() ? numberText(value.item().toDouble())
                           : value.scalar_type() == at::kBool
                               ? boolText(value.item().toBool())
                               : std::to_string(value.item().toLong());
  KnownShape shape;
  if (const auto sizes = node.integersOf(0)) {
    shape = knownSizes(*sizes, std::nullopt);
  }
  node.set(0,
           fmt::format("torch.full({}, {}, dtype={}{})", node.integerList(0), text,
                       static_cast<int>(value.scalar_type()), deviceOf(node)),
           value.scalar_type(), shape);
}

void range(Node& node) {
  const auto begin = node.integersOf(0);
  const auto end = node.integersOf(1);
  const auto step = node.integersOf(2);
  if (!begin || !end || !step) {
    const auto type = node.type(0);
    node.set(0,
             fmt::format("{}({}, {}, {})", node.source().helper("range_of"), node.tensor(0),
                         node.tensor(1), node.tensor(2)),
             type, unknownSizes(1));
    return;
  }
  const auto type = node.type(0).value_or(at::kLong);
  std::int64_t count = kUnknownSize;
  if (begin->at(0).known && end->at(0).known && step->at(0).known == 1 &&
      !__builtin_sub_overflow(*end->at(0).known, *begin->at(0).known, &count)) {
    count = std::max<std::int64_t>(count, 0);
  }
  node.set(0,
           fmt::format("torch.arange({}, {}, {}, dtype={}{})", begin->at(0).text, end->at(0).text,
                       step->at(0).text, static_cast<int>(type), deviceOf(node)),
           type, OnnxShape{count});
}

void shapeOf(Node& node) {
  const std::string whole =
      node.source().assign(fmt::format("torch._shape_as_tensor({})", node.tensor(0)));
  const std::int64_t start = node.integer("start", 0);
  const OnnxAttribute* const end = node.attribute("end");
  node.set(0,
           fmt::format("{}[{}:{}]", whole, start,
                       end == nullptr ? std::string() : std::to_string(end->integer.value_or(0))),
           at::kLong, std::nullopt);
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

void eyeLike(Node& node) {
  const OnnxAttribute* const stated = node.attribute("dtype");
  const auto type = stated != nullptr
                        ? torchTypeOf(static_cast<OnnxType>(stated->integer.value_or(0)))
                        : node.type(0).value_or(at::kFloat);
  node.set(0,
           fmt::format("{}({}, {}, {})", node.source().helper("eye_like"), node.tensor(0),
                       node.integer("k", 0), static_cast<int>(type)),
           type, node.shape(0));
}

void trilu(Node& node) {
  const std::string_view function = node.flag("upper", true) ? "triu" : "tril";
  std::int64_t k = 0;
  if (node.hasInput(1)) {
    k = static_cast<std::int64_t>(node.numberAt(1, 0.0, "its diagonal"));
  }
  node.setLikeInput(fmt::format("torch.{}({}, {})", function, node.tensor(0), k));
}

constexpr OnnxOperator kOperators[] = {
    {"Concat", concat},
    {"ConstantOfShape", constantOfShape},
    {"DepthToSpace", depthToSpace},
    {"Expand", expand},
    {"EyeLike", eyeLike},
    {"Flatten", flatten},
    {"Range", range},
    {"Reshape", reshape},
    {"Shape", shapeOf},
    {"Size",
     [](Node& node) {
       node.set(0, fmt::format("torch.tensor({}.numel())", node.tensor(0)), at::kLong, OnnxShape());
     }},
    {"SpaceToDepth", spaceToDepth},
    {"Split", split},
    {"Squeeze", squeeze},
    {"Tile", tile},
    {"Transpose", transpose},
    {"Trilu", trilu},
    {"Unsqueeze", unsqueeze},
};

}  // namespace

std::span<const OnnxOperator> shapeOperators() {
  return kOperators;
}

}  // namespace dubito
