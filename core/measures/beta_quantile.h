// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

/// A quantile x of a Beta distribution by the logarithms of x and of 1 - x: one of the two numbers
/// can be too close to 0, or to 1, for a double.
struct BetaQuantile {
  double log_x = 0.0;           ///< ln x, <= 0
  double log_complement = 0.0;  ///< ln(1 - x), <= 0

  [[nodiscard]] double x() const;  ///< 0 where it is below the range of double
};

/// Whether the first quantile is larger, by whichever logarithm has the digits.
[[nodiscard]] bool operator>(const BetaQuantile& left, const BetaQuantile& right);

/// The x with P(X <= x) = p for X ~ Beta(a, b), 0 < p < 1, to 1e-9 relative (of x or 1 - x where
/// the logarithm is large) for a and b from 1e-300 to 1e30, and beyond as far as the logarithm has
/// a double. By the leading power of the distribution function near 0 and 1, by limits where a or b
/// exceeds 1e6 (the Gamma distribution of the smaller one; with both that large the normal
/// distribution of logit x with two terms of Cornish and Fisher's series), else by inverting the
/// incomplete Beta function. Throws std::invalid_argument for anything else.
[[nodiscard]] BetaQuantile betaQuantile(double a, double b, double p);

}  // namespace dubito
