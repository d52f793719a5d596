// SPDX-License-Identifier: GPL-3.0-or-later
// Normalisation.
#include <fmt/format.h>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/shape_rules_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;

std::string epsilonOf(const Node& node) {
  return numberText(node.number("epsilon", 1e-5));
}

/// With the stored statistics, whatever mode the network was exported in.
void batchNorm(Node& node) {
  if (node.flag("training_mode", false)) {
    node.program().is_in_training_mode = true;
  }
  for (std::size_t i = 1; i < node.resultCount(); ++i) {
    if (node.hasResult(i) && node.opset() < 14) {
      node.refuse("returns new statistics, as in training; export it after model.eval()");
    }
  }
  const std::string mean = node.tensor(3, "running_mean");
  const std::string variance = node.tensor(4, "running_var");
  node.set(0,
           fmt::format("torch.batch_norm({}, {}, {}, {}, {}, False, 0.1, {}, False)",
                       node.tensor(0), node.tensor(1, "weight"), node.tensor(2, "bias"), mean,
                       variance, epsilonOf(node)),
           node.type(0), node.shape(0));
  // Statistics that training would have updated.
  if (node.hasResult(1)) {
    node.setVariable(1, mean, node.type(3), node.shape(3));
  }
  if (node.hasResult(2)) {
    node.setVariable(2, variance, node.type(4), node.shape(4));
  }
}

void instanceNorm(Node& node) {
  node.setLikeInput(fmt::format("torch.instance_norm({}, {}, {}, None, None, True, 0.1, {}, False)",
                                node.tensor(0), node.tensor(1, "weight"), node.tensor(2, "bias"),
                                epsilonOf(node)));
}

/// Whether weight and bias have exactly the sizes of the last axes, as torch's layer needs.
bool fitsLastAxes(const Node& node, std::size_t i, const KnownShape& x, std::int64_t axis) {
  if (!node.hasInput(i)) {
    return true;
  }
  const auto& shape = node.shape(i);
  if (!x || !shape) {
    return false;
  }
  const OnnxShape last(x->begin() + axis, x->end());
  return *shape == last;
}

void layerNorm(Node& node) {
  const std::int64_t rank = node.knownRank(0);
  const std::int64_t axis = node.axisOf(node.integer("axis", -1), rank);
  const KnownShape x = node.shape(0);
  // Sizes that only the weight states.
  KnownShape sizes = x;
  if (const auto& weight = node.shape(1);
      weight && static_cast<std::int64_t>(weight->size()) == rank - axis) {
    for (std::int64_t i = axis; i < rank; ++i) {
      auto& size = (*sizes)[static_cast<std::size_t>(i)];
      size = size < 0 ? (*weight)[static_cast<std::size_t>(i - axis)] : size;
    }
  }
  if (fitsLastAxes(node, 1, sizes, axis) && fitsLastAxes(node, 2, sizes, axis) &&
      !node.hasResult(1) && !node.hasResult(2)) {
    node.set(0,
             fmt::format("torch.layer_norm({}, {}, {}, {}, {})", node.tensor(0),
                         listText({sizes->begin() + axis, sizes->end()}), node.tensor(1, "weight"),
                         node.tensorOr(2, "None", "bias"), epsilonOf(node)),
             node.type(0), x);
    return;
  }
  std::vector<std::int64_t> axes;
  for (std::int64_t i = axis; i < rank; ++i) {
    axes.push_back(i);
  }
  const auto results = node.source().assignSeveral(
      3, fmt::format("{}({}, {}, {})", node.source().helper("normalise"), node.tensor(0),
                     listText(axes), epsilonOf(node)));
  std::string scaled =
      node.source().assign(fmt::format("torch.mul({}, {})", results[0], node.tensor(1, "weight")));
  if (node.hasInput(2)) {
    scaled = node.source().assign(fmt::format("torch.add({}, {})", scaled, node.tensor(2, "bias")));
  }
  node.setVariable(0, scaled, node.type(0), x);
  node.setVariable(1, results[1], at::kFloat, reducedShape(x, axes, true));
  node.setVariable(2, results[2], at::kFloat, reducedShape(x, axes, true));
}

