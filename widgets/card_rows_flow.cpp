// SPDX-License-Identifier: GPL-3.0-or-later
// Cards that share rows, as many as fit.
#include <algorithm>
#include <iterator>

#include "widgets/card.h"
#include "widgets/card_rows.h"

namespace dubito {

void CardRows::addFlow(int height, const std::vector<Card*>& cards, int min_width) {
  flow_ = {.first_row = rows_.size(), .cards = cards, .min_width = min_width};
  for (Card* const card : cards) {
    QSplitter* const row = makePart(Qt::Horizontal, objectName() + QString::number(rows_.size()));
    addCard(*card, *row);
    insertWidget(static_cast<int>(rows_.size()), row);
    rows_.push_back({row, height, std::vector<int>(cards.size(), 1)});
  }
  reset();
}

int CardRows::flowCardWidth() const {
  int width = flow_.min_width;
  for (const Card* const card : flow_.cards) {
    if (place(*card) == CardPlace::kDocked) {
      width = std::max(width, card->minimumSizeHint().width());
    }
  }
  return width;
}

int CardRows::columnsFor(int cards) const {
  const int gap = handleWidth();
  const int fitting = std::max(1, (width() + gap) / (flowCardWidth() + gap));
  // Rows of about the same length: 2 + 2 cards instead of 3 + 1.
  const int rows = std::max(1, (cards + fitting - 1) / fitting);
  return std::max(1, (cards + rows - 1) / rows);
}

bool CardRows::arrangeFlow() {
  if (flow_.cards.empty()) {
    return false;
  }
  std::vector<const Card*> docked;
  std::ranges::copy_if(flow_.cards, std::back_inserter(docked),
                       [this](const Card* card) { return place(*card) == CardPlace::kDocked; });
  const int columns = columnsFor(static_cast<int>(docked.size()));
  if (columns != flow_.columns && flow_.was_visible) {
    sizes_kept_ = false;  // those of the last session hold for the first arrangement that is seen
  }
  flow_.was_visible = flow_.was_visible || isVisible();
  if (columns == flow_.columns && docked == flow_.docked) {
    return false;
  }
  const auto first = flow_.first_row;
  std::size_t position = 0;
  for (Card* const card : flow_.cards) {
    Slot& slot = *std::ranges::find(slots_, card, &Slot::card);
    const std::size_t row = first + position / static_cast<std::size_t>(columns);
    slot.holder = rows_[std::min(row, rows_.size() - 1)].splitter;
    slot.holder->addWidget(slot.placeholder ? slot.placeholder.get() : card);
    position += slot.place == CardPlace::kDocked ? 1 : 0;
  }
  for (std::size_t row = first; row < rows_.size(); ++row) {
    rows_[row].splitter->setSizes(QList<int>(rows_[row].splitter->count(), kUnit));
  }
  flow_.columns = columns;
  flow_.docked = std::move(docked);
  return true;
}

QSize CardRows::minimumSizeHint() const {
  QSize size = QSplitter::minimumSizeHint();
  if (flow_.cards.empty()) {
    return size;
  }
  int width = flowCardWidth();
  for (std::size_t row = 0; row < flow_.first_row; ++row) {
    if (!rows_[row].splitter->isHidden()) {
      width = std::max(width, rows_[row].splitter->minimumSizeHint().width());
    }
  }
  size.setWidth(std::min(size.width(), width));
  return size;
}

}  // namespace dubito
