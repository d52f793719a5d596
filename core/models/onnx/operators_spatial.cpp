// SPDX-License-Identifier: GPL-3.0-or-later
// Spatial transformers, and images that are cut out, padded or put together from windows.
#include <fmt/format.h>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/shape_rules_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;

void gridSample(Node& node) {
  const std::int64_t rank = node.knownRank(0);
  if (rank != 4 && rank != 5) {
    node.refuse(fmt::format("samples {} spatial axes; 2 and 3 are supported", rank - 2));
  }
  const std::string_view mode =
      node.choice("mode", "linear", {"linear", "nearest", "cubic", "bilinear", "bicubic"});
  const std::string_view padding =
      node.choice("padding_mode", "zeros", {"zeros", "border", "reflection"});
  const bool is_cubic = mode == "cubic" || mode == "bicubic";
  if (is_cubic && rank == 5) {
    node.refuse(
        "interpolates volumes cubically, which is not supported; export it with \"linear\"");
  }
  // torch's numbers of modes.
  const int mode_number = is_cubic ? 2 : mode == "nearest" ? 1 : 0;
  const int padding_number = padding == "zeros" ? 0 : padding == "border" ? 1 : 2;
  OnnxShape shape = *node.shape(0);
  const auto& grid = node.shape(1);
  for (std::size_t axis = 2; axis < shape.size(); ++axis) {
    shape[axis] = grid && grid->size() == shape.size() ? (*grid)[axis - 1] : kUnknownSize;
  }
  node.set(0,
           fmt::format("torch.grid_sampler({}, {}, {}, {}, {})", node.tensor(0), node.tensor(1),
                       mode_number, padding_number, boolText(node.flag("align_corners", false))),
           node.type(0), shape);
}

void affineGrid(Node& node) {
  KnownShape shape;
  if (const auto sizes = node.integersOf(1); sizes && sizes->size() > 2) {
    shape.emplace();
    for (const ProgramInteger& size : *sizes) {
      shape->push_back(size.known.value_or(kUnknownSize));
    }
    if (shape->front() > 1) {
      node.program().has_sizes_of_batch = true;
    }
    // [N, C, H, W] as [N, H, W, 2].
    shape->erase(shape->begin() + 1);
    shape->push_back(static_cast<std::int64_t>(shape->size()) - 1);
  }
  node.set(0,
           fmt::format("torch.affine_grid_generator({}, {}, {})", node.tensor(0),
                       node.integerList(1), boolText(node.flag("align_corners", false))),
           node.type(0), shape);
}

void centerCropPad(Node& node) {
  const std::int64_t rank = node.knownRank(0);
  std::vector<std::int64_t> axes;
  if (const auto stated = node.integers("axes")) {
    for (const std::int64_t axis : *stated) {
      axes.push_back(node.axisOf(axis, rank));
    }
  } else {
    for (std::int64_t axis = 0; axis < rank; ++axis) {
      axes.push_back(axis);
    }
  }
  OnnxShape shape = *node.shape(0);
  const auto sizes = node.integersOf(1);
  if (sizes && sizes->size() != axes.size()) {
    node.refuseNode(fmt::format("{} sizes for {} axes", sizes->size(), axes.size()));
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    shape[static_cast<std::size_t>(axes[i])] =
        sizes ? (*sizes)[i].known.value_or(kUnknownSize) : kUnknownSize;
  }
  node.set(0,
           fmt::format("{}({}, {}, {})", node.source().helper("center_crop_pad"), node.tensor(0),
                       node.integerList(1), listText(axes)),
           node.type(0), shape);
}

/// Adds up windows, which are columns, to an image.
void columnsToImage(Node& node) {
  const auto image = node.constantIntegers(1);
  const auto block = node.constantIntegers(2);
  if (!image || !block) {
    node.refuse(
        "computes the size of its image or windows while it runs, which is not supported; export "
        "it with constant sizes");
  }
  if (image->size() != 2 || block->size() != 2) {
    node.refuse(fmt::format("puts together {} spatial axes; only height and width are supported",
                            image->size()));
  }
  const std::vector<std::int64_t> pads = node.integers("pads", 4, 0);
  const std::vector<std::int64_t> begin_pads = {pads[0], pads[1]};
  if (begin_pads != std::vector{pads[2], pads[3]}) {
    node.refuse(
        "pads one side more than the other, which is not supported; export "
        "it with equal padding");
  }
  node.set(0,
           fmt::format("torch.col2im({}, {}, {}, {}, {}, {})", node.tensor(0), listText(*image),
                       listText(*block), listText(node.integers("dilations", 2, 1)),
                       listText(begin_pads), listText(node.integers("strides", 2, 1))),
           node.type(0), OnnxShape{kUnknownSize, kUnknownSize, (*image)[0], (*image)[1]});
}

constexpr OnnxOperator kOperators[] = {
    {"AffineGrid", affineGrid},
    {"CenterCropPad", centerCropPad},
    {"Col2Im", columnsToImage},
    {"GridSample", gridSample},
};

}  // namespace

std::span<const OnnxOperator> spatialOperators() {
  return kOperators;
}

}  // namespace dubito
