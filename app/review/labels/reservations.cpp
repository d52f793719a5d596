// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/labels/reservations.h"

#include <algorithm>

namespace dubito {
namespace {

constexpr std::size_t kFew = 4;
constexpr qint64 kOldMilliseconds = 60'000;

}  // namespace

void Reservations::clear() {
  reserved_.clear();
  taken_.clear();
}

bool Reservations::needMore(std::span<const std::int64_t> next) {
  const bool enough =
      std::ranges::all_of(next.first(std::min(kFew, next.size())),
                          [this](std::int64_t item) { return reserved_.contains(item); });
  if (next.empty() || (enough && age_.isValid() && age_.elapsed() < kOldMilliseconds)) {
    return false;
  }
  age_.start();
  return true;
}

void Reservations::take(const std::vector<std::int64_t>& requested,
                        const std::vector<std::int64_t>& granted) {
  reserved_ = {granted.begin(), granted.end()};
  taken_.clear();
  // Otherwise the search ended with the last one granted, and those after it may be free.
  const bool all_were_tried = static_cast<std::int64_t>(granted.size()) < kReserved;
  for (const std::int64_t item : requested) {
    if (!all_were_tried && item == granted.back()) {
      break;
    }
    if (!reserved_.contains(item)) {
      taken_.insert(item);
    }
  }
}

}  // namespace dubito
