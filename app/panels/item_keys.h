// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>

class QKeyEvent;

namespace dubito {

class Session;

/// Keys for the previous and the next item.
[[nodiscard]] QList<Qt::Key> previousItemKeys();
[[nodiscard]] QList<Qt::Key> nextItemKeys();

/// Moves the session's primary item on those keys; returns false for other keys.
[[nodiscard]] bool stepItems(Session& session, const QKeyEvent& event);

}  // namespace dubito
