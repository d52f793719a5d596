// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/graves.h"

#include <cmath>
#include <utility>

namespace dubito {
namespace {

std::vector<double> initialLogStd(const MeanFieldOptions& options, const DataPosterior& posterior) {
  std::vector<double> log_std;
  for (const double precision : posterior.priorPrecision()) {
    log_std.push_back(std::log(options.initial_std) - 0.5 * std::log(precision));
  }
  return log_std;
}

}  // namespace

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
    : MeanFieldInference(posterior, options, std::move(start), initialLogStd(options, *posterior),
                         seed),
      posterior_(std::move(posterior)) {}

MeanFieldInference::Gradient GravesInference::gradientAt(std::span<const double> mean,
                                                         std::span<const double> log_std,
                                                         std::span<const double> noise,
                                                         const RunContext& context) const {
  const std::vector<double> std = stdOf(log_std);
  GravesGradient gradient = gravesGradient(*posterior_, mean, std, noise, context);
  Gradient result{gradient.loss, std::move(gradient.mean), std::vector<double>(mean.size())};
  const auto precision = posterior_->priorPrecision();
  for (std::size_t d = 0; d < mean.size(); ++d) {
    const double variance = std[d] * std[d];
    // KL(N(m, v) || N(0, 1/t)) = (t (m^2 + v) - 1 - ln(t v)) / 2.
    result.loss += 0.5 * (precision[d] * (mean[d] * mean[d] + variance) - 1.0 -
                          std::log(precision[d] * variance));
    result.mean[d] += precision[d] * mean[d];
    // d/d ln std = 2 variance d/d variance.
    result.spread[d] = 2.0 * variance * (gradient.variance[d] + 0.5 * precision[d]) - 1.0;
  }
  return result;
}

std::vector<double> GravesInference::stdOf(std::span<const double> log_std) const {
  std::vector<double> std;
  for (const double value : log_std) {
    std.push_back(std::exp(value));
  }
  return std;
}

}  // namespace dubito
