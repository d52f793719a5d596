// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/bayes_by_backprop.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace dubito {
namespace {

double sigmoid(double value) {
  return 1.0 / (1.0 + std::exp(-value));
}

std::vector<double> softplusOf(std::span<const double> rho) {
  std::vector<double> std(rho.size());
  for (std::size_t d = 0; d < rho.size(); ++d) {
    std[d] = softplus(rho[d]);
  }
  return std;
}

std::vector<double> initialRho(const MeanFieldOptions& options, std::size_t dimension,
                               std::vector<double> scale) {
  scale.resize(dimension, 1.0);
  for (double& value : scale) {
    value = inverseSoftplus(options.initial_std * value);
  }
  return scale;
}

}  // namespace

double softplus(double rho) {
  return std::max(rho, 0.0) + std::log1p(std::exp(-std::abs(rho)));
}

double inverseSoftplus(double std) {
  // ln(e^std - 1), without overflow for large std.
  return std + std::log(-std::expm1(-std));
}

BbbGradient bbbGradient(const LogDensity& density, std::span<const double> mean,
                        std::span<const double> rho, std::span<const double> noise,
                        const RunContext& context) {
  const std::size_t dimension = mean.size();
  const auto draws = static_cast<std::int64_t>(noise.size() / dimension);
  const std::vector<double> std = softplusOf(rho);
  std::vector<double> log_densities(static_cast<std::size_t>(draws));
  std::vector<double> gradients(noise.size());
  context.parallelFor(draws, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> weights(dimension);
    for (std::int64_t s = begin; s < end; ++s) {
      drawOf(mean, std, noise, s, weights);
      log_densities[static_cast<std::size_t>(s)] = density.evaluate(
          weights,
          std::span(gradients).subspan(static_cast<std::size_t>(s) * dimension, dimension));
    }
  });

  BbbGradient result{0.0, std::vector<double>(dimension), std::vector<double>(dimension)};
  const double share = 1.0 / static_cast<double>(draws);
  const double log_two_pi = std::log(2.0 * std::numbers::pi);
  for (std::size_t s = 0; s < static_cast<std::size_t>(draws); ++s) {
    result.loss -= share * log_densities[s];
    for (std::size_t d = 0; d < dimension; ++d) {
      const double z = noise[s * dimension + d];
      const double gradient = gradients[s * dimension + d];
      // ln q at its own draw is -ln std - z^2/2 - ln(2 pi)/2: the path through w and the direct
      // dependence on mean and std cancel except for -1/std.
      result.loss -= share * (std::log(std[d]) + 0.5 * z * z + 0.5 * log_two_pi);
      result.mean[d] -= share * gradient;
      result.rho[d] -= share * (gradient * z + 1.0 / std[d]) * sigmoid(rho[d]);
    }
  }
  return result;
}

BayesByBackprop::BayesByBackprop(std::shared_ptr<const LogDensity> density,
                                 const MeanFieldOptions& options, std::vector<double> start,
                                 std::uint64_t seed, std::vector<double> scale)
    : MeanFieldInference(density, options, start, initialRho(options, start.size(), scale), seed),
      density_(std::move(density)) {}

MeanFieldInference::Gradient BayesByBackprop::gradientAt(std::span<const double> mean,
                                                         std::span<const double> rho,
                                                         std::span<const double> noise,
                                                         const RunContext& context) const {
  BbbGradient gradient = bbbGradient(*density_, mean, rho, noise, context);
  return {gradient.loss, std::move(gradient.mean), std::move(gradient.rho)};
}

std::vector<double> BayesByBackprop::stdOf(std::span<const double> rho) const {
  return softplusOf(rho);
}

}  // namespace dubito
