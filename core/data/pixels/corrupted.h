// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/expected.h"
#include "core/data/items/corruption.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// The item after the corruption, of the same shape and type. Values stay within the range of 8-bit
/// images, and of real ones within the range that the item has. Noise and the place of an occlusion
/// are functions of the item's id alone. Vectors know noise; anything else of them is kUnsupported,
/// as are arrays that are no images [H, W, C].
[[nodiscard]] Expected<Sample> corrupted(const Sample& sample, const Corruption& corruption,
                                         std::int64_t item_id);

}  // namespace dubito
