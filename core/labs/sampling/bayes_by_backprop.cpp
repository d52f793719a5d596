// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/bayes_by_backprop.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/base/nan.h"

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
    : density_(std::move(density)),
      options_(options),
      noise_source_(seed, LabSite::kWeightNoise),
      mean_(std::move(start)),
      noise_(static_cast<std::size_t>(options.draws) * mean_.size()),
      mean_optimizer_(density_->dimension(), options.learning_rate, options.steps),
      rho_optimizer_(density_->dimension(), options.learning_rate, options.steps),
      loss_(kNaN),
      progress_(mean_.size(), options.steps),
      fall_{kNaN, kNaN} {
  scale.resize(mean_.size(), 1.0);
  for (const double factor : scale) {
    rho_.push_back(inverseSoftplus(options.initial_std * factor));
  }
}

void BayesByBackprop::step(const RunContext& context) {
  if (done_ >= options_.steps) {
    return;
  }
  noise_source_.normals(static_cast<std::uint32_t>(done_), noise_);
  const BbbGradient gradient = bbbGradient(*density_, mean_, rho_, noise_, context);
  loss_ = gradient.loss;
  mean_optimizer_.step(mean_, gradient.mean);
  rho_optimizer_.step(rho_, gradient.rho);
  ++done_;
  if (progress_.wants(done_)) {
    progress_.add(done_, mean_, softplusOf(rho_));
  }
  if (done_ == options_.steps) {
    fall_ = progress_.estimate(*density_, context);
  }
}

MeanField BayesByBackprop::result() const {
  return {mean_, softplusOf(rho_)};
}

}  // namespace dubito
