// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing elements by position, and padding.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/shape_rules_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;

/// The shape of Gather: that of the positions in the place of the axis.
KnownShape gatheredShape(const Node& node, std::int64_t axis) {
  const auto& from = node.shape(0);
  const auto& positions = node.shape(1);
  if (!from || !positions) {
    return std::nullopt;
  }
  OnnxShape shape(from->begin(), from->begin() + axis);
  shape.insert(shape.end(), positions->begin(), positions->end());
  shape.insert(shape.end(), from->begin() + axis + 1, from->end());
  return shape;
}

void gather(Node& node) {
  const auto rank = node.input(0).rank();
  const std::int64_t stated = node.integer("axis", 0);
  const std::int64_t axis = rank ? node.axisOf(stated, *rank) : stated;
  const KnownShape shape = rank ? gatheredShape(node, axis) : std::nullopt;
  const auto position = node.input(1).rank() == 0 ? node.constantIntegers(1) : std::nullopt;
  if (position && position->size() == 1) {
    node.set(0, fmt::format("torch.select({}, {}, {})", node.tensor(0), axis, position->front()),
             node.type(0), shape);
    return;
  }
  node.set(0,
           fmt::format("{}({}, {}, {})", node.source().helper("gather"), node.tensor(0),
                       node.tensor(1), axis),
           node.type(0), shape);
}

void gatherElements(Node& node) {
  node.set(0,
           fmt::format("{}({}, {}, {})", node.source().helper("gather_elements"), node.tensor(0),
                       node.tensor(1), node.integer("axis", 0)),
           node.type(0), node.shape(1));
}

void gatherNd(Node& node) {
  node.set(0,
           fmt::format("{}({}, {}, {})", node.source().helper("gather_nd"), node.tensor(0),
                       node.tensor(1), node.integer("batch_dims", 0)),
           node.type(0), std::nullopt);
}

void scatterElements(Node& node) {
  const std::string_view reduction =
      node.choice("reduction", "none", {"none", "add", "mul", "max", "min"});
  const std::string positions =
      node.source().assign(fmt::format("{}({}, {}, {})", node.source().helper("positive_positions"),
                                       node.tensor(0), node.tensor(1), node.integer("axis", 0)));
  const std::int64_t axis = node.integer("axis", 0);
  if (reduction == "none") {
    node.setLikeInput(fmt::format("torch.scatter({}, {}, {}, {})", node.tensor(0), axis, positions,
                                  node.tensor(2)));
    return;
  }
  const std::string_view name = reduction == "add"   ? "sum"
                                : reduction == "mul" ? "prod"
                                : reduction == "max" ? "amax"
                                                     : "amin";
  node.setLikeInput(fmt::format("torch.scatter_reduce({}, {}, {}, {}, \"{}\")", node.tensor(0),
                                axis, positions, node.tensor(2), name));
}

void scatterNd(Node& node) {
  const std::string_view reduction =
      node.choice("reduction", "none", {"none", "add", "mul", "max", "min"});
  node.setLikeInput(fmt::format("{}({}, {}, {}, \"{}\")", node.source().helper("scatter_nd"),
                                node.tensor(0), node.tensor(1), node.tensor(2), reduction));
}

/// Begin, end, axis and step of each sliced axis.
struct SlicedAxes {
  std::vector<ProgramInteger> starts;
  std::vector<ProgramInteger> ends;
  std::vector<std::int64_t> axes;
  std::vector<std::int64_t> steps;
};

std::vector<ProgramInteger> asProgramIntegers(const std::vector<std::int64_t>& numbers) {
  std::vector<ProgramInteger> integers;
  for (const std::int64_t number : numbers) {
    integers.push_back(ProgramInteger::of(number));
  }
  return integers;
}

/// Nothing if they are only known when the program runs.
std::optional<SlicedAxes> slicedAxes(const Node& node) {
  SlicedAxes sliced;
  std::optional<std::vector<std::int64_t>> axes;
  if (const auto starts = node.integers("starts")) {
    const auto ends = node.integers("ends");
    sliced.starts = asProgramIntegers(*starts);
    sliced.ends = asProgramIntegers(ends.value_or(std::vector<std::int64_t>()));
    axes = node.integers("axes");
  } else {
    const auto begins = node.integersOf(1);
    const auto ends = node.integersOf(2);
    if (!begins || !ends) {
      return std::nullopt;
    }
    sliced.starts = *begins;
    sliced.ends = *ends;
    axes = node.axes(3);
    if (node.hasInput(4)) {
      const auto steps = node.constantIntegers(4);
      if (!steps) {
        return std::nullopt;
      }
      sliced.steps = *steps;
    }
  }
  const std::size_t count = sliced.starts.size();
  for (std::size_t i = 0; !axes && i < count; ++i) {
    sliced.axes.push_back(static_cast<std::int64_t>(i));
  }
  if (axes) {
    sliced.axes = *axes;
  }
  sliced.steps.resize(std::max(count, sliced.steps.size()), 1);
  if (sliced.ends.size() != count || sliced.axes.size() != count || sliced.steps.size() != count) {
    node.refuseNode("starts, ends, axes and steps differ in number");
  }
  return sliced;
}

