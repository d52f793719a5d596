// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QString;
class QWidget;

namespace dubito {

/// Fixes the width of a widget with text: `width` pixels at the usual size of text, times
/// lookScale(), also when that changes.
void setTextWidth(QWidget& widget, int width);

/// Width of `text` in pixels at the usual size, whatever lookScale() is.
[[nodiscard]] int usualTextWidth(const QString& text);

}  // namespace dubito