void groupNorm(Node& node) {
  const std::int64_t groups = node.integer("num_groups", 1);
  const std::int64_t rank = node.knownRank(0);
  const auto& weights = node.shape(1);
  if (!weights || weights->size() != 1) {
    node.refuse("has weights of unknown size; export it with its weights");
  }
  if (node.opset() >= 21) {
    node.setLikeInput(fmt::format("torch.group_norm({}, {}, {}, {}, {})", node.tensor(0), groups,
                                  node.tensor(1, "weight"), node.tensor(2, "bias"),
                                  epsilonOf(node)));
    return;
  }
  // Opset 18 has one weight per group.
  node.setLikeInput(fmt::format(
      "{}({}, {}, {}, {}, {}, {})", node.source().helper("group_norm_by_group"), node.tensor(0),
      groups, node.tensor(1, "weight"), node.tensor(2, "bias"), epsilonOf(node), rank));
}

void rmsNorm(Node& node) {
  const std::int64_t rank = node.knownRank(0);
  const std::int64_t axis = node.axisOf(node.integer("axis", -1), rank);
  std::vector<std::int64_t> axes;
  for (std::int64_t i = axis; i < rank; ++i) {
    axes.push_back(i);
  }
  const std::string x = node.tensor(0);
  node.setLikeInput(fmt::format(
      "torch.mul(torch.mul({0}, torch.rsqrt(torch.add(torch.mean(torch.mul({0}, {0}), {1}, True), "
      "{2}))), {3})",
      x, listText(axes), epsilonOf(node), node.tensor(1, "weight")));
}

void localResponseNorm(Node& node) {
  node.setLikeInput(
      fmt::format("{}({}, {}, {}, {}, {})", node.source().helper("local_response_norm"),
                  node.tensor(0), node.integer("size", 1), numberText(node.number("alpha", 1e-4)),
                  numberText(node.number("beta", 0.75)), numberText(node.number("bias", 1.0))));
}

void lpNorm(Node& node) {
  const std::int64_t p = node.integer("p", 2);
  const std::int64_t axis = node.integer("axis", -1);
  if (p != 1 && p != 2) {
    node.refuseNode(fmt::format("p is {}", p));
  }
  const std::string x = node.tensor(0);
  const std::string norm = node.source().assign(
      p == 1 ? fmt::format("torch.sum(torch.abs({}), [{}], True)", x, axis)
             : fmt::format("torch.sqrt(torch.sum(torch.mul({0}, {0}), [{1}], True))", x, axis));
  // 0 stays 0.
  node.setLikeInput(fmt::format(
      "torch.div({}, torch.where(torch.eq({}, 0), torch.ones_like({}), {}))", x, norm, norm, norm));
}

void meanVarianceNorm(Node& node) {
  const auto axes = node.integers("axes").value_or(std::vector<std::int64_t>{0, 2, 3});
  const std::string x = node.tensor(0);
  const std::string centred = node.source().assign(
      fmt::format("torch.sub({0}, torch.mean({0}, {1}, True))", x, listText(axes)));
  node.setLikeInput(fmt::format(
      "torch.div({0}, torch.add(torch.sqrt(torch.mean(torch.mul({0}, {0}), {1}, True)), 1e-9))",
      centred, listText(axes)));
}

constexpr OnnxOperator kOperators[] = {
    {"BatchNormalization", batchNorm},
    {"GroupNormalization", groupNorm},
    {"InstanceNormalization", instanceNorm},
    {"LRN", localResponseNorm},
    {"LayerNormalization", layerNorm},
    {"LpNormalization", lpNorm},
    {"MeanVarianceNormalization", meanVarianceNorm},
    {"RMSNormalization", rmsNorm},
};

}  // namespace

std::span<const OnnxOperator> normalisationOperators() {
  return kOperators;
}

}  // namespace dubito
