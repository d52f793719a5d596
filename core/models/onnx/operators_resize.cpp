// SPDX-License-Identifier: GPL-3.0-or-later
// Interpolation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/shape_rules_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;

/// New size and scale of each resized axis, as text of the program.
struct ResizedAxis {
  std::int64_t axis = 0;
  std::string size;
  std::string scale;
  std::int64_t known_size = kUnknownSize;
};

struct Resizing {
  std::vector<ResizedAxis> axes;
  std::string_view mode;
  std::string_view coordinates;
  std::string_view nearest;
  double cubic = -0.75;
  bool excludes_outside = false;
};

std::string sizeText(Node& node, std::int64_t axis) {
  return fmt::format("{}.size({})", node.tensor(0), axis);
}

/// Axes that the scales or sizes are for.
std::vector<std::int64_t> statedAxes(const Node& node, std::int64_t rank) {
  std::vector<std::int64_t> axes;
  if (const auto stated = node.integers("axes")) {
    for (const std::int64_t axis : *stated) {
      axes.push_back(node.axisOf(axis, rank));
    }
    return axes;
  }
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    axes.push_back(axis);
  }
  return axes;
}

ResizedAxis byScale(Node& node, std::int64_t axis, double scale) {
  if (!(scale > 0.0 && scale < 1e6)) {
    node.refuseNode(fmt::format("a scale of {}", scale));
  }
  const std::int64_t size = (*node.shape(0))[static_cast<std::size_t>(axis)];
  ResizedAxis resized{axis, {}, numberText(scale), kUnknownSize};
  if (size >= 0) {
    resized.known_size = static_cast<std::int64_t>(std::floor(static_cast<double>(size) * scale));
    resized.size = std::to_string(resized.known_size);
  } else {
    resized.size = node.source().assignInteger(
        fmt::format("int(float({}) * {})", sizeText(node, axis), numberText(scale)));
  }
  return resized;
}

ResizedAxis toSize(Node& node, std::int64_t axis, const ProgramInteger& wanted) {
  const std::int64_t size = (*node.shape(0))[static_cast<std::size_t>(axis)];
  const bool is_known = wanted.known && size > 0;
  return {axis, wanted.text,
          is_known ? numberText(static_cast<double>(*wanted.known) / static_cast<double>(size))
                   : fmt::format("float({}) / float({})", wanted.text, sizeText(node, axis)),
          wanted.known.value_or(kUnknownSize)};
}

/// Axes whose size changes.
std::vector<ResizedAxis> resizedAxes(Node& node) {
  const std::int64_t rank = node.knownRank(0);
  const std::vector<std::int64_t> axes = statedAxes(node, rank);
  const std::size_t scales_at = node.op() == "Upsample" || node.opset() < 11 ? 1 : 2;
  std::vector<ResizedAxis> resized;
  if (const auto sizes = scales_at == 2 ? node.integersOf(3) : std::nullopt) {
    for (std::size_t i = 0; i < axes.size() && sizes->size() == axes.size(); ++i) {
      if ((*sizes)[i].known != (*node.shape(0))[static_cast<std::size_t>(axes[i])]) {
        resized.push_back(toSize(node, axes[i], (*sizes)[i]));
      }
    }
    return resized;
  }
  std::vector<double> scales;
  if (const OnnxAttribute* const stated = node.attribute("scales")) {
    scales.assign(stated->numbers.begin(), stated->numbers.end());
  } else {
    const at::Tensor known = node.neededConstant(scales_at, "its scales").reshape({-1});
    for (std::int64_t i = 0; i < known.numel() && i < rank; ++i) {
      scales.push_back(known[i].item().toDouble());
    }
  }
  if (scales.size() != axes.size()) {
    node.refuseNode(fmt::format("{} scales for {} axes", scales.size(), axes.size()));
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (scales[i] != 1.0) {
      resized.push_back(byScale(node, axes[i], scales[i]));
    }
  }
  return resized;
}

