// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>

namespace dubito {

/// The value of a number that is not defined, such as the AUROC of items that are all correct.
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace dubito
