// SPDX-License-Identifier: GPL-3.0-or-later
// Pooling.
#include <fmt/format.h>

#include <limits>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/windows_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;

Windows poolingWindows(const Node& node) {
  const auto kernel = node.integers("kernel_shape");
  if (!kernel || kernel->empty()) {
    node.refuseNode("it states no kernel_shape");
  }
  return windowsOf(node, *kernel);
}

std::int64_t channelsOf(const Node& node) {
  const auto& shape = node.shape(0);
  return shape && shape->size() > 1 ? (*shape)[1] : kUnknownSize;
}

std::string windowArguments(const Windows& windows) {
  return fmt::format("{}, {}, {}", listText(windows.kernel), listText(windows.strides),
                     listText(windows.begin_pads));
}

/// torch pads by at most half a kernel.
bool torchPads(const Windows& windows) {
  for (std::size_t i = 0; i < windows.axes(); ++i) {
    if (windows.begin_pads[i] * 2 > windows.kernel[i]) {
      return false;
    }
  }
  return windows.isSymmetric();
}

void maxPool(Node& node) {
  Windows windows = poolingWindows(node);
  const KnownShape shape = windowedShape(node.shape(0), windows, channelsOf(node));
  const auto type = node.type(0);
  const bool is_integral = type && !at::isFloatingType(*type);
  std::string x = node.tensor(0);
  if (is_integral) {
    x = node.source().assign(fmt::format("{}.to({})", x, static_cast<int>(at::kFloat)));
  }
  if (node.hasResult(1)) {
    if (!torchPads(windows) || windows.axes() > 3) {
      node.refuse("returns positions with padding on one side, which is not supported");
    }
    const auto results = node.source().assignSeveral(
        2, fmt::format("torch.max_pool{}d_with_indices({}, {}, {}, {})", windows.axes(), x,
                       windowArguments(windows), listText(windows.dilations),
                       boolText(windows.rounds_up)));
    node.setVariable(0, results[0], type, shape);
    node.set(1,
             fmt::format("{}({}, {}, {})", node.source().helper("positions_in_tensor"), results[1],
                         x, boolText(node.flag("storage_order", false))),
             at::kLong, shape);
    return;
  }
  if (!torchPads(windows)) {
    x = padded(node, x, windows, -std::numeric_limits<double>::infinity(), false);
  }
  std::string result = node.source().assign(
      fmt::format("torch.max_pool{}d({}, {}, {}, {})", windows.axes(), x, windowArguments(windows),
                  listText(windows.dilations), boolText(windows.rounds_up)));
  if (is_integral) {
    result = node.source().assign(fmt::format("{}.to({})", result, static_cast<int>(*type)));
  }
  node.setVariable(0, result, type, shape);
}

bool isOne(const std::vector<std::int64_t>& numbers) {
  for (const std::int64_t number : numbers) {
    if (number != 1) {
      return false;
    }
  }
  return true;
}

/// Sums over windows that torch's pooling cannot express, as convolutions with ones.
std::string windowSums(Node& node, const std::string& x, const Windows& windows) {
  return node.source().assign(fmt::format(
      "{}({}, {}, {}, {}, {}, {}, {})", node.source().helper("window_sums"), x,
      listText(windows.kernel), listText(windows.strides), listText(windows.dilations),
      listText(windows.begin_pads), listText(windows.end_pads), boolText(windows.rounds_up)));
}

