// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <utility>
#include <vector>

#include "core/analysis/item_numbers.h"

namespace dubito {

/// Items of an analysis in any order, kept in 4 bytes each.
class ItemRefs {
 public:
  ItemRefs() = default;
  /// The items of these numbers, see ItemNumbers.
  ItemRefs(ItemNumbers of_analysis, std::vector<std::uint32_t> numbers)
      : of_analysis_(std::move(of_analysis)), numbers_(std::move(numbers)) {}

  [[nodiscard]] std::size_t size() const { return numbers_.size(); }
  [[nodiscard]] bool empty() const { return numbers_.empty(); }
  [[nodiscard]] ItemRef operator[](std::size_t place) const {
    return of_analysis_.item(numbers_[place]);
  }
  [[nodiscard]] ItemRef front() const { return (*this)[0]; }
  [[nodiscard]] const std::vector<std::uint32_t>& numbers() const { return numbers_; }
  [[nodiscard]] const ItemNumbers& ofAnalysis() const { return of_analysis_; }
  /// The first place of an item; size() if there is none.
  [[nodiscard]] std::size_t placeOf(ItemRef item) const {
    if (!of_analysis_.contains(item)) {
      return size();
    }
    const auto number = static_cast<std::uint32_t>(of_analysis_.of(item));
    return static_cast<std::size_t>(std::ranges::find(numbers_, number) - numbers_.begin());
  }
  /// The items, to iterate over.
  [[nodiscard]] auto all() const {
    return numbers_ | std::views::transform(
                          [this](std::uint32_t number) { return of_analysis_.item(number); });
  }

 private:
  ItemNumbers of_analysis_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace dubito
