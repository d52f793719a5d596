// SPDX-License-Identifier: GPL-3.0-or-later
// Which item is shown: nothing here decides anything.
#include <algorithm>
#include <iterator>

#include "app/review/reviewer.h"

namespace dubito {

void Reviewer::setPosition(std::int64_t position) {
  position_ = position;
  led_here_ = false;
  visited_row_.reset();
  showAgain();
}

void Reviewer::showAgain() {
  painted_ = false;
  hides_here_.reset();
  Q_EMIT itemChanged();
}

const std::vector<std::int64_t>& Reviewer::past() {
  if (!past_) {
    std::vector<const PresentLabel*> decided;
    for (const auto& [item, label] : file_.labels()) {
      if (settles(label.action) && !positionOf(item) && rowOf(item)) {
        decided.push_back(&label);
      }
    }
    std::ranges::sort(decided, std::ranges::greater(), &PresentLabel::sequence);
    past_.emplace();
    std::ranges::transform(decided, std::back_inserter(*past_), &PresentLabel::item);
  }
  return *past_;
}

std::optional<std::int64_t> Reviewer::positionInPast() {
  if (!visited_row_) {
    return std::nullopt;
  }
  const auto found = std::ranges::find(past(), analysis_->in().run->ids.data()[*visited_row_]);
  return found == past().end() ? std::nullopt : std::optional(found - past().begin());
}

bool Reviewer::canMoveOn() const {
  return visited_row_.has_value() || position_ + 1 < queue().length();
}

void Reviewer::move(std::int64_t steps) {
  if (!active()) {
    return;
  }
  const auto in_past = positionInPast();
  const bool enters_past = steps < 0 && !visited_row_ && position_ <= 0 && !past().empty();
  const std::int64_t target = in_past ? *in_past - steps : 0;
  if (in_past && target < 0) {
    setPosition(position_);
  } else if (in_past || enters_past) {
    const std::int64_t last = static_cast<std::int64_t>(past().size()) - 1;
    showItem(past()[static_cast<std::size_t>(std::min(target, last))]);
  } else if (queue().length() > 0) {
    setPosition(std::clamp<std::int64_t>(position_ + steps, 0, queue().length() - 1));
  }
}

std::optional<std::int64_t> Reviewer::undecided(int direction) const {
  for (std::int64_t at = position_ + direction; at >= 0 && at < queue().length(); at += direction) {
    if (!isDecided(at) && !reservations_.isTaken(itemAt(at))) {
      return at;
    }
  }
  return std::nullopt;
}

void Reviewer::moveToUndecided(int direction) {
  if (const auto position = undecided(direction)) {
    setPosition(*position);
  }
}

void Reviewer::moveToPutOff() {
  std::optional<std::int64_t> first;
  for (const auto& [item, action] : progress_.putOff()) {
    const auto position = positionOf(item);
    first = position && (!first || *position < *first) ? position : first;
  }
  if (first) {
    setPosition(*first);
  }
}

void Reviewer::showItem(std::int64_t item) {
  if (const auto position = positionOf(item)) {
    setPosition(*position);
  } else if (const auto row = rowOf(item)) {
    visited_row_ = row;
    showAgain();
  }
}

}  // namespace dubito
