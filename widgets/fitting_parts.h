// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetrics>
#include <QString>

namespace dubito {

/// As many of the parts of `text` that " · " separates as fit into `width` pixels, from the first
/// on: a line that is too long loses whole statements, not the middle of one. Where not even the
/// first fits it is elided.
[[nodiscard]] QString fittingParts(const QString& text, const QFontMetrics& metrics, int width);

}  // namespace dubito
