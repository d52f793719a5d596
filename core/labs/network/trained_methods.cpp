// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/ensemble_learner.h"
#include "core/labs/network/network_learner.h"
#include "core/labs/network/network_methods.h"
#include "core/labs/network/regression_task.h"

namespace dubito {
namespace {

struct MleOptions {
  NetworkOptions network;

  std::vector<Field> fields() { return network.fields(); }
};

class MleLearner : public EnsembleLearner<RegressionTask> {
 public:
  MleLearner(const RegressionProblem& problem, const MleOptions& options, std::uint64_t seed)
      : EnsembleLearner(problem, options.network, 0.0, 1, seed) {}

  [[nodiscard]] LabDiagnostics diagnostics() const override {
    LabDiagnostics result = EnsembleLearner::diagnostics();
    result.warnings.emplace_back(
        "Maximum likelihood gives a single function: its epistemic variance is 0 everywhere");
    return result;
  }
};

}  // namespace

RegressionMethodInfo mleNetworkMethod() {
  return {"mle",
          "Maximum likelihood",
          "One network, trained to fit the data and nothing else. It is as confident far from the "
          "data as among them: the failure that the other methods address.",
          "minimise Σₙ (yₙ − f(xₙ))²/(2σ²)",
          "9-small-bayesian-models",
          makeNetworkMethod<MleOptions, MleLearner>};
}

RegressionMethodInfo deepEnsembleMethod() {
  return {"ensemble",
          "Deep ensemble",
          "Several networks, trained in the same way from different random weights. They agree "
          "where there are data and differ elsewhere.",
          "mean and variance of f₁ … f_M, each a maximum of the posterior",
          "9-small-bayesian-models",
          [] {
            return makeNetworkMethod<EnsembleLearnerOptions, EnsembleLearner<RegressionTask>>(
                {.network = {}, .precision = 0.1});
          }};
}

RegressionMethodInfo mcDropoutMethod() {
  return {"mc-dropout",
          "MC dropout",
          "One network trained with dropout, which stays on for predictions: every random mask "
          "gives another function.",
          "mean and variance of f₁ … f_T, each with one mask on the hidden units",
          "4-dropout-inference",
          [] {
            // ReLU: the scatter of dropout functions grows outside the data, while that of bounded
            // units does not.
            return makeNetworkMethod<DropoutLearnerOptions, DropoutLearner<RegressionTask>>(
                {.network = {.hidden_units = 100, .activation = "relu"},
                 .drop_rate = 0.05,
                 .length_scale = 0.3,
                 .draws = 100});
          }};
}

}  // namespace dubito
