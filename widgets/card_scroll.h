// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

class QScrollArea;
class QWidget;

namespace dubito {

/// The smallest plot that can be read, in pixels: what has no room for it scrolls.
inline constexpr QSize kMinReadablePlot(260, 180);

/// A scroll area around `content` that looks like a part of the card in which it lies: no frame, no
/// background of its own, no horizontal bar. Takes ownership of `content`, which is best filled
/// afterwards: Qt styles all that a widget contains again when its parent changes.
[[nodiscard]] QScrollArea* makeCardScroll(QWidget* content, QWidget* parent);

}  // namespace dubito
