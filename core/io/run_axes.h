// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace dubito {

/// What an axis of an array of a run counts.
enum class RunAxis : std::uint8_t {
  kDraw,
  kItem,
  kClass,
  kOther  ///< something that this version does not know: features, pixels
};

/// Up to four axes, outermost first.
class RunAxes {
 public:
  static constexpr std::size_t kMaxRank = 4;

  template <class... Axis>
  constexpr explicit RunAxes(Axis... axes) : axes_{axes...}, rank_(sizeof...(axes)) {}

  [[nodiscard]] constexpr const RunAxis* begin() const { return axes_.data(); }
  [[nodiscard]] constexpr const RunAxis* end() const { return axes_.data() + rank_; }
  [[nodiscard]] constexpr std::size_t rank() const { return rank_; }
  [[nodiscard]] constexpr bool contains(RunAxis axis) const {
    return std::find(begin(), end(), axis) != end();
  }
  /// Position of the items' axis; rank() if there is none.
  [[nodiscard]] constexpr std::size_t itemAxis() const {
    return static_cast<std::size_t>(std::find(begin(), end(), RunAxis::kItem) - begin());
  }
  /// Throws std::out_of_range if there are kMaxRank axes already.
  constexpr void append(RunAxis axis) { axes_.at(rank_++) = axis; }

 private:
  std::array<RunAxis, kMaxRank> axes_{};
  std::size_t rank_ = 0;
};

inline constexpr RunAxes kPerItem{RunAxis::kItem};
inline constexpr RunAxes kPerClass{RunAxis::kItem, RunAxis::kClass};
inline constexpr RunAxes kPerDraw{RunAxis::kDraw, RunAxis::kItem, RunAxis::kClass};

}  // namespace dubito
