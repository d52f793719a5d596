// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/plot_values.h"
#include "core/io/run.h"

namespace dubito {

/// Central interval of the probability of class `k` for item `i` that contains `level`, in (0, 1),
/// of its Beta marginal (theory, section 6). The Dirichlet is that of the run, or matches the
/// moments of its draws (RunDirichlets). Nothing if the run has neither, or fewer than two classes.
[[nodiscard]] std::optional<Interval> probabilityInterval(const Run& run, std::int64_t i,
                                                          std::int64_t k, double level = 0.95);

}  // namespace dubito
