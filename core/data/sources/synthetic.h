// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/sources/dataset_kind.h"

namespace dubito {

/// synthetic:blobs and synthetic:moons are points [2]; ?blobs=N (or classes=N) sets the number of
/// blobs, 4 by default. synthetic:glyphs are the characters 0-9 and A-Z, white on black as 8-bit
/// images [28, 28, 1] (see openGlyphs()), with Gaussian noise of standard deviation `noise`
/// (relative to the full range, 0.1 by default); characters=N (or classes=N) selects the first N of
/// them. An item depends only on the seed and its position.
[[nodiscard]] std::shared_ptr<const DatasetKind> syntheticKind();

}  // namespace dubito
