// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace dubito {

/// Clopper and Pearson's upper bound on an error rate: with probability at least `confidence`, the
/// true error rate, given `errors` errors in `n` independent items, lies below it. In (0, 1]; 1 if
/// every item is wrong or there are no items. Throws std::invalid_argument for errors outside of
/// [0, n] and a confidence outside of (0, 1).
[[nodiscard]] double clopperPearsonUpper(std::int64_t errors, std::int64_t n, double confidence);

}  // namespace dubito
