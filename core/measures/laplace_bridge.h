// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dubito {

/// Transformation of a Gaussian over logits before it is converted to a Dirichlet (theory, section
/// 6).
enum class BridgeVariant {
  /// Centred: mu <- P mu, Sigma <- P Sigma P with P = I - 11'/K, which does not change the
  /// distribution of softmax(z).
  kCentred,
  /// Conditioned on a zero sum of the logits; generally changes the distribution of softmax(z).
  kConditioned,
  /// Conditioned, then with c = mean_k Sigma_kk / sqrt(K/2): mu / sqrt(c), Sigma_kk / c.
  kNormalised,
  /// The diagonal of Sigma, unchanged.
  kRaw,
};

/// "bridge-centred", "bridge", "bridge-norm", "bridge-raw".
[[nodiscard]] std::string_view bridgeVariantName(BridgeVariant variant);
[[nodiscard]] std::optional<BridgeVariant> bridgeVariantFromName(std::string_view name);

/// What the bridge needs from a covariance of K logits.
struct CovarianceSums {
  std::vector<double> variance;  ///< [K], the diagonal
  std::vector<double> row_sum;   ///< [K], Sigma 1
  double total = 0.0;            ///< 1' Sigma 1
  bool is_diagonal = false;      ///< Sigma = diag(variance): no cancellation
  /// Relative rounding error of the covariance's elements. After centring, a variance is clamped
  /// from below at this fraction of the class's original variance; a total below 4 K times this
  /// fraction of the trace counts as 0.
  double rounding = 0x1p-52;
};

/// The sums of a diagonal covariance, and of a full one [K, K], row-major.
[[nodiscard]] CovarianceSums sumsOfDiagonal(std::span<const double> variance);
[[nodiscard]] CovarianceSums sumsOfFull(std::span<const double> covariance);

/// Lower clamp of variances (the smallest normal float32): log alpha stays finite if a logit does
/// not vary.
inline constexpr double kSmallestLogitVariance = 0x1p-126;

/// log alpha [K] of the Dirichlet that approximates N(mean, Sigma) (theory, section 6): with e_k =
/// exp(min mu - mu_k) and S = sum_k e_k, log alpha_k = mu_k - min mu + log((1 - 2/K) e_k + S/K^2) -
/// log Sigma_kk, a form without overflow or cancellation. A covariance with total 0 is already
/// centred. Throws std::invalid_argument if K < 2 or the sizes differ.
[[nodiscard]] std::vector<double> bridgeLogAlpha(std::span<const double> mean,
                                                 const CovarianceSums& sums, BridgeVariant variant);

/// A Gaussian over K logits.
struct LogitGaussian {
  std::vector<double> mean;        ///< [K]
  std::vector<double> covariance;  ///< [K, K], row-major
};

/// The zero-sum Gaussian that approximates Dir(alpha) (theory, section 6): the inverse of
/// bridgeLogAlpha. Throws std::invalid_argument if K < 2 or an alpha is not positive and finite.
[[nodiscard]] LogitGaussian dirichletToLogitGaussian(std::span<const double> alpha);

/// exp(log_alpha), for functions of alpha. If the largest exceeds e^650, all are scaled down to
/// that: the means stay exact, and such a narrow Dirichlet is a point in any case. Clamped from
/// below at 1e-300.
[[nodiscard]] std::vector<double> alphaFromLog(std::span<const double> log_alpha);

}  // namespace dubito
