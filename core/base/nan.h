// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>

namespace dubito {

/// The value of an undefined metric, such as the AUROC if all predictions are correct.
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace dubito
