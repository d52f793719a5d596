// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/array.h"

namespace dubito {

/// States of one chain in two dimensions, evenly thinned: of states 1, 2, 3, ... the multiples of
/// thinning(), which doubles whenever there are kMaxCount. Memory is bounded for any length.
class ThinnedStates {
 public:
  static constexpr std::int64_t kMaxCount = 2000;

  /// `number` >= 1 counts up by one with each call; `state` [2].
  void add(std::int64_t number, std::span<const double> state);

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(values_.size()) / 2; }
  [[nodiscard]] std::int64_t thinning() const { return thinning_; }
  /// Number of the kept state `index`.
  [[nodiscard]] std::int64_t numberOf(std::int64_t index) const { return (index + 1) * thinning_; }
  /// Coordinate `axis`, 0 or 1, of the kept state `index`.
  [[nodiscard]] double value(std::int64_t index, std::size_t axis) const {
    return values_[2 * static_cast<std::size_t>(index) + axis];
  }
  /// [count(), 2].
  [[nodiscard]] Array<double> toArray() const {
    return Array<double>::fromVector({count(), 2}, values_);
  }

 private:
  std::vector<double> values_;  ///< [count, 2]
  std::int64_t thinning_ = 1;
};

}  // namespace dubito
