// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>
#include <QString>

#include "widgets/theme.h"

namespace dubito {

/// The Qt palette of a theme, disabled colours included.
[[nodiscard]] QPalette paletteOf(const Theme& theme);

/// The style sheet of the whole application. Widgets ask for a look through dynamic properties:
/// `role` = "primary" (filled button), "quiet" (button that is only text), "muted" (small grey
/// text), "title", "heading", "error".
[[nodiscard]] QString styleSheetOf(const Theme& theme);

}  // namespace dubito
