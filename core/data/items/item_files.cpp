// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/items/item_files.h"

#include <utility>

namespace dubito {

Expected<ReducedSample> readReduced(const Dataset& dataset, std::int64_t index,
                                    std::int64_t min_side) {
  if (const auto* const files = dynamic_cast<const ItemFiles*>(&dataset)) {
    return files->readReduced(index, min_side);
  }
  return dataset.read(index).map([](Sample sample) {
    return ReducedSample{std::move(sample), true};
  });
}

std::string itemFile(const Dataset& dataset, std::int64_t index) {
  const auto* const files = dynamic_cast<const ItemFiles*>(&dataset);
  return files == nullptr ? std::string() : files->itemFile(index);
}

}  // namespace dubito
