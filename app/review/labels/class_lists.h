// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/io/run.h"

namespace dubito {

/// The items of a queue by the class that the network suggests, each list in the order of the
/// queue, and which of them are decided. Items are rows of the run.
class ClassLists {
 public:
  ClassLists() = default;
  /// All undecided. One pass over the run.
  ClassLists(const Run& run, std::span<const std::int64_t> queue_rows);

  [[nodiscard]] std::int64_t classCount() const {
    return static_cast<std::int64_t>(undecided_.size());
  }
  /// Number of undecided items for which class `k` is suggested.
  [[nodiscard]] std::int64_t undecidedCount(std::int64_t k) const {
    return undecided_.at(static_cast<std::size_t>(k));
  }
  /// The class with the most undecided items; nothing if there are none.
  [[nodiscard]] std::optional<std::int64_t> largestClass() const;

  [[nodiscard]] bool contains(std::int64_t row) const {
    return state_[static_cast<std::size_t>(row)] != State::kAbsent;
  }
  [[nodiscard]] bool isDecided(std::int64_t row) const {
    return state_[static_cast<std::size_t>(row)] == State::kDecided;
  }
  /// Ignored for items that are not in the queue.
  void setDecided(std::int64_t row, bool decided);
  void setAllUndecided();

  /// All items of class `k`; positions in the list are those of page().
  [[nodiscard]] std::span<const std::int64_t> rows(std::int64_t k) const;
  [[nodiscard]] std::int64_t classOf(std::int64_t row) const {
    return class_of_[static_cast<std::size_t>(row)];
  }
  /// Position of an item in the list of its class.
  [[nodiscard]] std::int64_t positionOf(std::int64_t row) const;
  /// Whether a row is left out.
  using LeaveOut = std::function<bool(std::int64_t row)>;
  enum class Direction { kForwards, kBackwards };
  /// The first `count` undecided items of class `k` at or after `position`, as positions,
  /// ascending; backwards: the last ones before it.
  [[nodiscard]] std::vector<std::int64_t> page(std::int64_t k, std::int64_t position,
                                               std::int64_t count, Direction direction,
                                               const LeaveOut& leave_out) const;

 private:
  enum class State : std::uint8_t { kAbsent, kOpen, kDecided };

  std::vector<std::int64_t> rows_;       ///< grouped by class
  std::vector<std::int64_t> first_;      ///< [K + 1] where each class begins in rows_
  std::vector<std::int32_t> class_of_;   ///< by row of the run
  std::vector<std::int64_t> undecided_;  ///< [K]
  std::vector<State> state_;             ///< by row of the run
  std::vector<std::int64_t> place_;      ///< by row of the run: where it is in rows_
};

}  // namespace dubito
