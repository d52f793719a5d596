// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/base/device.h"

namespace dubito {

/// A library used in this build.
struct LinkedLibrary {
  QString name;
  QString version;  ///< empty if unknown
  QString licence;  ///< SPDX identifier
  QString package;  ///< CMake package name; empty for libraries without one
};
[[nodiscard]] std::vector<LinkedLibrary> linkedLibraries();

/// The About text as HTML: version, licence, available `devices`, libraries, and the licences of
/// the demo images.
[[nodiscard]] QString aboutHtml(const DeviceReport& devices);

}  // namespace dubito
