// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>

class QKeyEvent;

namespace dubito {

class Session;

/// Keys that move to the previous and to the next item.
[[nodiscard]] QList<Qt::Key> previousItemKeys();
[[nodiscard]] QList<Qt::Key> nextItemKeys();

/// Moves to the previous or next item if `event` is one of these keys; returns false for other
/// keys.
[[nodiscard]] bool stepItems(Session& session, const QKeyEvent& event);

/// Key that shows or hides the pixels that matter.
[[nodiscard]] Qt::Key whyKey();

}  // namespace dubito
