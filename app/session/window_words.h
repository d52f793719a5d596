// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

namespace dubito {

/// Rewrites a message of core for the window. Command-line options are replaced with the labels of
/// the Compute panel ("--layers last" with "Layers: last"), and dataset options with the names of
/// choosers and menus ("?role=calibration" with "the role calibration"). Other text stays
/// unchanged.
[[nodiscard]] std::string withWindowLabels(const std::string& message);

/// withWindowLabels() as a QString.
[[nodiscard]] inline QString windowText(const std::string& message) {
  return QString::fromStdString(withWindowLabels(message));
}

}  // namespace dubito
