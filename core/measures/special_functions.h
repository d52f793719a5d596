// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

// Functions of the gamma family for x > 0, accurate from 1e-300 to 1e30. They return NaN for other
// x, infinity on overflow, and do not write global state (as std::lgamma does).

/// psi(x), the derivative of log Gamma.
[[nodiscard]] double digamma(double x);

/// psi'(x).
[[nodiscard]] double trigamma(double x);

/// log Gamma(x).
[[nodiscard]] double logGamma(double x);

/// ln Gamma(x) - (x - 1/2) ln x + x - ln(2 pi)/2, by Stirling's series for large x.
[[nodiscard]] double stirlingTail(double x);

/// psi(x + d) - psi(x) for d >= 0, without cancellation for d much smaller than x.
[[nodiscard]] double digammaDifference(double x, double d);

/// h(x) = psi(x + 1) - ln x. Uses a series for large x, where the two terms would cancel.
[[nodiscard]] double digammaExcess(double x);

/// h(x) - h(x + d) for d >= 0, without cancellation for d much smaller than x.
[[nodiscard]] double digammaExcessDrop(double x, double d);

/// g(x) = ln Gamma(x) - (x - 1) psi(x) + x. Uses a series for large x. The differential entropy of
/// a Dirichlet is a sum of such terms (theory, section 2).
[[nodiscard]] double gammaEntropyTerm(double x);

/// count ln(count / expected) + expected - count for positive, finite values: 0 if they are equal,
/// else positive, without cancellation if they are close. Log densities in Loader's saddle-point
/// form are sums of such terms.
[[nodiscard]] double deviance(double count, double expected);

}  // namespace dubito
