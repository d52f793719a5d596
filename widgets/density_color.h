// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace dubito {

/// The colour of a density or count at `share` in [0, 1] of the scale (viridis: even steps look
/// even, in grey and to colour-blind eyes too); clamped. The same in both themes.
[[nodiscard]] QColor densityColor(double share);

/// What is legible on densityColor(share).
[[nodiscard]] QColor onDensityColor(double share);

}  // namespace dubito
