// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QImage>

#include "core/base/array.h"

namespace dubito {

struct Theme;

/// Colours of pixels that speak for a class and against it, over a grey picture.
struct SignColors {
  QColor positive;
  QColor negative;
};
[[nodiscard]] SignColors signColors(const Theme& theme);

/// A map [H, W] of signed numbers as colours to draw over a picture, those of signColors(). The
/// opacity grows with the absolute value, up to `opacity` in [0, 1] at its 99 % quantile, so that a
/// few large numbers do not hide the others. A null image if the map is empty.
[[nodiscard]] QImage signedMapImage(const Array<float>& map, const Theme& theme, double opacity);

/// `picture` in greys between dark and light, so that colours on it can be told apart everywhere,
/// with `overlay` drawn over it.
[[nodiscard]] QImage withSignedMap(const QImage& picture, const QImage& overlay);

}  // namespace dubito
