// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace dubito {

/// For every element the sum of all others. Taking it from the total would leave 0 beside 1e30.
[[nodiscard]] std::vector<double> sumsOfOthers(std::span<const double> values);

}  // namespace dubito
