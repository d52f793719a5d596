// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

class QWidget;

namespace dubito {

/// A command and the keys that carry it out.
struct KeyLine {
  QString keys;     ///< "Ctrl+K", "A, Left"
  QString meaning;  ///< the text of the action
};

/// Every action in `window` that has keys, shortcuts or plain ones (setPlainKeys), each once.
[[nodiscard]] std::vector<KeyLine> keysOf(const QWidget& window);

/// The keys and what the mouse does, for people.
[[nodiscard]] QString keysAsHtml(const QWidget& window);

}  // namespace dubito
