// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/ensemble_learner.h"
#include "core/labs/network/network_methods.h"
#include "core/labs/network/network_options.h"

namespace dubito {
namespace {

struct EnsembleOptions {
  NetworkOptions network;
  double precision = 0.1;
  std::int64_t members = 10;

  std::vector<Field> fields() {
    return joinFields({membersField(members), precisionField(precision)}, network.fields());
  }
};

class DeepEnsembleLearner : public EnsembleLearner {
 public:
  DeepEnsembleLearner(const RegressionProblem& problem, const EnsembleOptions& options,
                      std::uint64_t seed)
      : EnsembleLearner(problem, options.network.shape(1), options.network.training(),
                        options.precision, options.members, seed) {}
};

}  // namespace

RegressionMethodInfo deepEnsembleMethod() {
  return {"ensemble",
          "Deep ensemble",
          "Several networks, trained in the same way from different random weights. They agree "
          "where there are data and differ elsewhere.",
          "mean and variance of f_1 .. f_M, each a maximum of the posterior",
          "9-small-bayesian-models",
          []() -> std::unique_ptr<RegressionMethod> {
            return std::make_unique<NetworkMethod<EnsembleOptions, DeepEnsembleLearner>>();
          }};
}

}  // namespace dubito
