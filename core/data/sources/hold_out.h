// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/expected.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// A dataset, and two parts of it without an item in common.
struct HeldOut {
  DatasetPtr whole;
  DatasetPtr calibration;  ///< `count` items drawn at random, with the role calibration
  DatasetPtr rest;         ///< the others, in the role of `whole`
};

/// Whether holdOut() is possible with one item: `whole` has two or more, and is no such part
/// itself.
[[nodiscard]] bool canHoldOut(const Dataset& whole);

/// Holds out `count` items of `whole`. The specifications of the parts open the same items
/// (ItemPart). kInvalidArgument unless 1 <= count < size, or if `whole` is such a part itself.
[[nodiscard]] Expected<HeldOut> holdOut(const DatasetPtr& whole, std::int64_t count);

}  // namespace dubito
