// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/labs/classification/class_methods.h"
#include "core/labs/classification/class_network.h"
#include "core/labs/classification/class_prediction.h"
#include "core/labs/network/network_regression.h"
#include "core/labs/posterior/chain_run.h"
#include "core/labs/posterior/variational_learner.h"
#include "core/labs/random/keyed_random.h"
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

/// A learner whose functions are networks with drawn parameters.
class DrawnClassLearner : public ClassLearner {
 public:
  explicit DrawnClassLearner(NetworkShape shape) : shape_(std::move(shape)) {}

  [[nodiscard]] Expected<ClassPrediction> predict(std::span<const double> inputs,
                                                  std::int64_t max_draws,
                                                  RunContext& context) const override {
    const Array<double> weights = drawnWeights(max_draws);
    return predictInParts(inputs, shape_.outputs, context,
                          [&](std::span<const double> part) -> Expected<ClassPrediction> {
                            const auto logits = logitsAt(weights, part, context);
                            return logits ? predictionOfFunctions(*logits, context)
                                          : Expected<ClassPrediction>(failWith(logits));
                          });
  }

  [[nodiscard]] Expected<Array<double>> functions(std::span<const double> inputs,
                                                  std::int64_t max_draws,
                                                  RunContext& context) const override {
    return logitsAt(drawnWeights(max_draws), inputs, context);
  }

 protected:
  /// Up to `max_draws` vectors of parameters [T, P].
  [[nodiscard]] virtual Array<double> drawnWeights(std::int64_t max_draws) const = 0;
  [[nodiscard]] const NetworkShape& shape() const { return shape_; }

 private:
  [[nodiscard]] Expected<Array<double>> logitsAt(const Array<double>& weights,
                                                 std::span<const double> inputs,
                                                 RunContext& context) const {
    return logitsOfDraws(
        weights.extent(0), inputs, shape_.outputs, context,
        [&](std::int64_t t, std::span<const double> part, std::span<double> logits) {
          networkOutputs(shape_, weights.row(t), part, logits);
        });
  }

  NetworkShape shape_;
};

class ChainClassLearner : public DrawnClassLearner {
 public:
  ChainClassLearner(const ClassProblem& problem, NetworkShape shape, const HmcOptions& sampler,
                    const ChainRunOptions& run, std::vector<std::unique_ptr<MarkovChain>> chains)
      : DrawnClassLearner(shape),
        run_(setUpOf(problem, std::move(shape), sampler, run), std::move(chains)) {}

  [[nodiscard]] std::int64_t done() const override { return run_.done(); }
  [[nodiscard]] std::int64_t total() const override { return run_.total(); }
  [[nodiscard]] Status advance(std::int64_t units, RunContext& context) override {
    return run_.advance(units, context);
  }
  [[nodiscard]] LabDiagnostics diagnostics() const override { return run_.diagnostics(); }

 protected:
  [[nodiscard]] Array<double> drawnWeights(std::int64_t max_draws) const override {
    return run_.states(max_draws);
  }

 private:
  /// Compares the log probability of the own class at some of the points.
  static ChainRun::Setup setUpOf(const ClassProblem& problem, NetworkShape shape,
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

  ChainRun run_;
};

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
    std::vector<std::unique_ptr<MarkovChain>> chains;
    for (std::int64_t c = 0; c < run_.chains; ++c) {
      const auto number = static_cast<std::uint64_t>(c);
      std::vector<double> start = initialParameters(shape, seed, number);
      if (const Status checked = checkStart(*posterior, start); !checked) {
        return failWith(checked);
      }
      chains.push_back(
          std::make_unique<HmcChain>(posterior, sampler_, std::move(start), seed, number));
    }
    return std::make_unique<ChainClassLearner>(problem, shape, sampler_, run_, std::move(chains));
  }

 private:
  PosteriorClassOptions network_;
  HmcOptions sampler_{
      .step_size = 0.02, .leapfrog_steps = 30, .target_acceptance = 0.8, .warm_up = 200};
  ChainRunOptions run_{.chains = 4, .draws = 300, .kept = 300};
};

class BbbClassLearner : public DrawnClassLearner {
 public:
  BbbClassLearner(NetworkShape shape, BayesByBackprop inference, std::int64_t draws,
                  std::uint64_t seed)
      : DrawnClassLearner(std::move(shape)),
        inference_(std::move(inference)),
        draws_(draws),
        seed_(seed) {}

  [[nodiscard]] std::int64_t done() const override { return inference_.done(); }
  [[nodiscard]] std::int64_t total() const override { return inference_.total(); }
  [[nodiscard]] Status advance(std::int64_t units, RunContext& context) override {
    const std::int64_t end = std::min(total(), done() + units);
    while (done() < end) {
      if (context.step("Variational inference", done(), end) == Step::kCancel) {
        return cancelled();
      }
      inference_.step(context);
      if (!std::isfinite(inference_.loss())) {
        return fail(ErrorCode::kInvalidArgument,
                    "The variational loss is not finite; use a smaller learning rate");
      }
      losses_.add(inference_.loss());
    }
    return {};
  }
  [[nodiscard]] LabDiagnostics diagnostics() const override {
    LabDiagnostics result;
    if (done() > 0) {
      result.numbers.push_back({"loss", "Loss", inference_.loss()});
      result.traces.push_back(losses_.curve("Loss"));
    }
    addProgress(inference_.progress(), done() == total(), result);
    return result;
  }

 protected:
  [[nodiscard]] Array<double> drawnWeights(std::int64_t max_draws) const override {
    const MeanField field = inference_.result();
    auto weights = Array<double>::zeros(
        {std::clamp<std::int64_t>(max_draws, 1, draws_), shape().parameterCount()});
    std::vector<double> noise(field.mean.size());
    for (std::int64_t t = 0; t < weights.extent(0); ++t) {
      KeyedRandom(seed_, LabSite::kFunctionDraw).normals(static_cast<std::uint32_t>(t), noise);
      drawOf(field.mean, field.std, noise, 0, weights.mutableRow(t));
    }
    return weights;
  }

 private:
  BayesByBackprop inference_;
  ThinnedTrace losses_;
  std::int64_t draws_;
  std::uint64_t seed_;
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
        shape, BayesByBackprop(posterior, inference_, std::move(start), seed), draws_, seed);
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
          "min E_q[ln q(w) - ln p(w) - ln p(D | w)], w = mu + ln(1 + e^rho) z",
          "9-small-bayesian-models",
          []() -> std::unique_ptr<ClassMethod> { return std::make_unique<BbbClassMethod>(); }};
}

}  // namespace dubito
