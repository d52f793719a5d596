// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace dubito {

class ClassPages;
class Reviewer;
class TileGrid;

/// Images of a page that are still loading.
[[nodiscard]] int loadingTiles(const TileGrid& grid);
/// The text in place of a page without images.
[[nodiscard]] QString emptyPageText(const ClassPages& pages, bool sorting);
/// What was taken back, how many images are decided, and what the page holds.
[[nodiscard]] QString pageText(const ClassPages& pages, const TileGrid& grid,
                               const Reviewer& reviewer);

}  // namespace dubito
