// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>

namespace dubito {

/// Value of an undefined number, such as the AUROC if all items are correct.
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace dubito
