// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/grid/review_grid_texts.h"

#include <algorithm>

#include "app/review/grid/review_grid.h"
#include "app/review/labels/class_pages.h"
#include "app/review/reviewer.h"
#include "widgets/number_text.h"
#include "widgets/tile_grid.h"

namespace dubito {

int loadingTiles(const TileGrid& grid) {
  int loading = 0;
  for (int index = 0; index < static_cast<int>(grid.tiles().size()); ++index) {
    loading += grid.isLoading(index) ? 1 : 0;
  }
  return loading;
}

QString emptyPageText(const ClassPages& pages, bool sorting) {
  if (!pages.ready() || sorting) {
    return ReviewGrid::tr("Sorting the images…");
  }
  if (pages.hidden()) {
    return ReviewGrid::tr(
        "These pages show images with the same suggestion, so they would tell it. Show the "
        "suggestion again, or choose One by one.");
  }
  if (!pages.largestClass()) {
    return ReviewGrid::tr("Nothing left in this list. Choose another one.");
  }
  if (pages.shownClass() < 0) {
    return ReviewGrid::tr("There are undecided images in this list again.");
  }
  const QString name = pages.nameOf(pages.shownClass());
  const std::int64_t left = pages.lists().undecidedCount(pages.shownClass());
  return left == 0 ? ReviewGrid::tr("All images suggested as %1 are decided.").arg(name)
                   : ReviewGrid::tr("End of the images suggested as %1. Not decided: %2")
                         .arg(name, countText(left));
}

QString pageText(const ClassPages& pages, const TileGrid& grid, const Reviewer& reviewer) {
  const QString separator = QStringLiteral(" · ");
  QStringList parts;
  if (!reviewer.revertedText().isEmpty()) {
    parts << reviewer.revertedText();
  }
  if (reviewer.active()) {
    parts << ReviewGrid::tr("%1 of %2 decided")
                 .arg(countText(reviewer.decidedInRun()),
                      countText(reviewer.analysis()->in().run->itemCount()));
  }
  if (pages.rows().empty()) {
    return parts.join(separator);
  }
  int unreadable = 0;
  for (int index = 0; index < static_cast<int>(grid.tiles().size()); ++index) {
    unreadable += grid.isUnreadable(index) ? 1 : 0;
  }
  const auto open = std::ranges::count_if(
      pages.rows(), [&](std::int64_t row) { return !pages.lists().isDecided(row); });
  parts << ReviewGrid::tr("%1 of %2 that are left of “%3”")
               .arg(countText(open), countText(pages.lists().undecidedCount(pages.shownClass())),
                    pages.nameOf(pages.shownClass()));
  if (const auto marked = grid.seenTiles(true).size(); marked > 0) {
    parts << ReviewGrid::tr("%1 marked").arg(marked);
  }
  if (const int loading = loadingTiles(grid); loading > 0) {
    parts << ReviewGrid::tr("%1 loading").arg(loading);
  }
  if (unreadable > 0) {
    parts << ReviewGrid::tr("%1 cannot be read").arg(unreadable);
  }
  return parts.join(separator);
}

}  // namespace dubito
