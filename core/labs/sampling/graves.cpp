// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/graves.h"

#include <cmath>
#include <utility>

#include "core/base/nan.h"

namespace dubito {

GravesGradient gravesGradient(const DataPosterior& posterior, std::span<const double> mean,
                              std::span<const double> std, std::span<const double> noise,
                              const RunContext& context) {
  const std::size_t dimension = mean.size();
  const auto draws = static_cast<std::int64_t>(noise.size() / dimension);
  std::vector<double> log_likelihoods(static_cast<std::size_t>(draws));
  std::vector<double> gradients(noise.size());
  std::vector<double> squared(noise.size());
  context.parallelFor(draws, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> weights(dimension);
    for (std::int64_t s = begin; s < end; ++s) {
      drawOf(mean, std, noise, s, weights);
      const std::size_t offset = static_cast<std::size_t>(s) * dimension;
      log_likelihoods[static_cast<std::size_t>(s)] = posterior.likelihood().evaluate(
          weights, posterior.allItems(), std::span(gradients).subspan(offset, dimension),
          std::span(squared).subspan(offset, dimension));
    }
  });

  GravesGradient result{0.0, std::vector<double>(dimension), std::vector<double>(dimension)};
  const double share = 1.0 / static_cast<double>(draws);
  for (std::size_t s = 0; s < static_cast<std::size_t>(draws); ++s) {
    result.loss -= share * log_likelihoods[s];
    for (std::size_t d = 0; d < dimension; ++d) {
      result.mean[d] -= share * gradients[s * dimension + d];
      result.variance[d] += 0.5 * share * squared[s * dimension + d];
    }
  }
  return result;
}

GravesInference::GravesInference(std::shared_ptr<const DataPosterior> posterior,
                                 const MeanFieldOptions& options, std::vector<double> start,
                                 std::uint64_t seed)
    : posterior_(std::move(posterior)),
      options_(options),
      noise_source_(seed, LabSite::kWeightNoise),
      mean_(std::move(start)),
      noise_(static_cast<std::size_t>(options.draws) * mean_.size()),
      mean_optimizer_(posterior_->dimension(), options.learning_rate, options.steps),
      std_optimizer_(posterior_->dimension(), options.learning_rate, options.steps),
      loss_(kNaN),
      progress_(mean_.size(), options.steps),
      fall_{kNaN, kNaN} {
  for (const double precision : posterior_->priorPrecision()) {
    log_std_.push_back(std::log(options.initial_std) - 0.5 * std::log(precision));
  }
}

void GravesInference::step(const RunContext& context) {
  if (done_ >= options_.steps) {
    return;
  }
  noise_source_.normals(static_cast<std::uint32_t>(done_), noise_);
  const MeanField field = result();
  GravesGradient gradient = gravesGradient(*posterior_, field.mean, field.std, noise_, context);
  std::vector<double> log_std_gradient(mean_.size());
  loss_ = gradient.loss;
  const auto precision = posterior_->priorPrecision();
  for (std::size_t d = 0; d < mean_.size(); ++d) {
    const double variance = field.std[d] * field.std[d];
    // KL(N(m, v) || N(0, 1/t)) = (t (m^2 + v) - 1 - ln(t v)) / 2.
    loss_ += 0.5 * (precision[d] * (mean_[d] * mean_[d] + variance) - 1.0 -
                    std::log(precision[d] * variance));
    gradient.mean[d] += precision[d] * mean_[d];
    // d/d ln std = 2 variance d/d variance.
    log_std_gradient[d] = 2.0 * variance * (gradient.variance[d] + 0.5 * precision[d]) - 1.0;
  }
  mean_optimizer_.step(mean_, gradient.mean);
  std_optimizer_.step(log_std_, log_std_gradient);
  ++done_;
  if (progress_.wants(done_)) {
    progress_.add(done_, mean_, result().std);
  }
  if (done_ == options_.steps) {
    fall_ = progress_.estimate(*posterior_, context);
  }
}

MeanField GravesInference::result() const {
  MeanField field{mean_, {}};
  for (const double value : log_std_) {
    field.std.push_back(std::exp(value));
  }
  return field;
}

}  // namespace dubito
