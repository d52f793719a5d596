// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/models/onnx/node_translation_torch.h"

namespace dubito {

struct IntegerRange {
  std::int64_t lowest;
  std::int64_t highest;
};

/// The range of a type that values are quantised to. Throws RefusedOnnx for other types.
[[nodiscard]] IntegerRange quantisedRange(const NodeTranslation& node, at::ScalarType type);

/// (x - zero point) * scale of a node's inputs at these positions, as float32; the scale and the
/// zero point are those of a whole tensor. The zero point may be missing.
[[nodiscard]] OnnxValue dequantisedInput(NodeTranslation& node, std::size_t values,
                                         std::size_t scale, std::size_t zero_point);

/// Sets result 0 to saturate(round(x / scale) + zero point), rounded half to even, of the type of
/// the zero point; without one, of `fallback`.
void setQuantised(NodeTranslation& node, const OnnxValue& x, std::size_t scale,
                  std::size_t zero_point, at::ScalarType fallback);

}  // namespace dubito
