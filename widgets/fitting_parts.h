// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetrics>
#include <QString>

namespace dubito {

/// Shortens `text`, which consists of parts separated by " · ", to the leading parts that fit into
/// `width` pixels. If not even the first part fits, elides that part.
[[nodiscard]] QString fittingParts(const QString& text, const QFontMetrics& metrics, int width);

}  // namespace dubito
