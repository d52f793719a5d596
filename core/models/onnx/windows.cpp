// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "core/models/onnx/windows_torch.h"

namespace dubito {
namespace {

/// Sizes large enough for any network, and small enough to compute with.
constexpr std::int64_t kMaxSize = std::int64_t{1} << 31;

void checkSizes(const NodeTranslation& node, const std::vector<std::int64_t>& sizes,
                std::int64_t least) {
  for (const std::int64_t size : sizes) {
    if (size < least || size > kMaxSize) {
      node.refuseNode(fmt::format("a kernel, stride, dilation or padding of {}", size));
    }
  }
}

/// Pads for as many windows as strides fit into the input.
void padToSame(const NodeTranslation& node, Windows& windows) {
  const auto& shape = node.shape(0);
  for (std::size_t i = 0; i < windows.axes(); ++i) {
    const std::int64_t reach = (windows.kernel[i] - 1) * windows.dilations[i] + 1;
    const std::int64_t size = shape && shape->size() == windows.axes() + 2 ? (*shape)[i + 2] : -1;
    if (size < 0 && windows.strides[i] != 1) {
      windows.has_unknown_pads = true;
      return;
    }
    const std::int64_t steps = size < 0 ? 0 : (size + windows.strides[i] - 1) / windows.strides[i];
    const std::int64_t total =
        size < 0 ? reach - 1
                 : std::max<std::int64_t>(0, (steps - 1) * windows.strides[i] + reach - size);
    windows.begin_pads[i] = windows.pads_end_first ? total / 2 : total - total / 2;
    windows.end_pads[i] = total - windows.begin_pads[i];
  }
}

}  // namespace

Windows windowsOf(const NodeTranslation& node, std::vector<std::int64_t> kernel) {
  Windows windows;
  windows.kernel = std::move(kernel);
  const std::size_t axes = windows.axes();
  if (axes < 1 || axes > 3) {
    node.refuse(fmt::format("has {} spatial axes; 1 to 3 are supported", axes));
  }
  windows.strides = node.integers("strides", axes, 1);
  windows.dilations = node.integers("dilations", axes, 1);
  const std::vector<std::int64_t> pads = node.integers("pads", 2 * axes, 0);
  checkSizes(node, windows.kernel, 1);
  checkSizes(node, windows.strides, 1);
  checkSizes(node, windows.dilations, 1);
  checkSizes(node, pads, 0);
  const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(axes);
  windows.begin_pads.assign(pads.begin(), middle);
  windows.end_pads.assign(middle, pads.end());
  windows.rounds_up = node.flag("ceil_mode", false);
  const std::string_view mode =
      node.choice("auto_pad", "NOTSET", {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"});
  if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
    windows.pads_end_first = mode == "SAME_UPPER";
    padToSame(node, windows);
  }
  return windows;
}

std::string padded(NodeTranslation& node, const std::string& x, Windows& windows, double value,
                   bool leaves_symmetric) {
  if (windows.has_unknown_pads) {
    const std::string pads = node.source().assignInteger(fmt::format(
        "{}({}, {}, {}, {}, {})", node.source().helper("same_pads"), x, listText(windows.kernel),
        listText(windows.strides), listText(windows.dilations), boolText(windows.pads_end_first)));
    windows.has_unknown_pads = false;
    return node.source().assign(
        fmt::format("torch.constant_pad_nd({}, {}, {})", x, pads, numberText(value)));
  }
  if (windows.isSymmetric() && leaves_symmetric) {
    return x;
  }
  std::vector<std::int64_t> pads;  // of the last axis first
  for (std::size_t i = windows.axes(); i-- > 0;) {
    pads.push_back(windows.begin_pads[i]);
    pads.push_back(windows.end_pads[i]);
  }
  windows.begin_pads.assign(windows.axes(), 0);
  windows.end_pads.assign(windows.axes(), 0);
  return node.source().assign(
      fmt::format("torch.constant_pad_nd({}, {}, {})", x, listText(pads), numberText(value)));
}

KnownShape windowedShape(const KnownShape& input, const Windows& windows, std::int64_t channels) {
  KnownShape shape = spatialShape(input, channels);
  if (!shape || shape->size() != windows.axes() + 2 || windows.has_unknown_pads) {
    return shape;
  }
  for (std::size_t i = 0; i < windows.axes(); ++i) {
    const std::int64_t size = (*input)[i + 2];
    const std::int64_t reach = (windows.kernel[i] - 1) * windows.dilations[i] + 1;
    const std::int64_t room = size + windows.begin_pads[i] + windows.end_pads[i] - reach;
    // Rounded up, a window that begins in the padding at the end does not count.
    if (size >= 0 && room >= 0 && !windows.rounds_up) {
      (*shape)[i + 2] = room / windows.strides[i] + 1;
    }
  }
  return shape;
}

}  // namespace dubito
