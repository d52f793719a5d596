// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/logit_approximations.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/base/nan.h"
#include "core/laplace/link.h"
#include "core/measures/dirichlet.h"
#include "core/measures/moment_match.h"

namespace dubito {
namespace {

std::vector<double> logsOf(std::span<const double> values) {
  std::vector<double> logs;
  for (const double value : values) {
    logs.push_back(std::log(value));
  }
  return logs;
}

std::vector<double> dirichletMean(std::span<const double> log_alpha) {
  return summariseDirichlet(alphaFromLog(log_alpha)).mean;
}

LogitGaussians asBatch(const LogitGaussian& gaussian) {
  const auto classes = static_cast<std::int64_t>(gaussian.mean.size());
  return {Array<float>::fromVector({1, classes}, {gaussian.mean.begin(), gaussian.mean.end()}),
          FullCovariance{Array<float>::fromVector(
              {1, classes, classes}, {gaussian.covariance.begin(), gaussian.covariance.end()})}};
}

LogitApproximation ofLink(const LinkInfo& link, const LogitGaussian& gaussian,
                          const RunContext& context) {
  LogitApproximation result{link.name, link.help};
  result.bridge = bridgeVariantFromName(link.name);
  if (result.bridge) {
    result.log_alpha =
        bridgeLogAlpha(gaussian.mean, sumsOfFull(gaussian.covariance), *result.bridge);
    result.mean = dirichletMean(*result.log_alpha);
    return result;
  }
  const std::vector<std::int64_t> ids{0};
  const LinkedPredictions linked = link.apply({asBatch(gaussian), ids, 1, 0, context});
  const auto probs = linked.probs.row(0);
  result.mean.assign(probs.begin(), probs.end());
  if (linked.alpha) {
    result.log_alpha = logsOf(linked.alpha->row(0));
  }
  return result;
}

}  // namespace

std::vector<LogitApproximation> logitApproximations(const LogitGaussian& gaussian,
                                                    std::span<const double> mean,
                                                    std::span<const double> variance,
                                                    const RunContext& context) {
  std::vector<LogitApproximation> all;
  for (const LinkInfo& link : allLinks()) {
    if (link.name != kSamplingLink) {
      all.push_back(ofLink(link, gaussian, context));
    }
  }
  LogitApproximation moments{kMomentMatching,
                             "Dirichlet with the mean and the total variance of softmax(z)"};
  moments.log_alpha = logsOf(momentMatchedAlpha(mean, variance));
  moments.mean = dirichletMean(*moments.log_alpha);
  all.push_back(std::move(moments));
  return all;
}

std::vector<double> bridgeVarianceSlopes(const LogitGaussian& gaussian, BridgeVariant variant) {
  constexpr double kStep = 1e-4;
  const std::size_t classes = gaussian.mean.size();
  std::vector<double> slopes;
  LogitGaussian changed = gaussian;
  for (std::size_t k = 0; k < classes; ++k) {
    double& element = changed.covariance[k * classes + k];
    const double original = element;
    const auto variance_at = [&](double value) {
      element = value;
      const auto log_alpha = bridgeLogAlpha(changed.mean, sumsOfFull(changed.covariance), variant);
      return summariseDirichlet(alphaFromLog(log_alpha)).variance[k];
    };
    const double step = kStep * original;
    slopes.push_back(step > 0.0 ? (variance_at(original + step) - variance_at(original - step)) /
                                      (2.0 * step)
                                : kNaN);
    element = original;
  }
  return slopes;
}

}  // namespace dubito
