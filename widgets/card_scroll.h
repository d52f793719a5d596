// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QScrollArea;
class QWidget;

namespace dubito {

/// A scroll area around `content` that looks like a part of the card in which it lies: no frame, no
/// background of its own, no horizontal bar. Takes ownership of `content`.
[[nodiscard]] QScrollArea* makeCardScroll(QWidget* content, QWidget* parent);

}  // namespace dubito
