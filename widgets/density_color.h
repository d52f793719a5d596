// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace dubito {

/// Viridis colour at the fraction `share` of the scale, clamped to [0, 1]. Viridis is perceptually
/// uniform and safe for colour-blind readers. Both themes use the same colours.
[[nodiscard]] QColor densityColor(double share);

/// A text colour that is legible on densityColor(share).
[[nodiscard]] QColor onDensityColor(double share);

}  // namespace dubito
