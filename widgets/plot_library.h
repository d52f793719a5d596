// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace dubito {

/// Version of the QCustomPlot library, such as "2.1.0".
[[nodiscard]] QString plotLibraryVersion();

}  // namespace dubito
