// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/logit_approximations.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
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

double total(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

LogitGaussian centredGaussian(const LogitGaussian& gaussian) {
  const std::size_t classes = gaussian.mean.size();
  const auto count = static_cast<double>(classes);
  const CovarianceSums sums = sumsOfFull(gaussian.covariance);
  LogitGaussian result = gaussian;
  const double mean = total(gaussian.mean) / count;
  for (std::size_t k = 0; k < classes; ++k) {
    result.mean[k] -= mean;
    for (std::size_t l = 0; l < classes; ++l) {
      result.covariance[k * classes + l] +=
          (sums.total / count - sums.row_sum[k] - sums.row_sum[l]) / count;
    }
  }
  return result;
}

LogitGaussian conditionedGaussian(const LogitGaussian& gaussian) {
  const std::size_t classes = gaussian.mean.size();
  const CovarianceSums sums = sumsOfFull(gaussian.covariance);
  // As in bridgeLogAlpha: the sum of logits that are already centred does not vary.
  if (!(sums.total > 4.0 * static_cast<double>(classes) * sums.rounding * total(sums.variance))) {
    return gaussian;
  }
  LogitGaussian result = gaussian;
  const double sum_of_mean = total(gaussian.mean);
  for (std::size_t k = 0; k < classes; ++k) {
    const double share = sums.row_sum[k] / sums.total;
    result.mean[k] -= share * sum_of_mean;
    for (std::size_t l = 0; l < classes; ++l) {
      result.covariance[k * classes + l] -= share * sums.row_sum[l];
    }
  }
  return result;
}

LogitGaussian normalisedGaussian(LogitGaussian gaussian) {
  const std::size_t classes = gaussian.mean.size();
  const auto count = static_cast<double>(classes);
  const double scale =
      total(sumsOfFull(gaussian.covariance).variance) / count / std::sqrt(0.5 * count);
  if (!(scale > 0.0)) {
    return gaussian;
  }
  for (double& value : gaussian.mean) {
    value /= std::sqrt(scale);
  }
  for (double& value : gaussian.covariance) {
    value /= scale;
  }
  return gaussian;
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

LogitGaussian transformedFor(BridgeVariant variant, const LogitGaussian& gaussian) {
  switch (variant) {
    case BridgeVariant::kCentred:
      return centredGaussian(gaussian);
    case BridgeVariant::kConditioned:
      return conditionedGaussian(gaussian);
    case BridgeVariant::kNormalised:
      return normalisedGaussian(conditionedGaussian(gaussian));
    case BridgeVariant::kRaw:
      break;
  }
  return gaussian;
}

}  // namespace dubito