/// Size of an axis of `size` elements after slicing; unknown if one of the bounds is.
std::int64_t slicedSize(std::int64_t size, const ProgramInteger& start, const ProgramInteger& end,
                        std::int64_t step) {
  if (size < 0 || !start.known || !end.known || step < 1) {
    return kUnknownSize;
  }
  const auto bound = [size](std::int64_t position) {
    return std::clamp(position < 0 ? position + size : position, std::int64_t{0}, size);
  };
  const std::int64_t begin = bound(*start.known);
  const std::int64_t finish = bound(*end.known);
  return finish <= begin ? 0 : (finish - begin - 1) / step + 1;
}

void slice(Node& node) {
  const auto sliced = slicedAxes(node);
  if (!sliced) {
    const std::string axes = node.hasInput(3) ? node.integerList(3) : std::string();
    const std::string starts = node.integerList(1);
    node.set(
        0,
        fmt::format(
            "{}({}, {}, {}, {}, {})", node.source().helper("slice_axes"), node.tensor(0), starts,
            node.integerList(2),
            axes.empty() ? fmt::format("{}({})", node.source().helper("axes_up_to"), starts) : axes,
            node.hasInput(4)
                ? node.integerList(4)
                : fmt::format("{}({})", node.source().helper("ones_like_list"), starts)),
        node.type(0), node.input(0).rank() ? unknownSizes(*node.input(0).rank()) : std::nullopt);
    return;
  }
  std::string result = node.tensor(0);
  KnownShape shape = node.shape(0);
  for (std::size_t i = 0; i < sliced->axes.size(); ++i) {
    const std::int64_t step = sliced->steps[i];
    if (step == 0) {
      node.refuseNode("a step of 0");
    }
    const bool is_forward = step > 0;
    result = node.source().assign(fmt::format(
        "{}({}, {}, {}, {}, {})",
        is_forward ? std::string("torch.slice") : node.source().helper("slice_backwards"), result,
        sliced->axes[i], sliced->starts[i].text, sliced->ends[i].text, step));
    if (shape) {
      auto& size = (*shape)[static_cast<std::size_t>(
          node.axisOf(sliced->axes[i], static_cast<std::int64_t>(shape->size())))];
      size = slicedSize(size, sliced->starts[i], sliced->ends[i], step);
    }
  }
  node.setVariable(0, result, node.type(0), shape);
}

/// Begin pads of all axes, then end pads, from the attribute or the input.
std::vector<ProgramInteger> padsOf(Node& node, std::int64_t rank) {
  std::optional<std::vector<ProgramInteger>> pads;
  for (const std::string_view name : {"pads", "paddings"}) {
    if (const auto stated = node.integers(name)) {
      pads = asProgramIntegers(*stated);
    }
  }
  if (!pads) {
    pads = node.integersOf(1);
  }
  if (!pads) {
    node.refuse("computes its padding from values, which is not supported");
  }
  std::vector<std::int64_t> axes;
  if (node.hasInput(3)) {
    axes = node.constantIntegers(3).value_or(std::vector<std::int64_t>());
  } else {
    for (std::int64_t axis = 0; axis < rank; ++axis) {
      axes.push_back(axis);
    }
  }
  if (pads->size() != 2 * axes.size()) {
    node.refuseNode(fmt::format("{} pads for {} axes", pads->size(), axes.size()));
  }
  std::vector<ProgramInteger> all(2 * static_cast<std::size_t>(rank), ProgramInteger::of(0));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto axis = static_cast<std::size_t>(node.axisOf(axes[i], rank));
    all[axis] = (*pads)[i];
    all[axis + static_cast<std::size_t>(rank)] = (*pads)[axes.size() + i];
  }
  return all;
}

std::string padValue(Node& node) {
  const bool is_floating = !node.type(0) || at::isFloatingType(*node.type(0));
  if (node.hasInput(2) && !node.input(2).isConstant()) {
    return fmt::format("{}({})", is_floating ? "float" : "int", node.tensor(2));
  }
  const double value =
      node.hasInput(2) ? node.numberAt(2, 0.0, "its value") : node.number("value", 0.0);
  return is_floating ? numberText(value) : std::to_string(static_cast<std::int64_t>(value));
}

