// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/base/device.h"

namespace dubito {

/// A library that is part of this build.
struct BuiltLibrary {
  QString name;
  QString version;  ///< empty if it does not say
  QString licence;  ///< SPDX name
  QString
      package;  ///< as CMake finds it; empty for those that are not looked for by a package file
};
[[nodiscard]] std::vector<BuiltLibrary> builtLibraries();

/// Version, licence, what `devices` this machine has, the libraries and the images of the demo with
/// their licences.
[[nodiscard]] QString aboutHtml(const DeviceReport& devices);

}  // namespace dubito