Resizing resizingOf(Node& node) {
  Resizing resizing;
  resizing.mode = node.choice("mode", "nearest", {"nearest", "linear", "bilinear", "cubic"});
  const bool is_old = node.op() == "Upsample" || node.opset() < 11;
  resizing.coordinates = is_old ? "asymmetric"
                                : node.choice("coordinate_transformation_mode", "half_pixel",
                                              {"half_pixel", "pytorch_half_pixel", "align_corners",
                                               "asymmetric", "half_pixel_symmetric"});
  resizing.nearest =
      is_old ? "floor"
             : node.choice("nearest_mode", "round_prefer_floor",
                           {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
  resizing.cubic = node.number("cubic_coeff_a", -0.75);
  resizing.excludes_outside = node.flag("exclude_outside", false);
  static_cast<void>(node.choice("keep_aspect_ratio_policy", "stretch", {"stretch"}));
  if (node.flag("antialias", false)) {
    node.refuse(
        "smooths before it shrinks (antialias), which is not supported; export it with "
        "antialias=False");
  }
  resizing.axes = resizedAxes(node);
  return resizing;
}

/// torch's operator for height and width of images; empty if none does the same.
std::string imageExpression(Node& node, const Resizing& resizing) {
  const auto& axes = resizing.axes;
  if (node.knownRank(0) != 4 || axes.size() != 2 || axes[0].axis != 2 || axes[1].axis != 3) {
    return {};
  }
  const std::string sizes = fmt::format("[{}, {}]", axes[0].size, axes[1].size);
  const std::string scales = fmt::format("{}, {}", axes[0].scale, axes[1].scale);
  // PyTorch's exporter has a rule of its own for results of one element.
  const bool is_half =
      resizing.coordinates == "half_pixel" || (resizing.coordinates == "pytorch_half_pixel" &&
                                               axes[0].known_size > 1 && axes[1].known_size > 1);
  const bool is_linear = resizing.mode == "linear" || resizing.mode == "bilinear";
  const std::string x = node.tensor(0);
  if (is_linear && is_half) {
    return fmt::format("torch.upsample_bilinear2d({}, {}, False, {})", x, sizes, scales);
  }
  if (resizing.mode == "nearest" && resizing.coordinates == "asymmetric" &&
      resizing.nearest == "floor") {
    return fmt::format("torch.upsample_nearest2d({}, {}, {})", x, sizes, scales);
  }
  if (resizing.mode == "cubic" && is_half && resizing.cubic == -0.75 &&
      !resizing.excludes_outside) {
    return fmt::format("torch.upsample_bicubic2d({}, {}, False, {})", x, sizes, scales);
  }
  return {};
}

void resize(Node& node) {
  const Resizing resizing = resizingOf(node);
  OnnxShape shape = *node.shape(0);
  for (const ResizedAxis& axis : resizing.axes) {
    shape[static_cast<std::size_t>(axis.axis)] = axis.known_size;
  }
  if (const std::string expression = imageExpression(node, resizing); !expression.empty()) {
    node.set(0, expression, node.type(0), shape);
    return;
  }
  std::string result = node.tensor(0);
  for (const ResizedAxis& axis : resizing.axes) {
    const std::string positions = node.source().assign(
        fmt::format("{}({}, {}, {}, {}, \"{}\")", node.source().helper("resized_positions"), result,
                    axis.axis, axis.size, axis.scale, resizing.coordinates));
    if (resizing.mode == "nearest") {
      result = node.source().assign(fmt::format("{}({}, {}, {}, \"{}\")",
                                                node.source().helper("resize_to_nearest"), result,
                                                axis.axis, positions, resizing.nearest));
    } else {
      result = node.source().assign(
          fmt::format("{}({}, {}, {}, {}, {}, {})", node.source().helper("resize_smoothly"), result,
                      axis.axis, positions, boolText(resizing.mode == "cubic"),
                      numberText(resizing.cubic), boolText(resizing.excludes_outside)));
    }
  }
  node.setVariable(0, result, node.type(0), shape);
}

constexpr OnnxOperator kOperators[] = {{"Resize", resize}, {"Upsample", resize}};

}  // namespace

std::span<const OnnxOperator> resizeOperators() {
  return kOperators;
}

}  // namespace dubito
