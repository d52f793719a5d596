// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/labs/simplex/logit_approximations.h"
#include "core/labs/simplex/logit_sampler.h"

namespace dubito {

/// What the laboratory compares: the expectation of a vector that each sample of softmax(z)
/// contributes to. The vector consists of groups, each a distribution over cells: an estimate from
/// n samples is their mean, a Dirichlet has its own expectation, and the divergence is the mean
/// over the groups of KL(truth || estimate).
struct WorthTarget {
  std::string description;  ///< one sentence without a full stop: what is compared
  std::size_t groups = 1;
  std::size_t size = 0;  ///< of the vector, a multiple of groups; some cells may be impossible
  double cells_per_group = 0.0;  ///< possible ones
  /// Added to the count of each possible cell, so that empty ones do not make the divergence
  /// infinite; 0 if the vector has no counts.
  double pseudo_count = 0.0;
  /// Adds the contribution of one sample, probabilities [K], to `sums` [size].
  std::function<void(std::span<const double> probs, std::span<double> sums)> add;
  /// The expectation under an approximation; absent if the comparison makes no sense: there is
  /// no Dirichlet, or the closed form takes the compared number from the truth.
  std::function<std::optional<std::vector<double>>(const LogitApproximation& form)> expectation;
};

/// The means of the probabilities of all classes: one group.
[[nodiscard]] WorthTarget meanTarget(std::size_t classes);
/// The joint distribution over 2 or 3 classes: `bins` equal parts of p_0, or the triangles of a
/// SimplexHistogram of that resolution. Throws std::invalid_argument for other numbers of classes.
[[nodiscard]] WorthTarget jointTarget(std::size_t classes, std::int64_t bins);
/// The marginal distribution of the probability of each class: one group per class. `bins` cells of
/// equal width in log odds cover the mean +- 3 standard deviations of 2000 samples of stream
/// `stream`; the outer ones reach to 0 and 1. (Equally probable cells would give the truth away:
/// the pseudo-counts alone would be a perfect estimate.)
[[nodiscard]] WorthTarget marginalTarget(const LogitSampler& sampler, std::uint64_t stream,
                                         std::int64_t bins);

/// Mean over the groups of KL(truth || estimate), for expectations of `target`; probabilities of
/// the estimate are clamped from below at 1e-300.
[[nodiscard]] double worthDivergence(const WorthTarget& target, std::span<const double> truth,
                                     std::span<const double> estimate);
/// The estimate from `sums` over n samples: (sums + pseudo-count) / (n + pseudo-counts).
[[nodiscard]] std::vector<double> worthEstimate(const WorthTarget& target,
                                                std::span<const double> sums, std::int64_t n);

}  // namespace dubito
