// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/plot_values.h"

namespace dubito {

/// Clopper and Pearson's upper bound on an error rate, computed from `errors` errors in `n`
/// independent items: the true error rate is below the bound with probability at least
/// `confidence`. In (0, 1]; 1 if every item is wrong or there are no items. Throws
/// std::invalid_argument for errors outside [0, n] or a confidence outside (0, 1).
[[nodiscard]] double clopperPearsonUpper(std::int64_t errors, std::int64_t n, double confidence);

/// Clopper and Pearson's exact two-sided interval of a share of which `count` of `n` independent
/// items were counted; [0, 1] without items. Throws like clopperPearsonUpper.
[[nodiscard]] Interval clopperPearson(std::int64_t count, std::int64_t n, double confidence);

}  // namespace dubito
