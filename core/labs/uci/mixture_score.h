// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/labs/uci/uci_data.h"

namespace dubito {

/// How well a method predicts test items, in the unit of the target.
struct UciScore {
  double rmse = 0.0;            ///< of the mean prediction
  double log_likelihood = 0.0;  ///< mean over items of log p(y | x), natural logarithm
};

/// Scores an equal mixture of Gaussians, one component at a time, so that ten thousand draws take
/// no memory: log (1/T) sum_t N(y; f_t(x), v_t(x)) by a running logsumexp (theory, section 3).
class MixtureScore {
 public:
  /// `problem` must outlive this.
  explicit MixtureScore(const UciProblem& problem);

  /// Adds a component: standardised means [M] and one variance of the noise, or one per item.
  void add(std::span<const double> means, double variance);
  void add(std::span<const double> means, std::span<const double> variances);

  /// Call after at least one add().
  [[nodiscard]] UciScore score() const;

 private:
  void addItem(std::size_t item, double mean, double log_scale, double precision);

  const UciProblem& problem_;
  std::vector<double> targets_;  ///< standardised
  std::vector<double> sums_of_means_;
  std::vector<double> largest_;  ///< exponent so far
  std::vector<double> sums_;     ///< sum of e^(exponent - largest)
  std::int64_t components_ = 0;
};

}  // namespace dubito
