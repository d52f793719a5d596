// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <optional>
#include <utility>

#include "core/labs/network/ensemble_learner.h"
#include "core/labs/network/network_methods.h"
#include "core/labs/network/network_options.h"
#include "core/labs/network/regression_task.h"
#include "core/labs/network/swag_moments.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

struct SwagOptions {
  // ReLU: the scatter of the functions drawn grows outside the data, while that of bounded units
  // does not.
  NetworkOptions network{.hidden_units = 100, .activation = "relu", .epochs = 1500};
  double precision = 1.0;
  std::int64_t sgd_epochs = 1000;
  double sgd_learning_rate = 0.0005;
  std::int64_t sgd_batch_size = 10;
  std::int64_t rank = 20;
  std::int64_t draws = 100;

  std::vector<Field> fields() {
    return joinFields(
        {field(&sgd_learning_rate, "sgd_learning_rate", "SGD rate",
               "constant step size of the SGD whose iterates are collected; larger steps give "
               "a wider distribution",
               {.min = 1e-8, .max = 10.0}),
         field(&sgd_epochs, "sgd_epochs", "SGD epochs",
               "epochs of SGD after training; one iterate per epoch is collected",
               {.min = 2, .max = 1e6}),
         field(&sgd_batch_size, "sgd_batch_size", "SGD batch size",
               "items per step of SGD; 0: all items, which leaves no noise",
               {.min = 0, .max = 1e6, .advanced = true}),
         field(&rank, "rank", "Rank",
               "most recent iterates that give the covariance its low-rank part",
               {.min = 2, .max = 200, .advanced = true}),
         precisionField(precision), drawsField(draws)},
        network.fields());
  }
};

/// Trains with Adam, then collects the iterates of SGD. A unit of work is an epoch of either.
class SwagLearner : public DrawnLearner<RegressionTask> {
 public:
  SwagLearner(const RegressionProblem& problem, const SwagOptions& options, std::uint64_t seed)
      : DrawnLearner(problem, options.network.shape(1)),
        options_(options),
        seed_(seed),
        training_(initialParameters(shape(), seed, 0), problem.size(), options.network.training(),
                  seed, 0),
        moments_(shape().parameterCount(), options.rank) {}

  [[nodiscard]] std::int64_t done() const override {
    return training_.done() + (sgd_ ? sgd_->done() : 0);
  }
  [[nodiscard]] std::int64_t total() const override {
    return options_.network.epochs + options_.sgd_epochs;
  }

  [[nodiscard]] Status advance(std::int64_t units, RunContext& context) override {
    const TrainingLoss loss = [this](std::span<const std::int64_t> items, std::uint32_t /*step*/,
                                     std::span<const double> parameters,
                                     std::span<double> gradient) {
      return posteriorLoss<RegressionTask>(problem(), items, shape(), options_.precision,
                                           parameters, gradient);
    };
    const std::int64_t end = std::min(total(), done() + units);
    while (done() < end) {
      const Step step = context.step("training", done(), total());
      if (step == Step::kCancel) {
        return cancelled();
      }
      if (step == Step::kStopEarly) {
        return {};
      }
      const bool is_sgd = training_.done() == options_.network.epochs;
      if (is_sgd && !sgd_) {
        // Streams of minibatches: 0 is that of the training.
        sgd_.emplace(training_.parameters(), problem().size(),
                     TrainingSettings{.optimiser = Optimiser::kSgd,
                                      .epochs = options_.sgd_epochs,
                                      .learning_rate = options_.sgd_learning_rate,
                                      .decays = false,
                                      .batch_size = options_.sgd_batch_size},
                     seed_, 1);
      }
      if (Status status = (is_sgd ? *sgd_ : training_).runEpoch(loss); !status) {
        return status;
      }
      if (is_sgd) {
        moments_.add(sgd_->parameters());
      }
    }
    return {};
  }

  [[nodiscard]] LabDiagnostics diagnostics() const override {
    LabDiagnostics result;
    if (done() > 0) {
      result.numbers.push_back(
          {"loss", "Loss", (sgd_ && sgd_->done() > 0 ? *sgd_ : training_).lastLoss()});
      result.traces.push_back(training_.lossTrace());
    }
    if (sgd_ && sgd_->done() > 0) {
      result.numbers.push_back(
          {"iterates", "Iterates collected", static_cast<double>(moments_.count())});
      Curve trace = sgd_->lossTrace();
      trace.name = "Loss of SGD";
      for (double& epoch : trace.x) {
        epoch += static_cast<double>(options_.network.epochs);
      }
      result.traces.push_back(std::move(trace));
    } else {
      result.warnings.emplace_back(
          "SGD has not started, so there is a single function and no epistemic variance yet");
    }
    return result;
  }

 protected:
  [[nodiscard]] Expected<Array<double>> functions(std::span<const double> x, std::int64_t max_draws,
                                                  RunContext& context) const override {
    const std::int64_t draws =
        hasOneFunction() ? 1 : std::clamp<std::int64_t>(max_draws, 1, options_.draws);
    return functionDraws(draws, x, context, [&](std::int64_t t, std::span<double> values) {
      if (hasOneFunction()) {
        networkOutputs(shape(), training_.parameters(), x, values);
        return;
      }
      std::vector<double> normals(static_cast<std::size_t>(moments_.normalsPerDraw()));
      KeyedRandom(seed_, LabSite::kFunctionDraw).normals(static_cast<std::uint32_t>(t), normals);
      networkOutputs(shape(), moments_.draw(normals), x, values);
    });
  }
  [[nodiscard]] bool hasOneFunction() const override { return moments_.count() < 2; }

 private:
  SwagOptions options_;
  std::uint64_t seed_;
  Training training_;
  std::optional<Training> sgd_;
  SwagMoments moments_;
};

}  // namespace

RegressionMethodInfo swagMethod() {
  return {"swag",
          "SWAG",
          "Stochastic gradient descent does not come to rest; a normal distribution is fitted to "
          "the weights it passes through, and networks are drawn from it.",
          "q ~ N(mean, ½diag + ½DDᵀ/(K − 1)) of the iterates",
          "9-small-bayesian-models",
          makeNetworkMethod<SwagOptions, SwagLearner>};
}

}  // namespace dubito
