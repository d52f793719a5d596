// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>

class QKeyEvent;

namespace dubito {

class Session;

/// The keys that go to the previous and to the next item.
[[nodiscard]] QList<Qt::Key> previousItemKeys();
[[nodiscard]] QList<Qt::Key> nextItemKeys();

/// Moves the session's primary item if the key does so. False for any other key.
[[nodiscard]] bool walkItems(Session& session, const QKeyEvent& event);

}  // namespace dubito