void pad(Node& node) {
  const std::string_view mode =
      node.choice("mode", "constant", {"constant", "reflect", "edge", "wrap"});
  const std::int64_t rank = node.knownRank(0);
  if (mode == "constant" && node.hasInput(1) && !node.integersOf(1) && !node.hasInput(3)) {
    node.set(0,
             fmt::format("torch.constant_pad_nd({}, {}({}), {})", node.tensor(0),
                         node.source().helper("pads_from_last_axis"), node.integerList(1),
                         padValue(node)),
             node.type(0), unknownSizes(rank));
    return;
  }
  const std::vector<ProgramInteger> pads = padsOf(node, rank);
  const auto end_of = [rank](std::int64_t axis) { return static_cast<std::size_t>(axis + rank); };
  OnnxShape shape = *node.shape(0);
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    auto& size = shape[static_cast<std::size_t>(axis)];
    const auto before = pads[static_cast<std::size_t>(axis)].known;
    const auto after = pads[end_of(axis)].known;
    const bool overflows = size < 0 || !before || !after ||
                           __builtin_add_overflow(size, *before, &size) ||
                           __builtin_add_overflow(size, *after, &size);
    size = overflows ? kUnknownSize : size;
  }
  if (mode == "constant") {
    std::string list;
    for (std::int64_t axis = rank; axis-- > 0;) {
      list += fmt::format("{}{}, {}", list.empty() ? "" : ", ",
                          pads[static_cast<std::size_t>(axis)].text, pads[end_of(axis)].text);
    }
    node.set(
        0, fmt::format("torch.constant_pad_nd({}, [{}], {})", node.tensor(0), list, padValue(node)),
        node.type(0), shape);
    return;
  }
  std::string result = node.tensor(0);
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    const ProgramInteger& before = pads[static_cast<std::size_t>(axis)];
    const ProgramInteger& after = pads[end_of(axis)];
    if (before.known != 0 || after.known != 0) {
      result = node.source().assign(fmt::format("{}({}, {}, {}, {}, \"{}\")",
                                                node.source().helper("pad_axis"), result, axis,
                                                before.text, after.text, mode));
    }
  }
  node.setVariable(0, result, node.type(0), shape);
}

void topK(Node& node) {
  const bool is_old = node.attribute("k") != nullptr;
  std::string count = std::to_string(node.integer("k", 0));
  if (!is_old) {
    const auto known = node.integersOf(1);
    count = known ? known->at(0).text
                  : node.source().assignInteger(fmt::format("int({})", node.tensor(1)));
  }
  // Sorted, because of equal elements the first ones are wanted, which torch.topk does not
  // guarantee.
  const std::int64_t axis = node.integer("axis", -1);
  auto results = node.source().assignSeveral(
      2, fmt::format("torch.sort({}, stable=True, dim={}, descending={})", node.tensor(0), axis,
                     boolText(node.flag("largest", true))));
  for (std::string& result : results) {
    result = node.source().assign(fmt::format("torch.slice({}, {}, 0, {})", result, axis, count));
  }
  const KnownShape shape =
      node.input(0).rank() ? unknownSizes(*node.input(0).rank()) : std::nullopt;
  node.setVariable(0, results[0], node.type(0), shape);
  node.setVariable(1, results[1], at::kLong, shape);
}

void nonZero(Node& node) {
  node.set(0, fmt::format("torch.nonzero({}).t()", node.tensor(0)), at::kLong, unknownSizes(2));
}

void oneHot(Node& node) {
  node.set(0,
           fmt::format("{}({}, int({}), {}, {})", node.source().helper("one_hot"), node.tensor(0),
                       node.tensor(1), node.tensor(2), node.integer("axis", -1)),
           node.type(2),
           node.input(0).rank() ? unknownSizes(*node.input(0).rank() + 1) : std::nullopt);
}

void compress(Node& node) {
  const bool has_axis = node.attribute("axis") != nullptr;
  node.set(0,
           fmt::format("{}({}, {}, {}, {})", node.source().helper("compress"), node.tensor(0),
                       node.tensor(1), node.integer("axis", 0), boolText(has_axis)),
           node.type(0), std::nullopt);
}

constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
constexpr OnnxOperator kOperators[] = {
    {"Compress", compress},
    {"Gather", gather},
    {"GatherElements", gatherElements},
    {"GatherND", gatherNd},
    {"NonZero", nonZero},
    {"OneHot", oneHot, "", 1, kLast, false},
    {"Pad", pad},
    {"Scatter", scatterElements},
    {"ScatterElements", scatterElements},
    {"ScatterND", scatterNd},
    {"Slice", slice},
    {"TopK", topK},
};

}  // namespace

std::span<const OnnxOperator> indexOperators() {
  return kOperators;
}

}  // namespace dubito
