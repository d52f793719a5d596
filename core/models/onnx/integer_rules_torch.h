// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/onnx/node_translation_torch.h"

namespace dubito {

/// Translates a node that computes sizes from sizes (Shape, Gather, Concat, Mul, ...) into integers
/// of the program. Returns false for any other node; it is then translated as tensors.
bool translateIntegers(NodeTranslation& node);

}  // namespace dubito
