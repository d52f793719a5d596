// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

/// ln of the density of Beta(a, b) at x in (0, 1): the marginal of class k of Dir(alpha) has a =
/// alpha_k and b = the sum of the other alphas (theory, section 6). Computed in Loader's
/// saddle-point form, which is accurate for a and b up to 1e30. Throws std::invalid_argument for
/// anything else.
[[nodiscard]] double betaLogDensity(double a, double b, double x);

/// A quantile x of a Beta distribution, stored as the logarithms of x and 1 - x: either number can
/// be too close to 0 or 1 for a double.
struct BetaQuantile {
  double log_x = 0.0;           ///< ln x, <= 0
  double log_complement = 0.0;  ///< ln(1 - x), <= 0

  [[nodiscard]] double x() const;  ///< 0 if below the range of double
};

/// Whether the first quantile is larger, by the logarithm that is more accurate.
[[nodiscard]] bool operator>(const BetaQuantile& left, const BetaQuantile& right);

/// The x with P(X <= x) = p for X ~ Beta(a, b), 0 < p < 1, to a relative 1e-9 (of x or 1 - x where
/// the logarithm is large) for a and b from 1e-300 to 1e30, and beyond as long as the logarithm
/// fits a double. Uses the leading power of the distribution function near 0 and 1; limits for
/// large parameters (the Gamma distribution if one exceeds 1e12; the normal distribution of logit x
/// with two Cornish-Fisher terms if both exceed 1e6); else the inverse of the incomplete Beta
/// function. Throws std::invalid_argument for anything else.
[[nodiscard]] BetaQuantile betaQuantile(double a, double b, double p);

}  // namespace dubito
