// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/items/stored_range.h"

namespace dubito {

std::optional<ValueRange> storedRange(const Dataset& dataset) {
  const auto* const known = dynamic_cast<const StoredRange*>(&dataset);
  return known == nullptr ? std::nullopt : known->storedRange();
}

}  // namespace dubito
