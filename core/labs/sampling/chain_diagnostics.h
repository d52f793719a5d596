// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/array.h"

namespace dubito {

// Convergence of Markov chains, by the formulas of Vehtari, Gelman, Simpson, Carpenter and Buerkner
// (2021) as in ArviZ. `chains` [C, N]: one scalar in N successive states of C chains. Chains are
// split into halves (the middle state is dropped if N is odd). Results are NaN if N < 4, if any
// value is not finite or, for R-hat, if C < 2. If all values are equal, R-hat is NaN (0/0), an
// effective sample size is C N and the standard error 0: such numbers show no convergence, only
// that nothing moved.

/// Split R-hat: sqrt of the pooled variance over the mean variance within half chains; near 1 if
/// they agree.
[[nodiscard]] double splitRhat(const Array<double>& chains);
/// Rank-normalised split R-hat: the larger one of the values and of their distances from the median
/// (bulk and folded).
[[nodiscard]] double rankRhat(const Array<double>& chains);

/// Effective sample size for the mean.
[[nodiscard]] double essMean(const Array<double>& chains);
/// Effective sample size of the rank-normalised values.
[[nodiscard]] double essBulk(const Array<double>& chains);
/// The smaller effective sample size of the quantiles 5 % and 95 %.
[[nodiscard]] double essTail(const Array<double>& chains);
/// Monte Carlo standard error of the mean: standard deviation over sqrt(essMean).
[[nodiscard]] double mcseMean(const Array<double>& chains);

/// Autocorrelation at lags 0 .. max_lag (fewer if half a chain is shorter) as in the effective
/// sample size: of the half chains about their means, and the differences between these means count
/// as correlation that never falls. So chains that stay where they are have 1 at every lag, though
/// each of them varies about its own mean. Empty for fewer than 4 states; NaN if nothing varies.
[[nodiscard]] std::vector<double> pooledAutocorrelation(const Array<double>& chains,
                                                        std::int64_t max_lag);

/// Autocorrelation of one chain at lags 0 .. max_lag (fewer if the chain is shorter), with sums
/// over N - lag products divided by N. Empty for fewer than 2 values; NaN for constant values.
[[nodiscard]] std::vector<double> autocorrelation(std::span<const double> values,
                                                  std::int64_t max_lag);

}  // namespace dubito
