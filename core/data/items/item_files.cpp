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

std::string itemFolder(const Dataset& dataset) {
  const std::string file = dataset.size() > 0 ? itemFile(dataset, 0) : std::string();
  const std::string name = dataset.size() > 0 ? dataset.itemName(0) : std::string();
  const bool is_below = file.size() > name.size() && file.ends_with('/' + name);
  return is_below ? file.substr(0, file.size() - name.size() - 1) : std::string();
}

}  // namespace dubito
