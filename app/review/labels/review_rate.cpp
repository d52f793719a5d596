// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/labels/review_rate.h"

#include <algorithm>

namespace dubito {
namespace {

constexpr std::size_t kRatedDecisions = 30;
/// A longer gap between two decisions is a break and does not count.
constexpr qint64 kBreakMilliseconds = 60'000;

}  // namespace

void ReviewRate::start() {
  clock_.start();
  times_.clear();
}

void ReviewRate::add() {
  times_.push_back(clock_.elapsed());
  if (times_.size() > kRatedDecisions) {
    times_.pop_front();
  }
}

std::optional<double> ReviewRate::perMinute() const {
  qint64 milliseconds = 0;
  int gaps = 0;
  for (std::size_t i = 1; i < times_.size(); ++i) {
    const qint64 gap = times_[i] - times_[i - 1];
    if (gap <= kBreakMilliseconds) {
      milliseconds += gap;
      ++gaps;
    }
  }
  return gaps < 2 ? std::nullopt
                  : std::optional(60'000.0 * gaps /
                                  static_cast<double>(std::max<qint64>(milliseconds, 1)));
}

}  // namespace dubito
