// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

namespace dubito {

/// The items that this window and others have reserved.
class Reservations {
 public:
  /// Items to reserve at a time, out of so many of the next undecided ones.
  static constexpr std::int64_t kReserved = 16;
  static constexpr std::size_t kOutOf = 64;

  void clear();
  /// Whether more of the next undecided items should be reserved now: only a few are, or the
  /// reservations are old. True starts their age anew.
  [[nodiscard]] bool needMore(std::span<const std::int64_t> next);
  /// The answer to a request, as LabelFile::reserved().
  void take(const std::vector<std::int64_t>& requested, const std::vector<std::int64_t>& granted);
  /// Whether somebody else has reserved an item.
  [[nodiscard]] bool isTaken(std::int64_t item) const { return taken_.contains(item); }
  [[nodiscard]] std::int64_t takenCount() const { return static_cast<std::int64_t>(taken_.size()); }

 private:
  std::unordered_set<std::int64_t> reserved_;  ///< for this window
  std::unordered_set<std::int64_t> taken_;     ///< by others
  QElapsedTimer age_;
};

}  // namespace dubito
