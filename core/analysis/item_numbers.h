// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/analysis/analysis.h"

namespace dubito {

/// The items of all parts of an analysis, numbered part after part.
class ItemNumbers {
 public:
  ItemNumbers() = default;
  explicit ItemNumbers(const Analysis& analysis) {
    for (const AnalysisPart& part : analysis.parts) {
      first_.push_back(count_);
      count_ += part.run->itemCount();
    }
  }

  [[nodiscard]] std::int64_t count() const { return count_; }
  /// Number of the item in row 0 of a part.
  [[nodiscard]] std::int64_t firstOf(std::size_t part) const { return first_[part]; }
  [[nodiscard]] std::int64_t of(ItemRef item) const {
    return firstOf(static_cast<std::size_t>(item.part)) + item.row;
  }
  [[nodiscard]] bool contains(ItemRef item) const {
    const auto part = static_cast<std::size_t>(item.part);
    return part < first_.size() &&
           of(item) < (part + 1 < first_.size() ? first_[part + 1] : count_);
  }
  /// The item of a number below count().
  [[nodiscard]] ItemRef item(std::int64_t number) const {
    // From the end, because a part without items begins where the next one does.
    std::size_t part = first_.size() - 1;
    while (number < first_[part]) {
      --part;
    }
    return {static_cast<std::int32_t>(part), number - first_[part]};
  }

 private:
  std::vector<std::int64_t> first_;  ///< [parts]
  std::int64_t count_ = 0;
};

}  // namespace dubito
