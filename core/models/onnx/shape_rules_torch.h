// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/models/onnx/onnx_value_torch.h"

namespace dubito {

using KnownShape = std::optional<OnnxShape>;

/// The shape of an elementwise result of tensors of these shapes.
[[nodiscard]] KnownShape broadcastShape(const KnownShape& a, const KnownShape& b);
/// The shape of a matrix product, with the rules of NumPy.
[[nodiscard]] KnownShape productShape(const KnownShape& a, const KnownShape& b);
/// The shape after reducing these axes; all axes if there are none.
[[nodiscard]] KnownShape reducedShape(const KnownShape& shape,
                                      const std::vector<std::int64_t>& axes, bool keeps_axes);
/// The first two axes and `spatial` axes of unknown size.
[[nodiscard]] KnownShape spatialShape(const KnownShape& input, std::int64_t channels);
/// `rank` axes of unknown size.
[[nodiscard]] inline KnownShape unknownSizes(std::int64_t rank) {
  return OnnxShape(static_cast<std::size_t>(rank), kUnknownSize);
}
/// Product of known sizes; -1 if one of them is unknown, or it overflows.
[[nodiscard]] std::int64_t productOfSizes(const OnnxShape& sizes);

/// Sizes known before the program runs; that of -1 if the others and the input determine it.
[[nodiscard]] OnnxShape knownSizes(const std::vector<ProgramInteger>& sizes,
                                   const KnownShape& input);
/// "[n0, 3]".
[[nodiscard]] std::string sizesText(const std::vector<ProgramInteger>& sizes);

}  // namespace dubito
