// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/labels/class_lists.h"

#include <algorithm>
#include <numeric>

namespace dubito {

ClassLists::ClassLists(const Run& run, std::span<const std::int64_t> queue_rows) {
  const auto items = static_cast<std::size_t>(run.itemCount());
  const std::span<const std::int64_t> predictions(run.predictions.data(), items);
  std::int64_t classes = run.classCount();
  class_of_.reserve(items);
  for (const std::int64_t k : predictions) {
    class_of_.push_back(static_cast<std::int32_t>(k));
    classes = std::max(classes, k + 1);
  }
  undecided_.resize(static_cast<std::size_t>(classes));
  state_.resize(items, State::kAbsent);
  place_.resize(items);
  for (const std::int64_t row : queue_rows) {
    ++undecided_[static_cast<std::size_t>(classOf(row))];
    state_[static_cast<std::size_t>(row)] = State::kOpen;
  }
  first_.resize(undecided_.size() + 1);
  std::partial_sum(undecided_.begin(), undecided_.end(), first_.begin() + 1);
  rows_.resize(queue_rows.size());
  std::vector<std::int64_t> next = first_;
  for (const std::int64_t row : queue_rows) {
    const std::int64_t place = next[static_cast<std::size_t>(classOf(row))]++;
    rows_[static_cast<std::size_t>(place)] = row;
    place_[static_cast<std::size_t>(row)] = place;
  }
}

std::optional<std::int64_t> ClassLists::largestClass() const {
  const auto largest = std::ranges::max_element(undecided_);
  return largest == undecided_.end() || *largest == 0
             ? std::nullopt
             : std::optional<std::int64_t>(largest - undecided_.begin());
}

void ClassLists::setDecided(std::int64_t row, bool decided) {
  State& state = state_[static_cast<std::size_t>(row)];
  if (state == State::kAbsent || (state == State::kDecided) == decided) {
    return;
  }
  state = decided ? State::kDecided : State::kOpen;
  undecided_[static_cast<std::size_t>(classOf(row))] += decided ? -1 : 1;
}

void ClassLists::setAllUndecided() {
  for (State& state : state_) {
    state = state == State::kAbsent ? State::kAbsent : State::kOpen;
  }
  std::adjacent_difference(first_.begin() + 1, first_.end(), undecided_.begin());
}

std::span<const std::int64_t> ClassLists::rows(std::int64_t k) const {
  const auto begin = static_cast<std::size_t>(first_[static_cast<std::size_t>(k)]);
  const auto end = static_cast<std::size_t>(first_[static_cast<std::size_t>(k) + 1]);
  return std::span(rows_).subspan(begin, end - begin);
}

std::int64_t ClassLists::positionOf(std::int64_t row) const {
  return place_[static_cast<std::size_t>(row)] - first_[static_cast<std::size_t>(classOf(row))];
}

std::vector<std::int64_t> ClassLists::page(std::int64_t k, std::int64_t position,
                                           std::int64_t count, Direction direction,
                                           const LeaveOut& leave_out) const {
  const std::span<const std::int64_t> all = rows(k);
  const auto size = static_cast<std::int64_t>(all.size());
  const bool backwards = direction == Direction::kBackwards;
  std::vector<std::int64_t> found;
  for (std::int64_t at = backwards ? position - 1 : position;
       at >= 0 && at < size && static_cast<std::int64_t>(found.size()) < count;
       at += backwards ? -1 : 1) {
    if (const std::int64_t row = all[static_cast<std::size_t>(at)];
        !isDecided(row) && !leave_out(row)) {
      found.push_back(at);
    }
  }
  if (backwards) {
    std::ranges::reverse(found);
  }
  return found;
}

}  // namespace dubito
