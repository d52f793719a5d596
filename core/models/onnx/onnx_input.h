// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/onnx/onnx_file.h"

namespace dubito {

/// The input of a classifier.
struct OnnxInput {
  std::vector<std::int64_t> item_shape;  ///< [C, H, W] or [length]; 0: any size; empty: unknown
  std::int64_t batch = 0;                ///< stated number of items; 0: any
  bool has_channels_last = false;        ///< images are [N, H, W, C] in the file
  std::string name;                      ///< for messages
};

/// The only input of a graph, which must take real numbers, with an axis of items. Throws
/// RefusedOnnx, naming all inputs, otherwise.
[[nodiscard]] OnnxInput classifierInput(const OnnxGraph& graph);

/// The input as text: "'x' [batch, 3, 224, 224] float".
[[nodiscard]] std::string describe(const OnnxValueInfo& info);

}  // namespace dubito
