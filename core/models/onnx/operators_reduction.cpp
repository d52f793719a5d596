// SPDX-License-Identifier: GPL-3.0-or-later
// Reductions over axes.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/shape_rules_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;

/// Axes to reduce; empty if the node leaves its input unchanged.
struct Reduction {
  std::string axes;  ///< a list in the program
  std::vector<std::int64_t> known;
  bool keeps_axes = true;
  bool changes_nothing = false;
};

Reduction reductionOf(Node& node) {
  Reduction reduction;
  reduction.keeps_axes = node.flag("keepdims", true);
  const auto axes = node.axes(1);
  if (axes && !axes->empty()) {
    reduction.known = *axes;
    reduction.axes = listText(*axes);
    return reduction;
  }
  if (node.flag("noop_with_empty_axes", false)) {
    reduction.changes_nothing = true;
    return reduction;
  }
  if (const auto rank = node.input(0).rank()) {
    for (std::int64_t axis = 0; axis < *rank; ++axis) {
      reduction.known.push_back(axis);
    }
    reduction.axes = listText(reduction.known);
  } else {
    reduction.axes = fmt::format("{}({})", node.source().helper("all_axes"), node.tensor(0));
  }
  return reduction;
}

/// Expressions of the input before, and of the result after the reduction; "{}" is the value.
struct Steps {
  const char* before = "{}";
  const char* reduction = "torch.sum";
  const char* after = "{}";
};

void reduce(Node& node, const Steps& steps) {
  const Reduction reduction = reductionOf(node);
  const std::string x =
      node.source().assign(fmt::format(fmt::runtime(steps.before), node.tensor(0)));
  std::string result = x;
  KnownShape shape = node.shape(0);
  if (!reduction.changes_nothing && reduction.axes != "[]") {
    result = node.source().assign(fmt::format("{}({}, {}, {})", steps.reduction, x, reduction.axes,
                                              boolText(reduction.keeps_axes)));
    shape = reducedShape(node.shape(0), reduction.known, reduction.keeps_axes);
  }
  result = node.source().assign(fmt::format(fmt::runtime(steps.after), result));
  // Sums of integers would become wider.
  const auto type = node.type(0);
  if (!type || !at::isFloatingType(*type)) {
    result = node.source().assign(fmt::format("{}.to({}.dtype)", result, node.tensor(0)));
  }
  node.setVariable(0, result, type, shape);
}

/// Reduces by a function of (tensor, axes, whether axes are kept) that keeps the type.
void reduceBy(Node& node, const Reduction& reduction, const std::string& function) {
  node.set(0,
           fmt::format("{}({}, {}, {})", function, node.tensor(0), reduction.axes,
                       boolText(reduction.keeps_axes)),
           node.type(0), reducedShape(node.shape(0), reduction.known, reduction.keeps_axes));
}

void mean(Node& node) {
  const Reduction reduction = reductionOf(node);
  if (reduction.changes_nothing || (node.type(0) && !at::isFloatingType(*node.type(0)))) {
    reduce(node, {.before = "{}.to(6)", .reduction = "torch.mean"});
    return;
  }
  reduceBy(node, reduction, "torch.mean");
}

void product(Node& node) {
  const Reduction reduction = reductionOf(node);
  if (reduction.changes_nothing) {
    node.setVariable(0, node.tensor(0), node.type(0), node.shape(0));
    return;
  }
  reduceBy(node, reduction, node.source().helper("product_over"));
}

void logSumExp(Node& node) {
  const Reduction reduction = reductionOf(node);
  if (reduction.changes_nothing) {
    node.setVariable(0, node.tensor(0), node.type(0), node.shape(0));
    return;
  }
  reduceBy(node, reduction, "torch.logsumexp");
}

void argument(Node& node, std::string_view function) {
  const std::int64_t axis = node.integer("axis", 0);
  const bool keeps = node.flag("keepdims", true);
  const KnownShape shape = reducedShape(node.shape(0), {axis}, keeps);
  if (node.flag("select_last_index", false)) {
    const std::string x = node.tensor(0);
    node.set(0,
             fmt::format("torch.sub({}.size({}) - 1, torch.{}(torch.flip({}, [{}]), {}, {}))", x,
                         axis, function, x, axis, axis, boolText(keeps)),
             at::kLong, shape);
    return;
  }
  node.set(0, fmt::format("torch.{}({}, {}, {})", function, node.tensor(0), axis, boolText(keeps)),
           at::kLong, shape);
}

void cumulate(Node& node, std::string_view function) {
  const double axis = node.numberAt(1, 0.0, "its axis");
  node.setLikeInput(fmt::format("{}({}, {}, {}, {})", node.source().helper(function),
                                node.tensor(0), static_cast<std::int64_t>(axis),
                                boolText(node.flag("exclusive", false)),
                                boolText(node.flag("reverse", false))));
}

/// Whether a reduced axis is known to have no elements, for which torch has no largest one.
bool isOfNothing(const Node& node, const Reduction& reduction) {
  const auto& shape = node.shape(0);
  return shape && !reduction.changes_nothing &&
         std::ranges::any_of(reduction.known, [&](std::int64_t axis) {
           const auto rank = static_cast<std::int64_t>(shape->size());
           return (*shape)[static_cast<std::size_t>(node.axisOf(axis, rank))] == 0;
         });
}

/// Largest or smallest elements; those of nothing are the lowest or highest value of the type.
void extreme(Node& node, const char* function, bool is_largest) {
  const Reduction reduction = reductionOf(node);
  if (!isOfNothing(node, reduction)) {
    reduce(node, {.reduction = function});
    return;
  }
  const at::ScalarType type = node.type(0).value_or(at::kFloat);
  const KnownShape shape = reducedShape(node.shape(0), reduction.known, reduction.keeps_axes);
  if (productOfSizes(*shape) < 0 || (!at::isFloatingType(type) && type != at::kBool)) {
    node.refuse("reduces an axis without elements, which is not supported");
  }
  const double infinity = std::numeric_limits<double>::infinity();
  const std::string value =
      type == at::kBool ? boolText(!is_largest) : numberText(is_largest ? -infinity : infinity);
  node.set(
      0,
      fmt::format("torch.full({}, {}, dtype={})", listText(*shape), value, static_cast<int>(type)),
      type, shape);
}

constexpr OnnxOperator kOperators[] = {
    {"ArgMax", [](Node& node) { argument(node, "argmax"); }},
    {"ArgMin", [](Node& node) { argument(node, "argmin"); }},
    {"CumProd", [](Node& node) { cumulate(node, "cumulative_product"); }},
    {"CumSum", [](Node& node) { cumulate(node, "cumulative_sum"); }},
    {"ReduceL1", [](Node& node) { reduce(node, {.before = "torch.abs({})"}); }},
    {"ReduceL2",
     [](Node& node) { reduce(node, {.before = "torch.square({})", .after = "torch.sqrt({})"}); }},
    {"ReduceLogSum", [](Node& node) { reduce(node, {.after = "torch.log({})"}); }},
    {"ReduceLogSumExp", logSumExp},
    {"ReduceMax", [](Node& node) { extreme(node, "torch.amax", true); }},
    {"ReduceMean", mean},
    {"ReduceMin", [](Node& node) { extreme(node, "torch.amin", false); }},
    {"ReduceProd", product},
    {"ReduceSum", [](Node& node) { reduce(node, {}); }},
    {"ReduceSumSquare", [](Node& node) { reduce(node, {.before = "torch.square({})"}); }},
};

}  // namespace

std::span<const OnnxOperator> reductionOperators() {
  return kOperators;
}

}  // namespace dubito
