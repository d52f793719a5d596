// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

namespace dubito {

/// Hashes of the items that were shown (sampleHash), by row of the run. They are written where
/// pictures are decoded, so that no item is read twice. Callable from any thread.
class ItemHashes {
 public:
  void put(std::int64_t row, std::string hash) {
    const std::lock_guard lock(mutex_);
    hashes_[row] = std::move(hash);
  }
  /// Empty if the item was not read yet.
  [[nodiscard]] std::string of(std::int64_t row) const {
    const std::lock_guard lock(mutex_);
    const auto found = hashes_.find(row);
    return found == hashes_.end() ? std::string() : found->second;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::int64_t, std::string> hashes_;
};

}  // namespace dubito
