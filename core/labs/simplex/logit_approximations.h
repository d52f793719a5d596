// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/run_context.h"
#include "core/measures/laplace_bridge.h"

namespace dubito {

/// Key of the Dirichlet with the mean and the total variance of softmax(z), among the names of
/// links.
inline constexpr const char* kMomentMatching = "moments";

/// A closed form for the distribution of softmax(z), z ~ N(mu, Sigma).
struct LogitApproximation {
  std::string key;   ///< the name of a link ("bridge-centred"), or kMomentMatching
  std::string help;  ///< a few words, without a full stop
  std::optional<BridgeVariant> bridge = {};
  std::vector<double> mean = {};  ///< [K], probabilities
  /// [K], of the Dirichlet; absent if only the mean is approximated (probit).
  std::optional<std::vector<double>> log_alpha = {};
};

/// All links but the one that samples, in the order of allLinks(), and then moment matching from
/// the given `mean` and `variance` [K] of softmax(z). The bridges are computed in double; links
/// without a bridge take the Gaussian in float32.
[[nodiscard]] std::vector<LogitApproximation> logitApproximations(const LogitGaussian& gaussian,
                                                                  std::span<const double> mean,
                                                                  std::span<const double> variance,
                                                                  const RunContext& context);

/// Derivatives [K] of Var(p_k) under a bridge with respect to Sigma_kk, with everything
/// else fixed (central differences with a relative step of 1e-4); NaN for a class whose logit does
/// not vary.
[[nodiscard]] std::vector<double> bridgeVarianceSlopes(const LogitGaussian& gaussian,
                                                       BridgeVariant variant);

/// The Gaussian over logits of which a bridge takes the mean and the diagonal (theory, section 6):
/// its bridge-raw equals `variant` of `gaussian`. Centring gives (P mu, P Sigma P); conditioning on
/// a zero sum gives mu - s 1'mu / 1's and Sigma - s s' / 1's with s = Sigma 1, or no change if 1's
/// is 0; normalising divides the conditioned mean by sqrt(c) and the covariance by c.
[[nodiscard]] LogitGaussian transformedFor(BridgeVariant variant, const LogitGaussian& gaussian);

}  // namespace dubito
