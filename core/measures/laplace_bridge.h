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
  /// No transformation; only the diagonal of Sigma is used.
  kRaw,
};

/// "bridge-centred", "bridge", "bridge-norm", "bridge-raw".
[[nodiscard]] std::string_view bridgeVariantName(BridgeVariant variant);
[[nodiscard]] std::optional<BridgeVariant> bridgeVariantFromName(std::string_view name);

/// The sums of a covariance Sigma of K logits that the bridge needs.
struct CovarianceSums {
  std::vector<double> variance;  ///< [K], the diagonal
  std::vector<double> row_sum;   ///< [K], Sigma 1
  double total = 0.0;            ///< 1' Sigma 1
  bool is_diagonal = false;      ///< Sigma = diag(variance), so centring involves no cancellation
  /// Relative rounding error of the covariance's elements. After centring, a variance is clamped
  /// from below at this fraction of the class's original variance; a total below 4 K times this
  /// fraction of the trace is treated as 0.
  double rounding = 0x1p-52;
};

/// The sums of a diagonal covariance, given as `variance` [K], and of a full covariance [K, K],
/// row-major. sumsOfFull throws std::invalid_argument if the matrix is not square.
[[nodiscard]] CovarianceSums sumsOfDiagonal(std::span<const double> variance);
[[nodiscard]] CovarianceSums sumsOfFull(std::span<const double> covariance);

/// Logit variances are clamped from below at this value (the smallest normal float32), so that log
/// alpha stays finite if a logit does not vary.
inline constexpr double kSmallestLogitVariance = 0x1p-126;

/// log alpha [K] of the Dirichlet that approximates N(mean, Sigma) (theory, section 6): with e_k =
/// exp(min mu - mu_k) and S = sum_k e_k, log alpha_k = mu_k - min mu + log((1 - 2/K) e_k + S/K^2) -
/// log Sigma_kk, a form without overflow or cancellation. A covariance with total 0 is treated as
/// already centred. Throws std::invalid_argument if K < 2 or the sizes differ.
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

/// exp(log_alpha), for functions of alpha. If the largest alpha exceeds e^650, all are scaled down
/// so that it equals e^650: the means stay exact, and a Dirichlet that narrow is practically a
/// point. Each alpha is clamped from below at 1e-300.
[[nodiscard]] std::vector<double> alphaFromLog(std::span<const double> log_alpha);

}  // namespace dubito
