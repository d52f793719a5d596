// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/labs/methods/regression_method.h"

namespace dubito {

/// All methods of the regression laboratory, in the order of lists.
[[nodiscard]] const std::vector<RegressionMethodInfo>& regressionMethods();

/// nullptr if there is no such method.
[[nodiscard]] const RegressionMethodInfo* findRegressionMethod(std::string_view key);

}  // namespace dubito
