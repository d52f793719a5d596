// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace dubito {

/// Viridis colour of a density or count at `share` of the scale, clamped to [0, 1]: perceptually
/// uniform and safe for colour-blind readers. The same in both themes.
[[nodiscard]] QColor densityColor(double share);

/// A legible text colour on densityColor(share).
[[nodiscard]] QColor onDensityColor(double share);

}  // namespace dubito
