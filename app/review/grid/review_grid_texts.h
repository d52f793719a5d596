// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace dubito {

class ClassPages;
class TileGrid;

/// Images of a page that are still loading.
[[nodiscard]] int loadingTiles(const TileGrid& grid);
/// What stands in place of a page without images.
[[nodiscard]] QString emptyPageText(const ClassPages& pages, bool sorting);
/// What a page holds, after `news`.
[[nodiscard]] QString pageText(const ClassPages& pages, const TileGrid& grid, const QString& news);

}  // namespace dubito
