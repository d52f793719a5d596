// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/methods/regression_method.h"

#include <stdexcept>

namespace dubito {

RegressionPrediction predictionOfDraws(Array<double> draws, Array<double> noise_of_draws,
                                       double noise_variance) {
  if (draws.rank() != 2 || draws.extent(0) < 1) {
    throw std::invalid_argument("predictionOfDraws: expected draws [T, M] with T >= 1");
  }
  const std::int64_t count = draws.extent(0);
  const auto points = static_cast<std::size_t>(draws.extent(1));
  const auto share = 1.0 / static_cast<double>(count);
  RegressionPrediction result;
  result.is_mixture = true;
  result.mean.assign(points, 0.0);
  result.epistemic_variance.assign(points, 0.0);
  result.noise_variance.assign(points, noise_of_draws.empty() ? noise_variance : 0.0);
  for (std::int64_t t = 0; t < count; ++t) {
    for (std::size_t i = 0; i < points; ++i) {
      result.mean[i] += share * draws.row(t)[i];
      if (!noise_of_draws.empty()) {
        result.noise_variance[i] += share * noise_of_draws.row(t)[i];
      }
    }
  }
  for (std::int64_t t = 0; t < count; ++t) {
    for (std::size_t i = 0; i < points; ++i) {
      const double deviation = draws.row(t)[i] - result.mean[i];
      result.epistemic_variance[i] += share * deviation * deviation;
    }
  }
  result.draws = std::move(draws);
  result.noise_variance_of_draws = std::move(noise_of_draws);
  return result;
}

}  // namespace dubito
