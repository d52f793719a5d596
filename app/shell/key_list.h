// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

class QWidget;

namespace dubito {

/// A command and its keys.
struct KeyLine {
  QString keys;     ///< "Ctrl+K", "A, Left"
  QString meaning;  ///< text of the action
};

/// All actions in `window` that have shortcuts or plain keys (setPlainKeys), without duplicates.
[[nodiscard]] std::vector<KeyLine> keysOf(const QWidget& window);

/// The list of keys and mouse actions as HTML.
[[nodiscard]] QString keysAsHtml(const QWidget& window);

}  // namespace dubito
