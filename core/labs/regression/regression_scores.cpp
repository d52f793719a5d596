// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/regression/regression_scores.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace dubito {
namespace {

constexpr double kLogSqrtTwoPi = 0.91893853320467274178;

/// P(Z <= z) of a standard normal; also for infinite z.
double normalBelow(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

double normalDensity(double z) {
  return std::exp(-0.5 * z * z - kLogSqrtTwoPi);
}

/// E|X| for X ~ N(mean, std^2).
double meanAbsolute(double mean, double std) {
  if (std <= 0.0) {
    return std::abs(mean);
  }
  const double z = mean / std;
  return 2.0 * std * normalDensity(z) + mean * (2.0 * normalBelow(z) - 1.0);
}

double logDensity(double deviation, double std) {
  if (std <= 0.0) {
    return deviation == 0.0 ? std::numeric_limits<double>::infinity()
                            : -std::numeric_limits<double>::infinity();
  }
  const double z = deviation / std;
  return -0.5 * z * z - std::log(std) - kLogSqrtTwoPi;
}

double below(double deviation, double std) {
  if (std <= 0.0) {
    return deviation > 0.0 ? 1.0 : deviation < 0.0 ? 0.0 : 0.5;
  }
  return normalBelow(deviation / std);
}

/// Score of one point.
struct PointScore {
  double log_likelihood = 0.0;
  double crps = 0.0;
  double pit = 0.0;
};

PointScore scoreOfGaussian(double mean, double std, double y) {
  PointScore score;
  score.log_likelihood = logDensity(y - mean, std);
  score.pit = below(y - mean, std);
  // E|X - y| - E|X - X'| / 2, where X - X' ~ N(0, 2 std^2).
  score.crps = meanAbsolute(y - mean, std) - std / std::sqrt(std::numbers::pi);
  return score;
}

/// One component of a mixture at one point.
struct Component {
  double mean = 0.0;
  double variance = 0.0;
};

/// E|X - X'| for independent X, X' of the mixture.
double meanDistance(const std::vector<Component>& components) {
  const std::size_t n = components.size();
  double sum = 0.0;
  for (std::size_t s = 0; s < n; ++s) {
    for (std::size_t t = s + 1; t < n; ++t) {
      sum += 2.0 * meanAbsolute(components[s].mean - components[t].mean,
                                std::sqrt(components[s].variance + components[t].variance));
    }
    sum += 2.0 * std::sqrt(components[s].variance / std::numbers::pi);
  }
  return sum / (static_cast<double>(n) * static_cast<double>(n));
}

PointScore scoreOfMixture(std::vector<Component>& components, double y) {
  PointScore score;
  const double share = 1.0 / static_cast<double>(components.size());
  double highest = -std::numeric_limits<double>::infinity();
  double distance = 0.0;
  for (const Component& component : components) {
    const double std = std::sqrt(component.variance);
    highest = std::max(highest, logDensity(y - component.mean, std));
    score.pit += share * below(y - component.mean, std);
    distance += share * meanAbsolute(y - component.mean, std);
  }
  double sum = 0.0;
  for (const Component& component : components) {
    sum +=
        share * std::exp(logDensity(y - component.mean, std::sqrt(component.variance)) - highest);
  }
  score.log_likelihood = std::isfinite(highest) ? highest + std::log(sum) : highest;
  score.crps = distance - 0.5 * meanDistance(components);
  return score;
}

PointScore scoreOf(const RegressionPrediction& prediction, std::size_t i, double y,
                   std::vector<Component>& components) {
  if (!prediction.is_mixture) {
    return scoreOfGaussian(
        prediction.mean[i],
        std::sqrt(prediction.epistemic_variance[i] + prediction.noise_variance[i]), y);
  }
  components.resize(static_cast<std::size_t>(prediction.draws.extent(0)));
  for (std::size_t t = 0; t < components.size(); ++t) {
    const auto row = static_cast<std::int64_t>(t);
    components[t] = {prediction.draws.row(row)[i],
                     prediction.noise_variance_of_draws.empty()
                         ? prediction.noise_variance[i]
                         : prediction.noise_variance_of_draws.row(row)[i]};
  }
  return scoreOfMixture(components, y);
}

}  // namespace

RegressionScores scoreRegression(const RegressionPrediction& prediction,
                                 std::span<const double> y) {
  if (y.empty() || prediction.mean.size() != y.size()) {
    throw std::invalid_argument("scoreRegression: expected one prediction per point");
  }
  RegressionScores scores;
  const double share = 1.0 / static_cast<double>(y.size());
  double squares = 0.0;
  std::vector<Component> components;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const PointScore score = scoreOf(prediction, i, y[i], components);
    squares += share * (y[i] - prediction.mean[i]) * (y[i] - prediction.mean[i]);
    scores.log_likelihood += share * score.log_likelihood;
    scores.crps += share * score.crps;
    scores.pit.push_back(score.pit);
  }
  scores.rmse = std::sqrt(squares);
  scores.coverage = centralCoverage(scores.pit, kCoverageLevels);
  return scores;
}

std::vector<double> centralCoverage(std::span<const double> pit, std::span<const double> levels) {
  std::vector<double> coverage;
  for (const double level : levels) {
    const auto inside =
        std::ranges::count_if(pit, [level](double p) { return std::abs(p - 0.5) <= 0.5 * level; });
    coverage.push_back(static_cast<double>(inside) / static_cast<double>(pit.size()));
  }
  return coverage;
}

}  // namespace dubito
