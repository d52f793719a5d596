// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/labels/class_pages.h"

#include <algorithm>
#include <span>
#include <utility>

#include "app/review/reviewer.h"

namespace dubito {
namespace {

/// A page whose size is being changed is reserved once.
constexpr int kReserveDelay = 100;  // milliseconds

}  // namespace

ClassPages::ClassPages(Reviewer& reviewer, QObject* parent)
    : QObject(parent), reviewer_(reviewer), job_(thread_) {
  reserve_timer_.setSingleShot(true);
  reserve_timer_.setInterval(kReserveDelay);
  connect(&reserve_timer_, &QTimer::timeout, this, &ClassPages::reserve);
  const LabelFile& file = reviewer_.file();
  connect(&file, &LabelFile::recorded, this, [this](const std::vector<std::int64_t>& items) {
    if (ready() && active_ && !items.empty()) {
      begin_of_step_[items.front()] = begin_;
    }
    Q_EMIT labelsChanged();
  });
  connect(&file, &LabelFile::stepReverted, this, &ClassPages::takeReverted);
  connect(&file, &LabelFile::reloaded, this, &ClassPages::countDecided);
  connect(&file, &LabelFile::updated, this, &ClassPages::updateDecided);
  connect(&file, &LabelFile::changed, this, &ClassPages::labelsChanged);
  connect(&file, &LabelFile::reserved, this, &ClassPages::takeReserved);
}

bool ClassPages::ready() const {
  return reviewer_.analysis() != nullptr && number_ == reviewer_.reviewQueue().number();
}

bool ClassPages::hidden() const {
  const auto& ids = reviewer_.queue().ids;
  return !ids.empty() && std::ranges::all_of(ids, [this](std::int64_t item) {
    return reviewer_.hidesSuggestionOf(item);
  });
}

void ClassPages::setActive(bool active) {
  active_ = active;
  if (active) {
    update();
    showAgain();
  }
}

void ClassPages::update() {
  if (!reviewer_.active() || ready()) {
    return;
  }
  class_ = -1;
  rows_.clear();
  left_out_.clear();
  begin_of_step_.clear();
  Q_EMIT pageChanged();
  if (wanted_number_ == reviewer_.reviewQueue().number()) {
    return;
  }
  wanted_number_ = reviewer_.reviewQueue().number();
  job_.submit<ClassLists>(
      tr("Sorting the images"), JobSettings(),
      [run = reviewer_.analysis()->in().run, rows = reviewer_.queue().rows](
          RunContext&) -> Expected<ClassLists> { return ClassLists(*run, rows); },
      this,
      [this, number = wanted_number_](Expected<ClassLists> lists) {
        if (lists && number == reviewer_.reviewQueue().number() && reviewer_.active()) {
          number_ = number;
          takeLists(std::move(*lists));
        }
      });
}

void ClassPages::takeLists(ClassLists lists) {
  lists_ = std::move(lists);
  markDecided();
  if (const auto largest = lists_.largestClass()) {
    showClass(*largest);
  } else {
    Q_EMIT pageChanged();
  }
}

void ClassPages::countDecided() {
  if (ready()) {
    markDecided();
    Q_EMIT labelsChanged();
  }
}

void ClassPages::markDecided() {
  lists_.setAllUndecided();
  for (const std::int64_t item : reviewer_.decidedItems()) {
    if (const auto row = reviewer_.rowOf(item)) {
      lists_.setDecided(*row, true);
    }
  }
}

void ClassPages::updateDecided(const std::vector<std::int64_t>& items) {
  if (!ready()) {
    return;
  }
  for (const std::int64_t item : items) {
    if (const auto row = reviewer_.rowOf(item)) {
      lists_.setDecided(*row, reviewer_.decidedItems().contains(item));
    }
  }
}

void ClassPages::takeReverted(const std::vector<std::int64_t>& items) {
  if (!ready()) {
    return;
  }
  std::optional<std::int64_t> first;
  bool on_page = !items.empty();
  for (const std::int64_t item : items) {
    const auto row = reviewer_.rowOf(item);
    on_page = on_page && row && std::ranges::find(rows_, *row) != rows_.end();
    if (row && lists_.contains(*row)) {
      first = !first || lists_.positionOf(*row) < lists_.positionOf(*first) ? *row : *first;
    }
  }
  if (!active_ || on_page) {
    Q_EMIT labelsChanged();
  } else if (!first) {
    Q_EMIT noticed(tr("The step was about images of another list; One by one shows them."));
  } else {
    class_ = lists_.classOf(*first);
    const auto begin = begin_of_step_.find(items.front());
    const std::int64_t position = lists_.positionOf(*first);
    show(begin == begin_of_step_.end() ? position : std::min(begin->second, position),
         ClassLists::Direction::kForwards);
  }
}

void ClassPages::takeReserved(const std::vector<std::int64_t>& requested,
                              const std::vector<std::int64_t>& granted) {
  if (!ready()) {
    return;
  }
  if (rows_.empty() || requested.size() != rows_.size() ||
      requested.front() != itemOf(rows_.front())) {
    return;  // reserved for something else
  }
  elsewhere_ = {requested.begin(), requested.end()};
  for (const std::int64_t item : granted) {
    elsewhere_.erase(item);
  }
  Q_EMIT labelsChanged();
}

bool ClassPages::isElsewhere(std::int64_t row) const {
  return elsewhere_.contains(itemOf(row));
}

void ClassPages::setCapacity(int capacity) {
  if (std::exchange(capacity_, capacity) != capacity) {
    showAgain();
  }
}

void ClassPages::showClass(std::int64_t k) {
  class_ = k;
  show(0, ClassLists::Direction::kForwards);
}

std::optional<std::int64_t> ClassPages::largestClass() const {
  return lists_.largestClass();
}

void ClassPages::turn(int direction) {
  if (class_ < 0) {
    return;
  }
  if (direction > 0) {
    show(end_, ClassLists::Direction::kForwards);
  } else if (!find(begin_, ClassLists::Direction::kBackwards).empty()) {
    show(begin_, ClassLists::Direction::kBackwards);
  }
}

void ClassPages::showAgain() {
  if (ready() && class_ >= 0) {
    show(begin_, ClassLists::Direction::kForwards);
  }
}

std::vector<std::int64_t> ClassPages::find(std::int64_t from,
                                           ClassLists::Direction direction) const {
  return lists_.page(class_, from, capacity_, direction,
                     [this](std::int64_t row) { return reviewer_.hidesSuggestionOf(itemOf(row)); });
}

void ClassPages::show(std::int64_t from, ClassLists::Direction direction) {
  const std::vector<std::int64_t> positions = find(from, direction);
  const std::span<const std::int64_t> all = lists_.rows(class_);
  std::vector<std::int64_t> rows;
  for (const std::int64_t position : positions) {
    rows.push_back(all[static_cast<std::size_t>(position)]);
  }
  begin_ =
      positions.empty() ? std::clamp<std::int64_t>(from, 0, std::ssize(all)) : positions.front();
  end_ = positions.empty() ? begin_ : positions.back() + 1;
  if (std::exchange(rows_, rows) != rows) {
    elsewhere_.clear();
    reserve_timer_.start();
    if (active_) {
      reviewer_.suggestionsShown(rows_);
    }
  }
  Q_EMIT pageChanged();
}

std::vector<std::int64_t> ClassPages::nextRows() const {
  std::vector<std::int64_t> rows;
  if (ready() && class_ >= 0) {
    for (const std::int64_t position : find(end_, ClassLists::Direction::kForwards)) {
      rows.push_back(lists_.rows(class_)[static_cast<std::size_t>(position)]);
    }
  }
  return rows;
}

void ClassPages::reserve() {
  std::vector<std::int64_t> items;
  for (const std::int64_t row : rows_) {
    items.push_back(itemOf(row));
  }
  if (active_ && !items.empty() && ready() && reviewer_.active()) {
    const std::int64_t count = std::ssize(items);
    reviewer_.file().reserve(std::move(items), count);
  }
}

void ClassPages::leaveOut(const std::vector<std::int64_t>& marked,
                          const std::vector<std::int64_t>& unmarked) {
  for (const std::int64_t row : unmarked) {
    std::erase(left_out_, row);
  }
  for (const std::int64_t row : marked) {
    if (!wasLeftOut(row)) {
      left_out_.push_back(row);
    }
  }
}

bool ClassPages::wasLeftOut(std::int64_t row) const {
  return std::ranges::find(left_out_, row) != left_out_.end();
}

std::vector<std::int64_t> ClassPages::leftOut() const {
  std::vector<std::int64_t> rows;
  std::ranges::copy_if(left_out_, std::back_inserter(rows), [this](std::int64_t row) {
    return !lists_.isDecided(row) && std::ranges::find(rows_, row) == rows_.end();
  });
  return rows;
}

std::int64_t ClassPages::itemOf(std::int64_t row) const {
  return reviewer_.analysis()->in().run->ids.data()[row];
}

std::int64_t ClassPages::labelOf(std::int64_t k) const {
  return mergedClass(reviewer_.file().classes(), k);
}

QString ClassPages::nameOf(std::int64_t k) const {
  const LabelClass* const entry = findClass(reviewer_.file().classes(), labelOf(k));
  return entry != nullptr ? QString::fromStdString(entry->name) : QString::number(k);
}

}  // namespace dubito
