// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/labs/network/network_learner.h"

namespace dubito {

/// Trains several networks of one kind, each to a maximum of its posterior, from starting points
/// and minibatches of its own. A unit of work is an epoch of all members.
class EnsembleLearner : public RegressionLearner {
 public:
  /// `precision` of the prior of every weight; 0: maximum likelihood.
  EnsembleLearner(RegressionProblem problem, NetworkShape shape, TrainingSettings settings,
                  double precision, std::int64_t members, std::uint64_t seed);

  [[nodiscard]] std::int64_t done() const override { return members_.front().done(); }
  [[nodiscard]] std::int64_t total() const override { return settings_.epochs; }
  [[nodiscard]] Status advance(std::int64_t units, RunContext& context) override;
  [[nodiscard]] Expected<RegressionPrediction> predict(std::span<const double> x,
                                                       std::int64_t max_draws,
                                                       RunContext& context) const override;
  [[nodiscard]] LabDiagnostics diagnostics() const override;

 private:
  RegressionProblem problem_;
  NetworkShape shape_;
  TrainingSettings settings_;
  double precision_;
  std::vector<Training> members_;
};

/// Mean loss of `items` plus that of the prior: the negative log posterior divided by N, without
/// constants. Writes its gradient.
double posteriorLoss(const RegressionProblem& problem, std::span<const std::int64_t> items,
                     const NetworkShape& shape, double precision,
                     std::span<const double> parameters, std::span<double> gradient);

}  // namespace dubito
