// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/ivalue.h>

#include "core/kernels/number_hash.h"

namespace dubito {

/// Whether a value is, or contains, a tensor: lists, tuples, dictionaries and objects are searched;
/// packed weights count as tensors.
[[nodiscard]] bool holdsTensors(const c10::IValue& value);

/// Adds every bit of a value. Packed weights are added as what they are saved as, whichever way the
/// machine packs them.
void addToHash(const c10::IValue& value, NumberHash& hash);

}  // namespace dubito
