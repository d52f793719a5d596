// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/iso_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace dubito {
namespace {

/// An edge between two neighbouring cells: 2 (row * columns + column) for the cell and its right
/// neighbour, plus 1 for the cell and the one above.
using Crossing = std::int64_t;
constexpr Crossing kNone = -1;

/// Marching squares: the line enters and leaves each square of four cells through crossings;
/// squares that share a crossing continue each other's line.
class Tracer {
 public:
  Tracer(const Array<double>& values, double level)
      : values_(values), level_(level), columns_(values.extent(1)) {
    for (std::int64_t row = 0; row + 1 < values.extent(0); ++row) {
      for (std::int64_t column = 0; column + 1 < columns_; ++column) {
        addSquare(row, column);
      }
    }
  }

  std::vector<Polyline> lines() {
    std::vector<Polyline> lines;
    // Open lines first; the rest are loops. Sorted, so that every call gives the same result.
    std::ranges::sort(order_);
    for (const bool open : {true, false}) {
      for (const Crossing start : order_) {
        const auto found = links_.find(start);
        if (found != links_.end() && (!open || found->second[1] == kNone)) {
          lines.push_back(follow(start));
        }
      }
    }
    return lines;
  }

 private:
  [[nodiscard]] double at(std::int64_t row, std::int64_t column) const {
    return values_.data()[row * columns_ + column];
  }

  void addSquare(std::int64_t row, std::int64_t column) {
    const std::array corners = {at(row, column), at(row, column + 1), at(row + 1, column + 1),
                                at(row + 1, column)};
    unsigned above = 0;
    double sum = 0.0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      if (std::isnan(corners[i])) {
        return;
      }
      above |= corners[i] >= level_ ? 1U << i : 0U;
      sum += corners[i];
    }
    const Crossing bottom = 2 * (row * columns_ + column);
    const Crossing left = bottom + 1;
    const Crossing top = bottom + 2 * columns_;
    const Crossing right = left + 2;
    const std::array<Crossing, 4> sides = {bottom, right, top, left};
    std::array<Crossing, 4> crossed{};
    std::size_t count = 0;
    for (unsigned side = 0; side < 4; ++side) {
      const bool here = ((above >> side) & 1U) != 0;
      const bool next = ((above >> ((side + 1) % 4)) & 1U) != 0;
      if (here != next) {
        crossed[count++] = sides[side];
      }
    }
    if (count == 2) {
      link(crossed[0], crossed[1]);
    } else if (count == 4) {
      // A saddle: the mean of the corners decides which two of them are connected.
      const bool first_is_cut_off = ((above & 1U) != 0) != (sum / 4.0 >= level_);
      link(bottom, first_is_cut_off ? left : right);
      link(top, first_is_cut_off ? right : left);
    }
  }

  void link(Crossing a, Crossing b) {
    for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
      const auto [entry, is_new] = links_.try_emplace(from, std::array{to, kNone});
      if (is_new) {
        order_.push_back(from);
      } else {
        entry->second[1] = to;
      }
    }
  }

  /// Removes the line that begins at `start` from the links.
  Polyline follow(Crossing start) {
    Polyline line;
    Crossing before = kNone;
    Crossing here = start;
    while (here != kNone) {
      addPoint(here, line);
      const auto found = links_.find(here);
      if (found == links_.end()) {
        break;  // a loop is closed
      }
      const auto [first, second] = found->second;
      links_.erase(found);
      const Crossing next = first == before ? second : first;
      before = here;
      here = next;
    }
    return line;
  }

  void addPoint(Crossing crossing, Polyline& line) const {
    const std::int64_t cell = crossing / 2;
    const std::int64_t row = cell / columns_;
    const std::int64_t column = cell % columns_;
    const bool upwards = crossing % 2 != 0;
    const double from = at(row, column);
    const double to = upwards ? at(row + 1, column) : at(row, column + 1);
    const double share = std::clamp((level_ - from) / (to - from), 0.0, 1.0);
    line.x.push_back((static_cast<double>(column) + 0.5 + (upwards ? 0.0 : share)) /
                     static_cast<double>(columns_));
    line.y.push_back((static_cast<double>(row) + 0.5 + (upwards ? share : 0.0)) /
                     static_cast<double>(values_.extent(0)));
  }

  const Array<double>& values_;
  double level_;
  std::int64_t columns_;
  std::unordered_map<Crossing, std::array<Crossing, 2>> links_;
  std::vector<Crossing> order_;
};

}  // namespace

std::vector<Polyline> isoLines(const Array<double>& values, double level) {
  return Tracer(values, level).lines();
}

}  // namespace dubito
