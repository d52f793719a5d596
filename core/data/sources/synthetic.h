// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/sources/dataset_kind.h"

namespace dubito {

/// synthetic:blobs and synthetic:moons are points [2]; ?blobs=N (or classes=N) blobs, by default 4.
/// synthetic:glyphs are the characters 0-9 and A-Z, white on black as 8-bit images [28, 28, 1] (see
/// openGlyphs()), with normal noise of standard deviation `noise` (of the full range, by default
/// 0.1); characters=N (or classes=N) takes the first N of them. An item is a function of seed and
/// position alone.
[[nodiscard]] std::shared_ptr<const DatasetKind> syntheticKind();

}  // namespace dubito
