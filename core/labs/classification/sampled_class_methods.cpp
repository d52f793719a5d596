// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/labs/classification/class_methods.h"
#include "core/labs/classification/class_task.h"
#include "core/labs/network/network_regression.h"
#include "core/labs/network/training.h"
#include "core/labs/posterior/chain_method.h"
#include "core/labs/posterior/variational_learner.h"
#include "core/labs/sampling/bayes_by_backprop.h"

namespace dubito {
namespace {

/// Points at which chains are compared.
constexpr std::int64_t kComparedPoints = 5;

/// The posterior that both methods look for.
struct PosteriorClassOptions {
  using Task = ClassTask;
  static constexpr bool kScalesByPrior = false;

  NetworkOptions network = defaultClassNetwork();
  double precision = 1.0;

  /// Without the options of a training.
  [[nodiscard]] std::vector<Field> fields() {
    std::vector<Field> fields = joinFields({precisionField(precision)}, network.fields());
    std::erase_if(fields, [](const Field& field) {
      const std::string& name = field.info.name;
      return name == "epochs" || name == "learning_rate" || name == "batch_size";
    });
    return fields;
  }
  [[nodiscard]] NetworkShape shape(const ClassProblem& problem) const {
    return ClassTask::shape(network, problem);
  }
  [[nodiscard]] std::shared_ptr<const DataPosterior> posterior(const ClassProblem& problem) const {
    const NetworkShape of_problem = shape(problem);
    return std::make_shared<DataPosterior>(
        std::make_shared<ClassLikelihood>(problem, of_problem),
        NetworkPrior{.precision = std::max(precision, 1e-6)}.precisions(of_problem));
  }
  /// Lets chains be compared by the log probability of the own class at some of the points.
  void compare(const ClassProblem& problem, ChainRun::Setup& setup) const {
    std::vector<std::int64_t> items;
    const std::int64_t count = std::min(kComparedPoints, problem.size());
    for (std::int64_t i = 0; i < count; ++i) {
      items.push_back((2 * i + 1) * problem.size() / (2 * count));
      const auto at = 2 * static_cast<std::size_t>(items.back());
      setup.compared.push_back(
          fmt::format("at ({:.2g}, {:.2g})", problem.inputs[at], problem.inputs[at + 1]));
    }
    setup.outputs = [problem, shape = shape(problem), items](std::span<const double> state,
                                                             std::span<double> outputs) {
      for (std::size_t i = 0; i < items.size(); ++i) {
        outputs[i] =
            classLogLikelihood(problem, std::span(items).subspan(i, 1), shape, state, 1.0, {});
      }
    };
  }
};

struct BbbClassOptions {
  PosteriorClassOptions network;
  MeanFieldOptions inference{.steps = 2000, .draws = 2, .learning_rate = 0.03, .initial_std = 0.05};
  std::int64_t draws = 50;

  [[nodiscard]] std::vector<Field> fields() {
    std::vector<Field> of_inference = inference.fields();
    // The draws of a step and those of a prediction must not share a name.
    const auto step_draws = std::ranges::find(of_inference, "draws",
                                              [](const Field& field) { return field.info.name; });
    step_draws->info.name = "step_draws";
    step_draws->info.label = "Draws per step";
    return joinFields(joinFields(network.fields(), std::move(of_inference)), {drawsField(draws)});
  }
};

class BbbClassLearner : public VariationalLearner<ClassTask> {
 public:
  using VariationalLearner::VariationalLearner;

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

class BbbClassMethod : public MethodWithOptions<ClassMethod, BbbClassOptions> {
 public:
  [[nodiscard]] Expected<std::unique_ptr<ClassLearner>> start(const ClassProblem& problem,
                                                              std::uint64_t seed) const override {
    const auto posterior = options().network.posterior(problem);
    const NetworkShape shape = options().network.shape(problem);
    auto starts = startingPoints(*posterior, shape, 1, seed);
    if (!starts) {
      return failWith(starts);
    }
    return std::make_unique<BbbClassLearner>(
        problem, shape,
        std::make_unique<BayesByBackprop>(posterior, options().inference,
                                          std::move(starts->front()), seed),
        options().draws, seed);
  }
};

using HmcClassMethod = ChainMethod<PosteriorClassOptions, HmcOptions>;

}  // namespace

std::vector<ClassMethodInfo> sampledClassMethods() {
  return {
      {"bbb", "Bayes by Backprop",
       "Fits a Gaussian with independent weights by gradients through its draws. Independent "
       "weights cannot follow the posterior: many of them fall back to the prior.",
       "min −ELBO = E_q[ln q(w) − ln p(w) − ln p(D | w)], w = μ + ln(1 + exp ρ)z",
       "9-small-bayesian-models", makeMethod<ClassMethod, BbbClassMethod>},
      {"hmc", "HMC",
       "Hamiltonian Monte Carlo draws networks from the posterior with trajectories that follow "
       "the gradient. The most exact method here, and the reference for the others.",
       "p = mean of softmax(f_w(x)) over w ~ p(w | D), by leapfrog trajectories",
       "9-small-bayesian-models", []() -> std::unique_ptr<ClassMethod> {
         return std::make_unique<HmcClassMethod>(
             HmcClassMethod::Options{.sampler = {.step_size = 0.02,
                                                 .leapfrog_steps = 30,
                                                 .target_acceptance = 0.8,
                                                 .warm_up = 200},
                                     .run = {.chains = 4, .draws = 300, .kept = 300}});
       }}};
}

}  // namespace dubito
