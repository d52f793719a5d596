// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

namespace dubito {

/// Rewrites a message of core for the window: command-line options become labels of the Compute
/// panel ("--layers last": "Layers: last"), and ways to specify data become choosers and menus
/// ("?role=calibration": "the role calibration"). Other texts stay unchanged.
[[nodiscard]] std::string withWindowLabels(const std::string& message);

/// The same for a widget.
[[nodiscard]] inline QString windowText(const std::string& message) {
  return QString::fromStdString(withWindowLabels(message));
}

}  // namespace dubito
