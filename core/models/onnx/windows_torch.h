// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/shape_rules_torch.h"

namespace dubito {

/// Where the windows of a convolution or of pooling lie, per spatial axis.
struct Windows {
  std::vector<std::int64_t> kernel;
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> dilations;
  std::vector<std::int64_t> begin_pads;
  std::vector<std::int64_t> end_pads;
  bool has_unknown_pads = false;  ///< as much as the size of the input needs ("SAME")
  bool pads_end_first = true;     ///< the odd element is at the end
  bool rounds_up = false;

  [[nodiscard]] std::size_t axes() const { return kernel.size(); }
  [[nodiscard]] bool isSymmetric() const { return !has_unknown_pads && begin_pads == end_pads; }
};

/// Reads the attributes of a node. Padding that depends on the size of the input is computed where
/// that size is known.
[[nodiscard]] Windows windowsOf(const NodeTranslation& node, std::vector<std::int64_t> kernel);

/// The input, padded with `value`; the padding that is left for the operator itself is then 0. If
/// `leaves_symmetric`, padding that is the same at both ends is left for the operator.
[[nodiscard]] std::string padded(NodeTranslation& node, const std::string& x, Windows& windows,
                                 double value, bool leaves_symmetric = true);

/// The shape of the result with this number of channels.
[[nodiscard]] KnownShape windowedShape(const KnownShape& input, const Windows& windows,
                                       std::int64_t channels);

}  // namespace dubito
