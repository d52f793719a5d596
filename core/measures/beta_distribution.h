// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

/// ln of the density of Beta(a, b) at x in (0, 1). The marginal of class k of Dir(alpha) is Beta(a,
/// b) with a = alpha_k and b the sum of the other alphas (theory, section 6). Computed in Loader's
/// saddle-point form, which is accurate for a and b up to 1e30. Throws std::invalid_argument if a
/// or b is not positive and finite, or x is not in (0, 1).
[[nodiscard]] double betaLogDensity(double a, double b, double x);

/// A quantile x of a Beta distribution, stored as the logarithms of x and 1 - x, because x can be
/// too close to 0 or 1 for a double.
struct BetaQuantile {
  double log_x = 0.0;           ///< ln x, <= 0
  double log_complement = 0.0;  ///< ln(1 - x), <= 0

  [[nodiscard]] double x() const;  ///< 0 if x is too small for a double
};

/// True if `left` is the larger quantile. Compares the logarithms that are more accurate.
[[nodiscard]] bool operator>(const BetaQuantile& left, const BetaQuantile& right);

/// The x with P(X <= x) = p for X ~ Beta(a, b), 0 < p < 1. The relative errors of the logarithms
/// and, within the range of double, of x and 1 - x are at most 1e-9 for a and b from 1e-300 to
/// 1e30, and beyond as long as the logarithms are finite doubles. Uses the leading power of the
/// distribution function near 0 and 1; limits for large parameters (the Gamma distribution if one
/// exceeds 1e12; the normal distribution of logit x with two Cornish-Fisher terms if both exceed
/// 1e6); else the inverse of the incomplete Beta function. Throws std::invalid_argument if a or b
/// is not positive and finite, or p is not in (0, 1).
[[nodiscard]] BetaQuantile betaQuantile(double a, double b, double p);

}  // namespace dubito
