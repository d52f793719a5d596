// SPDX-License-Identifier: GPL-3.0-or-later
// Rows in a scroll area that is too small for them.
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>

#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

/// A card below this size, in pixels, cannot be read.
constexpr QSize kUnreadable(53 * kGrid, 39 * kGrid);
/// Height of each card in pixels if the page scrolls: a plot of 200 with title and margins.
constexpr int kReadableHeight = 64 * kGrid;

/// The scroll area that contains `rows`; null if there is none.
const QScrollArea* scrollOf(const CardRows& rows) {
  const QWidget* const viewport = rows.parentWidget();
  return viewport == nullptr ? nullptr : qobject_cast<const QScrollArea*>(viewport->parentWidget());
}

/// The parts of a splitter that are not hidden.
std::vector<int> shownParts(const QSplitter& splitter) {
  std::vector<int> shown;
  for (int i = 0; i < splitter.count(); ++i) {
    if (!splitter.widget(i)->isHidden()) {
      shown.push_back(i);
    }
  }
  return shown;
}

/// Room between `count` parts.
int gapsOf(int count, int gap) {
  return std::max(0, count - 1) * gap;
}

int withGaps(int count, int each, int gap) {
  return count * each + gapsOf(count, gap);
}

}  // namespace

CardRows::RowRoom CardRows::roomOf(const Row& row, int width) const {
  const std::vector<int> columns = shownParts(*row.splitter);
  RowRoom room{.is_stacked = false, .cards_below = 0};
  int total = 0;
  for (const int column : columns) {
    total += row.widths[static_cast<std::size_t>(column)];
  }
  const int gaps = gapsOf(static_cast<int>(columns.size()), handleWidth());
  int cards = 0;
  for (const int column : columns) {
    const int share = row.widths[static_cast<std::size_t>(column)];
    room.is_stacked = room.is_stacked ||
                      (columns.size() > 1 && (width - gaps) * share / total < kUnreadable.width());
    const auto* const several = qobject_cast<const QSplitter*>(row.splitter->widget(column));
    const int in_column = several == nullptr ? 1 : static_cast<int>(shownParts(*several).size());
    cards += in_column;
    room.cards_below = std::max(room.cards_below, in_column);
  }
  if (room.is_stacked) {
    room.cards_below = cards;
  }
  return room;
}

bool CardRows::fitRoom() {
  const QScrollArea* const scroll = scrollOf(*this);
  if (scroll == nullptr || !flow_.cards.empty()) {
    return false;
  }
  // As if the scroll bar was there: else it would come and go.
  const int width = scroll->width() - scroll->verticalScrollBar()->sizeHint().width();
  int shown = 0;
  int total = 0;
  for (const Row& row : rows_) {
    if (!row.splitter->isHidden()) {
      ++shown;
      total += row.height;
    }
  }
  const int height = scroll->height() - gapsOf(shown, handleWidth());
  std::vector<RowRoom> rooms;
  bool scrolls = false;
  for (const Row& row : rows_) {
    rooms.push_back(row.splitter->isHidden() || enlarged_ != nullptr ? RowRoom{}
                                                                     : roomOf(row, width));
    const int cards = rooms.back().cards_below;
    scrolls = scrolls || (cards > 0 && height * row.height / total <
                                           withGaps(cards, kUnreadable.height(), handleWidth()));
  }
  bool changed = false;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    QSplitter& row = *rows_[i].splitter;
    const Qt::Orientation orientation = rooms[i].is_stacked ? Qt::Vertical : Qt::Horizontal;
    const int least = scrolls ? withGaps(rooms[i].cards_below, kReadableHeight, handleWidth()) : 0;
    changed = changed || row.orientation() != orientation || row.minimumHeight() != least;
    row.setOrientation(orientation);
    row.setMinimumHeight(least);
  }
  return changed;
}

}  // namespace dubito
