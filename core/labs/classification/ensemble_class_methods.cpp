// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <vector>

#include "core/labs/classification/class_methods.h"
#include "core/labs/classification/trained_class_learner.h"

namespace dubito {
namespace {

struct MapClassOptions {
  NetworkOptions network = defaultClassNetwork();
  double precision = 1.0;

  std::vector<Field> fields() { return joinFields({precisionField(precision)}, network.fields()); }
};

struct EnsembleClassOptions {
  MapClassOptions member;
  std::int64_t members = 10;

  std::vector<Field> fields() { return joinFields({membersField(members)}, member.fields()); }
};

class EnsembleClassLearner : public TrainedClassLearner {
 public:
  EnsembleClassLearner(const ClassProblem& problem, const EnsembleClassOptions& options,
                       std::uint64_t seed)
      : TrainedClassLearner(problem, options.member.network, options.members, seed),
        precision_(options.member.precision) {}
  EnsembleClassLearner(const ClassProblem& problem, const MapClassOptions& options,
                       std::uint64_t seed)
      : TrainedClassLearner(problem, options.network, 1, seed), precision_(options.precision) {}

 protected:
  double loss(std::span<const std::int64_t> items, std::uint32_t /*step*/,
              std::span<const double> parameters, std::span<double> gradient) const override {
    return classPosteriorLoss(problem(), items, shape(), precision_, parameters, gradient);
  }

 private:
  double precision_;
};

}  // namespace

ClassMethodInfo mapClassMethod() {
  return {"map",
          "MAP",
          "One network, trained to the most probable weights. With ReLU its logits grow without "
          "end, so far from the data it is certain, whatever lies there.",
          "maximise sum_n ln softmax(f(x_n))[c_n] - precision |w|^2 / 2",
          "5-laplace-approximation",
          []() -> std::unique_ptr<ClassMethod> {
            return std::make_unique<TrainedClassMethod<MapClassOptions, EnsembleClassLearner>>();
          }};
}

ClassMethodInfo ensembleClassMethod() {
  return {
      "ensemble",
      "Deep ensemble",
      "Several networks, trained in the same way from different random weights. They agree "
      "where there are data and place the borders elsewhere differently.",
      "p = mean of softmax(f_1(x)) .. softmax(f_M(x))",
      "9-small-bayesian-models",
      []() -> std::unique_ptr<ClassMethod> {
        return std::make_unique<TrainedClassMethod<EnsembleClassOptions, EnsembleClassLearner>>();
      }};
}

}  // namespace dubito
