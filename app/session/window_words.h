// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

namespace dubito {

/// A message of core in the words of the window: options of the command line become the labels of
/// the Compute panel ("--layers last": "Layers: last"), data that the command line names become the
/// choosers and menus where they are named here ("?role=calibration": "the role calibration in the
/// dataset's menu"). Other texts come back unchanged.
[[nodiscard]] std::string withWindowLabels(const std::string& message);

/// The same for a widget.
[[nodiscard]] inline QString windowText(const std::string& message) {
  return QString::fromStdString(withWindowLabels(message));
}

}  // namespace dubito
