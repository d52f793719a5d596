// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/items/dataset.h"
#include "core/data/sources/dataset_spec.h"

namespace dubito {

/// synthetic:glyphs: the characters 0-9 and A-Z, white on black, 28 x 28 grey pixels, rendered when
/// read. Item i shows character i modulo the number of characters, rotated by up to 15 degrees,
/// sheared by up to 0.2, 15 to 20 pixels high, shifted by up to 1.5 pixels, drawn with a pen 1.8 to
/// 3.2 pixels wide. Then Gaussian noise is added and pixels are clipped to 0..255.
[[nodiscard]] Expected<DatasetPtr> openGlyphs(const DatasetSpec& spec);

}  // namespace dubito
