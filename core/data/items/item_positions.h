// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/items/dataset.h"

namespace dubito {

/// The position in `dataset` of the item with each id; -1 if it lacks the item. O(N); fastest if
/// the ids are in the order of the dataset.
[[nodiscard]] std::vector<std::int64_t> positionsOfIds(const Dataset& dataset,
                                                       std::span<const std::int64_t> ids);

/// positionsOfIds(), which takes no memory if each item stands at its own number.
class ItemPositions {
 public:
  ItemPositions() = default;
  explicit ItemPositions(std::vector<std::int64_t> positions);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// `row` is not checked.
  [[nodiscard]] std::int64_t operator[](std::size_t row) const {
    return positions_.empty() ? static_cast<std::int64_t>(row) : positions_[row];
  }

 private:
  std::size_t size_ = 0;
  std::vector<std::int64_t> positions_;  ///< empty: those of the rows
};

}  // namespace dubito