void averagePool(Node& node) {
  Windows windows = poolingWindows(node);
  const KnownShape shape = windowedShape(node.shape(0), windows, channelsOf(node));
  const bool counts_pads = node.flag("count_include_pad", false);
  const std::string x = node.tensor(0);
  if (torchPads(windows) && isOne(windows.dilations)) {
    node.set(
        0,
        fmt::format("torch.avg_pool{}d({}, {}, {}, {})", windows.axes(), x,
                    windowArguments(windows), boolText(windows.rounds_up), boolText(counts_pads)),
        node.type(0), shape);
    return;
  }
  if (windows.has_unknown_pads) {
    if (counts_pads) {
      const std::string whole = padded(node, x, windows, 0.0);
      node.set(
          0,
          fmt::format("torch.avg_pool{}d({}, {})", windows.axes(), whole, windowArguments(windows)),
          node.type(0), shape);
      return;
    }
    Windows of_ones = windows;
    const std::string whole = padded(node, x, windows, 0.0);
    const std::string ones = node.source().assign(fmt::format("torch.ones_like({})", x));
    const std::string counted = padded(node, ones, of_ones, 0.0);
    node.set(0,
             fmt::format("torch.div(torch.avg_pool{0}d({1}, {3}), torch.avg_pool{0}d({2}, {3}))",
                         windows.axes(), whole, counted, windowArguments(windows)),
             node.type(0), shape);
    return;
  }
  const std::string sums = windowSums(node, x, windows);
  std::string ones = node.source().assign(fmt::format("torch.ones_like({})", x));
  Windows counted = windows;
  if (counts_pads) {
    counted.begin_pads = counted.end_pads;
    std::vector<std::int64_t> pads;
    for (std::size_t i = windows.axes(); i-- > 0;) {
      pads.push_back(windows.begin_pads[i]);
      pads.push_back(windows.end_pads[i]);
    }
    ones = node.source().assign(
        fmt::format("torch.constant_pad_nd({}, {}, 1.0)", ones, listText(pads)));
    counted.begin_pads.assign(windows.axes(), 0);
    counted.end_pads.assign(windows.axes(), 0);
  }
  node.set(0, fmt::format("torch.div({}, {})", sums, windowSums(node, ones, counted)), node.type(0),
           shape);
}

/// Mean or another function over all positions.
void globalPool(Node& node, std::string_view function) {
  const std::int64_t rank = node.knownRank(0);
  std::vector<std::int64_t> axes;
  for (std::int64_t axis = 2; axis < rank; ++axis) {
    axes.push_back(axis);
  }
  node.set(0, fmt::format("torch.{}({}, {}, True)", function, node.tensor(0), listText(axes)),
           node.type(0), reducedShape(node.shape(0), axes, true));
}

void globalAveragePool(Node& node) {
  // The layer that PyTorch's networks have there; equal to the mean over all positions.
  if (node.knownRank(0) == 4) {
    node.set(0, fmt::format("torch.adaptive_avg_pool2d({}, [1, 1])", node.tensor(0)), node.type(0),
             reducedShape(node.shape(0), {2, 3}, true));
    return;
  }
  globalPool(node, "mean");
}

/// (sum of |x|^p)^(1/p).
std::string root(Node& node, const std::string& sums, double p) {
  return node.source().assign(fmt::format("torch.pow({}, {})", sums, numberText(1.0 / p)));
}

std::string power(Node& node, double p) {
  return node.source().assign(
      fmt::format("torch.pow(torch.abs({}), {})", node.tensor(0), numberText(p)));
}

double exponentOf(const Node& node) {
  const auto p = static_cast<double>(node.integer("p", 2));
  if (p < 1.0) {
    node.refuseNode(fmt::format("p is {}", p));
  }
  return p;
}

void lpPool(Node& node) {
  const double p = exponentOf(node);
  Windows windows = poolingWindows(node);
  const KnownShape shape = windowedShape(node.shape(0), windows, channelsOf(node));
  std::string powers = power(node, p);
  if (windows.has_unknown_pads) {
    powers = padded(node, powers, windows, 0.0);
  }
  node.setVariable(0, root(node, windowSums(node, powers, windows), p), node.type(0), shape);
}

void globalLpPool(Node& node) {
  const double p = exponentOf(node);
  const std::int64_t rank = node.knownRank(0);
  std::vector<std::int64_t> axes;
  for (std::int64_t axis = 2; axis < rank; ++axis) {
    axes.push_back(axis);
  }
  const std::string sums =
      node.source().assign(fmt::format("torch.sum({}, {}, True)", power(node, p), listText(axes)));
  node.setVariable(0, root(node, sums, p), node.type(0), reducedShape(node.shape(0), axes, true));
}

constexpr OnnxOperator kOperators[] = {
    {"AveragePool", averagePool},
    {"GlobalAveragePool", globalAveragePool},
    {"GlobalLpPool", globalLpPool},
    {"GlobalMaxPool", [](Node& node) { globalPool(node, "amax"); }},
    {"LpPool", lpPool},
    {"MaxPool", maxPool},
};

}  // namespace

std::span<const OnnxOperator> poolingOperators() {
  return kOperators;
}

}  // namespace dubito
