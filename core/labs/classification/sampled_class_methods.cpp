// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/labs/classification/class_methods.h"
#include "core/labs/classification/class_network.h"
#include "core/labs/classification/class_task.h"
#include "core/labs/network/network_regression.h"
#include "core/labs/network/training.h"
#include "core/labs/posterior/chain_learner.h"
#include "core/labs/posterior/variational_learner.h"
#include "core/labs/sampling/bayes_by_backprop.h"
#include "core/labs/sampling/hmc.h"

namespace dubito {
namespace {

/// Points at which chains are compared.
constexpr std::int64_t kComparedPoints = 5;
constexpr std::int64_t kMaxSampledPoints = 2000;

/// The posterior that both methods look for.
struct PosteriorClassOptions {
  NetworkOptions network = defaultClassNetwork();
  double precision = 1.0;

  [[nodiscard]] std::vector<Field> fields() {
    return joinFields({precisionField(precision)}, shapeFields(network));
  }
  [[nodiscard]] NetworkShape shape(const ClassProblem& problem) const {
    return classNetworkShape(network, problem.class_count);
  }
  [[nodiscard]] std::shared_ptr<const DataPosterior> posterior(const ClassProblem& problem) const {
    const NetworkShape shape_of_problem = shape(problem);
    return std::make_shared<DataPosterior>(
        std::make_shared<ClassLikelihood>(problem, shape_of_problem),
        NetworkPrior{.precision = std::max(precision, 1e-6)}.precisions(shape_of_problem));
  }
};

/// Compares the log probability of the own class at some of the points.
ChainRun::Setup comparedClasses(const ClassProblem& problem, NetworkShape shape,
                                const HmcOptions& sampler, const ChainRunOptions& run) {
  ChainRun::Setup setup{run, sampler.warm_up, true, {}, {}};
  std::vector<std::int64_t> items;
  const std::int64_t count = std::min(kComparedPoints, problem.size());
  for (std::int64_t i = 0; i < count; ++i) {
    items.push_back((2 * i + 1) * problem.size() / (2 * count));
    const auto at = 2 * static_cast<std::size_t>(items.back());
    setup.compared.push_back(
        fmt::format("at ({:.2g}, {:.2g})", problem.inputs[at], problem.inputs[at + 1]));
  }
  setup.outputs = [problem, shape = std::move(shape), items](std::span<const double> state,
                                                             std::span<double> outputs) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      outputs[i] =
          classLogLikelihood(problem, std::span(items).subspan(i, 1), shape, state, 1.0, {});
    }
  };
  return setup;
}

class HmcClassMethod : public ClassMethod {
 public:
  [[nodiscard]] std::vector<Field> fields() override {
    return joinFields(joinFields(network_.fields(), sampler_.fields()), run_.fields());
  }
  [[nodiscard]] Status check() const override {
    return checkFields(HmcClassMethod(*this).fields());
  }
  [[nodiscard]] Expected<std::unique_ptr<ClassLearner>> start(const ClassProblem& problem,
                                                              std::uint64_t seed) const override {
    if (const Status checked = checkClassSize(problem, kMaxSampledPoints); !checked) {
      return failWith(checked);
    }
    const auto posterior = network_.posterior(problem);
    const NetworkShape shape = network_.shape(problem);
    auto chains = startChains(
        *posterior, shape, run_.chains, seed, [&](std::vector<double> start, std::uint64_t number) {
          return std::make_unique<HmcChain>(posterior, sampler_, std::move(start), seed, number);
        });
    if (!chains) {
      return failWith(chains);
    }
    return std::make_unique<ChainLearner<ClassTask>>(
        problem, shape, comparedClasses(problem, shape, sampler_, run_), *std::move(chains));
  }

 private:
  PosteriorClassOptions network_;
  HmcOptions sampler_{
      .step_size = 0.02, .leapfrog_steps = 30, .target_acceptance = 0.8, .warm_up = 200};
  ChainRunOptions run_{.chains = 4, .draws = 300, .kept = 300};
};

class BbbClassLearner : public VariationalLearner<ClassTask, BayesByBackprop> {
 public:
  BbbClassLearner(const ClassProblem& problem, NetworkShape shape, BayesByBackprop inference,
                  std::int64_t draws, std::uint64_t seed)
      : VariationalLearner(problem, std::move(shape), std::move(inference), draws, seed) {}

  [[nodiscard]] LabDiagnostics diagnostics() const override {
    LabDiagnostics result;
    if (done() > 0) {
      addElbo(inference().loss(), losses_.curve({}), result);
    }
    addProgress(inference().progress(), done() == total(), result);
    return result;
  }

 protected:
  void recordLoss(double loss) override { losses_.add(loss); }

 private:
  ThinnedTrace losses_;
};

class BbbClassMethod : public ClassMethod {
 public:
  [[nodiscard]] std::vector<Field> fields() override {
    std::vector<Field> inference = inference_.fields();
    // The draws of a step and those of a prediction must not share a name.
    for (Field& field : inference) {
      if (field.info.name == "draws") {
        field.info.name = "step_draws";
        field.info.label = "Draws per step";
      }
    }
    return joinFields(joinFields(network_.fields(), std::move(inference)), {drawsField(draws_)});
  }
  [[nodiscard]] Status check() const override {
    return checkFields(BbbClassMethod(*this).fields());
  }
  [[nodiscard]] Expected<std::unique_ptr<ClassLearner>> start(const ClassProblem& problem,
                                                              std::uint64_t seed) const override {
    if (const Status checked = checkClassSize(problem, kMaxSampledPoints); !checked) {
      return failWith(checked);
    }
    const auto posterior = network_.posterior(problem);
    const NetworkShape shape = network_.shape(problem);
    std::vector<double> start = initialParameters(shape, seed, 0);
    if (const Status checked = checkStart(*posterior, start); !checked) {
      return failWith(checked);
    }
    return std::make_unique<BbbClassLearner>(
        problem, shape, BayesByBackprop(posterior, inference_, std::move(start), seed), draws_,
        seed);
  }

 private:
  PosteriorClassOptions network_;
  MeanFieldOptions inference_{
      .steps = 2000, .draws = 2, .learning_rate = 0.03, .initial_std = 0.05};
  std::int64_t draws_ = 50;
};

}  // namespace

ClassMethodInfo hmcClassMethod() {
  return {"hmc",
          "HMC",
          "Hamiltonian Monte Carlo draws networks from the posterior with trajectories that follow "
          "the gradient. The most exact method here, and the reference for the others.",
          "p = mean of softmax(f_w(x)) over w ~ p(w | D), by leapfrog trajectories",
          "9-small-bayesian-models",
          []() -> std::unique_ptr<ClassMethod> { return std::make_unique<HmcClassMethod>(); }};
}

ClassMethodInfo bayesByBackpropClassMethod() {
  return {"bbb",
          "Bayes by Backprop",
          "Fits a Gaussian with independent weights by gradients through its draws. Independent "
          "weights cannot follow the posterior: many of them fall back to the prior.",
          "min −ELBO = E_q[ln q(w) − ln p(w) − ln p(D | w)], w = μ + ln(1 + exp ρ)z",
          "9-small-bayesian-models",
          []() -> std::unique_ptr<ClassMethod> { return std::make_unique<BbbClassMethod>(); }};
}

}  // namespace dubito
