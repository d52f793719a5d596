// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace dubito {

/// An item and the key of its score (see SortedScores::keyOf), in 12 bytes, for radixSort.
class KeyedItem {
 public:
  KeyedItem() = default;
  KeyedItem(std::uint64_t key, std::uint32_t of_item)
      : item(of_item),
        low_(static_cast<std::uint32_t>(key)),
        high_(static_cast<std::uint32_t>(key >> 32)) {}

  [[nodiscard]] std::uint64_t key() const { return std::uint64_t{high_} << 32 | low_; }

  std::uint32_t item = 0;

 private:
  std::uint32_t low_ = 0;
  std::uint32_t high_ = 0;
};

[[nodiscard]] inline std::uint64_t sortKeyOf(const KeyedItem& entry) {
  return entry.key();
}

}  // namespace dubito
