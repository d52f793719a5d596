// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/data/items/dataset.h"

namespace dubito {

/// The position in `dataset` of the item with each id; -1 if it lacks the item. O(N); fastest if
/// the ids are in the order of the dataset.
[[nodiscard]] std::vector<std::int64_t> positionsOfIds(const Dataset& dataset,
                                                       std::span<const std::int64_t> ids);

}  // namespace dubito
