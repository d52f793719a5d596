// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

namespace dubito {

/// A matrix [K, K] of counts by pairs of classes, most of which are 0 if there are many classes:
/// memory O(K + entries).
class PairCounts {
 public:
  /// What a row counts for one class of the second index.
  struct Entry {
    std::int64_t second = 0;
    std::int64_t count = 0;
  };
  using Row = std::vector<Entry>;

  PairCounts() = default;
  explicit PairCounts(std::int64_t classes) : rows_(static_cast<std::size_t>(classes)) {}

  /// A row; it must remain ascending in Entry::second.
  [[nodiscard]] Row& row(std::int64_t first) { return rows_[static_cast<std::size_t>(first)]; }
  [[nodiscard]] const Row& row(std::int64_t first) const {
    return rows_[static_cast<std::size_t>(first)];
  }
  [[nodiscard]] std::int64_t classes() const { return std::ssize(rows_); }

  [[nodiscard]] std::int64_t count(std::int64_t first, std::int64_t second) const {
    const Row& entries = row(first);
    const auto found = std::ranges::lower_bound(entries, second, {}, &Entry::second);
    return found != entries.end() && found->second == second ? found->count : 0;
  }

  /// Row `first` with its zeros.
  [[nodiscard]] std::vector<std::int64_t> denseRow(std::int64_t first) const {
    std::vector<std::int64_t> counts(rows_.size(), 0);
    for (const Entry& entry : row(first)) {
      counts[static_cast<std::size_t>(entry.second)] = entry.count;
    }
    return counts;
  }

 private:
  std::vector<Row> rows_;
};

}  // namespace dubito
