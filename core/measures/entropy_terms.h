// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace dubito {

/// Writes -p log p of `count` numbers; 0 where p <= 0, NaN where p is NaN. Each result depends on
/// its number alone. Relative error a few 1e-16.
void entropyTerms(const double* probs, std::size_t count, double* terms);
void entropyTerms(const float* probs, std::size_t count, double* terms);

}  // namespace dubito
