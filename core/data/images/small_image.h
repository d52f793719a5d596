// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/base/small_image.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// The mean grey value of each of 16 x 16 parts of an item; nothing for items that are no images or
/// cannot be read. Of a photograph, no more pixels are decoded than necessary.
[[nodiscard]] std::optional<SmallImage> smallImage(const Dataset& dataset, std::int64_t index);

}  // namespace dubito
