// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/labs/network/network_learner.h"

namespace dubito {

/// Mean loss of `items` plus that of the prior N(0, 1/precision) of all parameters: the negative
/// log posterior divided by N, without constants. Writes its gradient. `Task`: RegressionTask,
/// ClassTask.
template <class Task>
double posteriorLoss(const typename Task::Problem& problem, std::span<const std::int64_t> items,
                     const NetworkShape& shape, double precision,
                     std::span<const double> parameters, std::span<double> gradient) {
  double loss = Task::meanLoss(problem, items, shape, parameters, gradient);
  const double scale = precision / static_cast<double>(problem.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    loss += 0.5 * scale * parameters[i] * parameters[i];
    gradient[i] += scale * parameters[i];
  }
  return loss;
}

/// Options of a deep ensemble.
struct EnsembleLearnerOptions {
  NetworkOptions network;
  double precision = 1.0;  ///< of the prior of every weight, >= 0
  std::int64_t members = 10;

  [[nodiscard]] std::vector<Field> fields() {
    return joinFields({membersField(members), precisionField(precision)}, network.fields());
  }
};

/// Trains several networks of one kind, each to a maximum of its posterior.
template <class LearnedTask>
class EnsembleLearner : public NetworkLearner<LearnedTask> {
 public:
  using Problem = typename LearnedTask::Problem;

  /// `precision` of the prior of every weight; 0: maximum likelihood.
  EnsembleLearner(const Problem& problem, const NetworkOptions& network, double precision,
                  std::int64_t members, std::uint64_t seed)
      : NetworkLearner<LearnedTask>(problem, network, members, seed), precision_(precision) {}
  EnsembleLearner(const Problem& problem, const EnsembleLearnerOptions& options, std::uint64_t seed)
      : EnsembleLearner(problem, options.network, options.precision, options.members, seed) {}

 protected:
  double loss(std::span<const std::int64_t> items, std::uint32_t /*step*/,
              std::span<const double> parameters, std::span<double> gradient) override {
    return posteriorLoss<LearnedTask>(this->problem(), items, this->shape(), precision_, parameters,
                                      gradient);
  }

 private:
  double precision_;
};

}  // namespace dubito
