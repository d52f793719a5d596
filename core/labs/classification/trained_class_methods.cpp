// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/class_methods.h"
#include "core/labs/classification/class_task.h"
#include "core/labs/network/ensemble_learner.h"
#include "core/labs/network/network_learner.h"

namespace dubito {
namespace {

struct MapClassOptions {
  NetworkOptions network = defaultClassNetwork();
  double precision = 1.0;

  std::vector<Field> fields() { return joinFields({precisionField(precision)}, network.fields()); }
};

class MapClassLearner : public EnsembleLearner<ClassTask> {
 public:
  MapClassLearner(const ClassProblem& problem, const MapClassOptions& options, std::uint64_t seed)
      : EnsembleLearner(problem, options.network, options.precision, 1, seed) {}
};

}  // namespace

std::vector<ClassMethodInfo> trainedClassMethods() {
  return {{"map", "MAP",
           "One network, trained to the most probable weights. With ReLU its logits grow without "
           "end, so far from the data it is certain, whatever lies there.",
           "maximise Σₙ ln softmax(f(xₙ))[cₙ] − precision |w|²/2", "5-laplace-approximation",
           makeNetworkMethod<MapClassOptions, MapClassLearner>},
          {"ensemble", "Deep ensemble",
           "Several networks, trained in the same way from different random weights. They agree "
           "where there are data and place the borders elsewhere differently.",
           "p = mean of softmax(f_1(x)) .. softmax(f_M(x))", "9-small-bayesian-models",
           [] {
             return makeNetworkMethod<EnsembleLearnerOptions, EnsembleLearner<ClassTask>>(
                 {.network = defaultClassNetwork(), .precision = 1.0});
           }},
          {"mc-dropout", "MC dropout",
           "One network trained with dropout, which stays on for predictions: every random mask "
           "gives another border.",
           "p = mean of softmax(f_1(x)) .. softmax(f_T(x)), each with one mask on the hidden units",
           "4-dropout-inference", [] {
             NetworkOptions wide = defaultClassNetwork();
             wide.hidden_units = 32;  // half of them are there at a time
             return makeNetworkMethod<DropoutLearnerOptions, DropoutLearner<ClassTask>>(
                 {.network = wide, .drop_rate = 0.2, .length_scale = 0.5, .draws = 50});
           }}};
}

}  // namespace dubito
