// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions.
#include <fmt/format.h>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/windows_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;

/// Spatial sizes of the kernels.
std::vector<std::int64_t> kernelOf(const Node& node) {
  const auto& shape = node.shape(1);
  if (!shape || shape->size() < 3) {
    node.refuse("has kernels of unknown size, which is not supported; export it with its weights");
  }
  return {shape->begin() + 2, shape->end()};
}

void convolution(Node& node) {
  Windows windows = windowsOf(node, kernelOf(node));
  const std::string weight = node.tensor(1, "weight");
  const std::string bias = node.tensorOr(2, "None", "bias");
  const std::int64_t channels = node.shape(1)->front();
  const KnownShape shape = windowedShape(node.shape(0), windows, channels);
  const std::string x = padded(node, node.tensor(0), windows, 0.0);
  node.set(0,
           fmt::format("torch.conv{}d({}, {}, {}, {}, {}, {}, {})", windows.axes(), x, weight, bias,
                       listText(windows.strides), listText(windows.begin_pads),
                       listText(windows.dilations), node.integer("group", 1)),
           node.type(0), shape);
}

/// The convolution without padding, of which the stated padding is cut off at both ends.
void transposedConvolution(Node& node) {
  const std::vector<std::int64_t> kernel = kernelOf(node);
  const std::size_t axes = kernel.size();
  Windows windows = windowsOf(node, kernel);
  std::vector<std::int64_t> more = node.integers("output_padding", axes, 0);
  const auto sizes = node.integers("output_shape");
  const std::string_view mode =
      node.choice("auto_pad", "NOTSET", {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"});
  const bool is_same = mode == "SAME_UPPER" || mode == "SAME_LOWER";
  if (sizes || is_same) {
    const auto& shape = node.shape(0);
    if (!shape || shape->size() != axes + 2) {
      node.refuse("computes its padding from the size of its input, which is not known");
    }
    for (std::size_t i = 0; i < axes; ++i) {
      const std::int64_t size = (*shape)[i + 2];
      if (size < 0) {
        node.refuse("computes its padding from the size of its input, which is not known");
      }
      const std::int64_t wanted =
          sizes ? sizes->at(sizes->size() - axes + i) : size * windows.strides[i];
      const std::int64_t total = windows.strides[i] * (size - 1) + more[i] +
                                 (kernel[i] - 1) * windows.dilations[i] + 1 - wanted;
      // More than there is: filled up at the end.
      more[i] += total < 0 ? -total : 0;
      const std::int64_t cut = total < 0 ? 0 : total;
      windows.begin_pads[i] = mode == "SAME_UPPER" ? cut / 2 : cut - cut / 2;
      windows.end_pads[i] = cut - windows.begin_pads[i];
    }
  }
  const std::int64_t groups = node.integer("group", 1);
  const std::int64_t channels = (*node.shape(1))[1] * groups;
  const bool is_symmetric = windows.begin_pads == windows.end_pads;
  const std::vector<std::int64_t> none(axes, 0);
  std::string x = node.tensor(0);
  std::vector<std::int64_t> inside = more;
  bool fits = is_symmetric;
  for (std::size_t i = 0; i < axes; ++i) {
    fits = fits && (more[i] < windows.strides[i] || more[i] < windows.dilations[i]);
  }
  std::string result = node.source().assign(
      fmt::format("torch.conv_transpose{}d({}, {}, {}, {}, {}, {}, {}, {})", axes, x,
                  node.tensor(1, "weight"), node.tensorOr(2, "None", "bias"),
                  listText(windows.strides), listText(fits ? windows.begin_pads : none),
                  listText(fits ? more : none), groups, listText(windows.dilations)));
  if (!fits) {
    // Negative padding cuts off; further elements at the end are 0 with the bias.
    if (node.hasInput(2) && more != none) {
      node.refuse("adds more elements at the end than torch does; export it with another size");
    }
    std::vector<std::int64_t> pads;
    for (std::size_t i = axes; i-- > 0;) {
      pads.push_back(-windows.begin_pads[i]);
      pads.push_back(more[i] - windows.end_pads[i]);
    }
    result = node.source().assign(
        fmt::format("torch.constant_pad_nd({}, {}, 0.0)", result, listText(pads)));
  }
  node.setVariable(0, result, node.type(0), spatialShape(node.shape(0), channels));
}

constexpr OnnxOperator kOperators[] = {
    {"Conv", convolution},
    {"ConvTranspose", transposedConvolution},
};

}  // namespace

std::span<const OnnxOperator> convolutionOperators() {
  return kOperators;
}

}  // namespace dubito
