// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace dubito {

/// Writes -p log p of `count` numbers; 0 where p <= 0, NaN where p is NaN. Each result depends on
/// its number alone. Relative error a few 1e-16.
void entropyTerms(const double* probs, std::size_t count, double* terms);
void entropyTerms(const float* probs, std::size_t count, double* terms);

/// Replaces each of the `values` <= 700 by its exponential; NaN stays NaN. Each result depends on
/// its number alone. Relative error a few 1e-16 for values >= -700; below, absolute error 1e-304.
void exponentials(std::span<double> values);

}  // namespace dubito
