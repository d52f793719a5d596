// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dubito {

/// What is done to a Gaussian over logits before it is read as a Dirichlet (theory, section 6).
enum class BridgeVariant {
  /// Centred: mu <- P mu, Sigma <- P Sigma P with P = I - 11'/K, which leaves the distribution of
  /// softmax(z) as it was.
  kCentred,
  /// Conditioned on a zero sum of the logits, which changes that distribution in general.
  kConditioned,
  /// Conditioned, then with c = mean_k Sigma_kk / sqrt(K/2): mu / sqrt(c), Sigma_kk / c.
  kNormalised,
  /// The diagonal of Sigma as it is.
  kRaw,
};

/// "bridge-centred", "bridge", "bridge-norm", "bridge-raw".
[[nodiscard]] std::string_view bridgeVariantName(BridgeVariant variant);
[[nodiscard]] std::optional<BridgeVariant> bridgeVariantFromName(std::string_view name);

/// All that the bridge asks of a covariance of K logits.
struct CovarianceSums {
  std::vector<double> variance;  ///< [K], the diagonal
  std::vector<double> row_sum;   ///< [K], Sigma 1
  double total = 0.0;            ///< 1' Sigma 1
  bool is_diagonal = false;      ///< Sigma = diag(variance): nothing needs to cancel
  /// Relative rounding of the covariance's elements. A variance below it (times that of the class
  /// before centring) counts as it, a total below 4 K times it (times the trace) as 0.
  double rounding = 0x1p-52;
};

/// The sums of a diagonal covariance; and of a full one [K, K], row-major.
[[nodiscard]] CovarianceSums sumsOfDiagonal(std::span<const double> variance);
[[nodiscard]] CovarianceSums sumsOfFull(std::span<const double> covariance);

/// Variances below it count as it (the smallest normal float32), so that log alpha stays finite
/// where a logit does not vary.
inline constexpr double kSmallestLogitVariance = 0x1p-126;

/// log alpha [K] of the Dirichlet that stands for N(mean, Sigma) (theory, section 6): with e_k =
/// exp(min mu - mu_k) and S = sum_k e_k, log alpha_k = mu_k - min mu + log((1 - 2/K) e_k + S/K^2) -
/// log Sigma_kk, in which nothing overflows or cancels. A covariance whose total is 0 is centred
/// already. Throws std::invalid_argument where K < 2 or the sizes differ.
[[nodiscard]] std::vector<double> bridgeLogAlpha(std::span<const double> mean,
                                                 const CovarianceSums& sums, BridgeVariant variant);

/// A Gaussian over K logits.
struct LogitGaussian {
  std::vector<double> mean;        ///< [K]
  std::vector<double> covariance;  ///< [K, K], row-major
};

/// The Gaussian with zero sum that stands for Dir(alpha) (theory, section 6), the inverse of
/// bridgeLogAlpha. Throws std::invalid_argument where K < 2 or an alpha is not positive and finite.
[[nodiscard]] LogitGaussian dirichletToLogitGaussian(std::span<const double> alpha);

/// exp(log_alpha), for functions of alpha. Where the largest is beyond e^650 all are divided by
/// what it exceeds that: the means stay exact, and a Dirichlet that narrow is a point either way.
/// None falls below 1e-300.
[[nodiscard]] std::vector<double> alphaFromLog(std::span<const double> log_alpha);

}  // namespace dubito
