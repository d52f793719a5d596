// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/expected.h"
#include "core/data/items/corruption_spec.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// The corrupted item, with the shape and type of `sample`. Values of 8-bit images are clipped to
/// 0..255, those of other images to the range of the values in `sample`. Noise and the place of an
/// occlusion are functions of only `item_id`. For vectors, only noise is supported; fails with
/// kUnsupported for other corruptions, and for arrays that are neither vectors nor images [H, W,
/// C].
[[nodiscard]] Expected<Sample> corrupted(const Sample& sample, const Corruption& corruption,
                                         std::int64_t item_id);

}  // namespace dubito
