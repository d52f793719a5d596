// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/plot_values.h"

namespace dubito {

/// Wilson's 95 % score interval of successes/n. Its lower end is exactly 0 if successes = 0, its
/// upper end exactly 1 if successes = n; both are NaN if n = 0.
[[nodiscard]] Interval wilson95(std::int64_t successes, std::int64_t n);

}  // namespace dubito
