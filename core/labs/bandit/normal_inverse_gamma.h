// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace dubito {

/// Bayesian linear regression with unknown noise, one observation at a time. The prior is
/// w | s^2 ~ N(0, s^2 / lambda I) and s^2 ~ inverse gamma(a, b); after n observations (phi, y)
///   precision = lambda I + sum phi phi^T   (of w, in units of 1 / s^2)
///   mean      = precision^-1 sum y phi
///   shape     = a + n/2
///   rate      = b + (sum y^2 - mean^T precision mean) / 2.
class NormalInverseGamma {
 public:
  /// `weights` D >= 1; `prior_precision` lambda > 0, `shape` a >= 1 and `rate` b > 0.
  NormalInverseGamma(std::int64_t weights, double prior_precision, double shape, double rate);
  ~NormalInverseGamma();
  NormalInverseGamma(NormalInverseGamma&& other) noexcept;
  NormalInverseGamma& operator=(NormalInverseGamma&& other) noexcept;

  /// Adds an observation with features `phi` [D].
  void add(std::span<const double> phi, double y);
  /// Back to the prior.
  void clear();

  [[nodiscard]] std::vector<double> mean() const;
  /// phi^T precision^-1 phi: the variance of phi^T w in units of s^2.
  [[nodiscard]] double relativeVariance(std::span<const double> phi) const;
  [[nodiscard]] double shape() const;
  [[nodiscard]] double rate() const;
  /// phi^T w for a draw of (s^2, w) from the posterior, a function of (seed, stream, draw).
  [[nodiscard]] double drawAt(std::span<const double> phi, std::uint64_t seed, std::uint64_t stream,
                              std::uint32_t draw) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dubito
