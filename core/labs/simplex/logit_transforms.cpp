// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/logit_transforms.h"

#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>

namespace dubito {
namespace {

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
