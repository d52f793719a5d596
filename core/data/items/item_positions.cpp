// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/items/item_positions.h"

#include <unordered_map>
#include <utility>

namespace dubito {

std::vector<std::int64_t> positionsOfIds(const Dataset& dataset,
                                         std::span<const std::int64_t> ids) {
  const std::span<const std::int64_t> present = dataset.ids();
  std::vector<std::int64_t> index(ids.size(), -1);
  std::unordered_map<std::int64_t, std::int64_t> position_of_id;
  for (std::size_t row = 0; row < ids.size(); ++row) {
    if (row < present.size() && present[row] == ids[row]) {
      index[row] = static_cast<std::int64_t>(row);
      continue;
    }
    if (position_of_id.empty()) {
      position_of_id.reserve(present.size());
      for (std::size_t i = 0; i < present.size(); ++i) {
        position_of_id.emplace(present[i], static_cast<std::int64_t>(i));
      }
    }
    const auto found = position_of_id.find(ids[row]);
    if (found != position_of_id.end()) {
      index[row] = found->second;
    }
  }
  return index;
}

ItemPositions::ItemPositions(std::vector<std::int64_t> positions) : size_(positions.size()) {
  for (std::size_t row = 0; row < size_; ++row) {
    if (positions[row] != static_cast<std::int64_t>(row)) {
      positions_ = std::move(positions);
      return;
    }
  }
}

}  // namespace dubito
