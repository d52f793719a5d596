// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetrics>
#include <QString>

namespace dubito {

/// The leading parts of `text`, separated by " · ", that fit into `width` pixels: a long line loses
/// whole statements instead of being cut mid-word. If not even the first part fits, it is elided.
[[nodiscard]] QString fittingParts(const QString& text, const QFontMetrics& metrics, int width);

}  // namespace dubito
