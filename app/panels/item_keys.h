// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QKeyEvent;

namespace dubito {

class Session;

/// Moves the session's primary item if the key does so: A and Left to the previous one, D and Right
/// to the next. False for any other key.
[[nodiscard]] bool walkItems(Session& session, const QKeyEvent& event);

}  // namespace dubito
