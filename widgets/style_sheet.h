// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>
#include <QString>

#include "widgets/theme.h"

class QWidget;

namespace dubito {

/// The Qt palette of a theme, including the colours of disabled widgets.
[[nodiscard]] QPalette paletteOf(const Theme& theme);

/// The application style sheet. Widgets select a style with the dynamic property `role`: "primary"
/// (filled button), "quiet" (text-only button), "muted" (small grey text), "title", "heading",
/// "error".
[[nodiscard]] QString styleSheetOf(const Theme& theme, double text_scale);

/// The style sheet of a banner, which must have its object name: a panel with a stripe at its left.
[[nodiscard]] QString bannerSheet(const QWidget& banner, const QColor& stripe);

/// Makes a widget, which must have its object name, look like a banner in the present theme and in
/// later ones: a panel with a stripe of a colour at its left.
void styleAsBanner(QWidget& banner, QColor Theme::*stripe);

}  // namespace dubito
