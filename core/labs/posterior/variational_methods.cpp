// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/nan.h"
#include "core/labs/network/network_options.h"
#include "core/labs/network/regression_task.h"
#include "core/labs/posterior/posterior_methods.h"
#include "core/labs/posterior/posterior_network.h"
#include "core/labs/posterior/variational_learner.h"
#include "core/labs/sampling/bayes_by_backprop.h"
#include "core/labs/sampling/graves.h"

namespace dubito {

void addElbo(double loss, Curve losses, LabDiagnostics& diagnostics) {
  diagnostics.numbers.push_back({"loss", "Loss", loss});
  diagnostics.numbers.push_back({"elbo", "ELBO", -loss});
  losses.name = "ELBO";
  for (double& value : losses.y) {
    value = -value;
  }
  diagnostics.traces.push_back(std::move(losses));
}

void addProgress(const LossProgress::Estimate& progress, bool has_ended,
                 LabDiagnostics& diagnostics) {
  diagnostics.converged = has_ended && isAtOptimum(progress);
  if (!has_ended) {
    return;
  }
  diagnostics.numbers.push_back(
      {"loss_progress", "Fall of the loss in the second half", progress.nats});
  if (!diagnostics.converged) {
    diagnostics.warnings.push_back(
        fmt::format("The fit has not converged: in the second half of its steps, the loss still "
                    "fell by {:.3g} nats; take more steps",
                    progress.nats));
  }
}

namespace {

/// Points of the curve of the loss, at most.
constexpr std::int64_t kLossPoints = 400;
/// Function draws of a prediction, at most.
constexpr std::int64_t kMaxFunctionDraws = 1000;

/// Share of the weights whose spread is at least nine tenths of the prior's.
double unlearntShare(const MeanField& field, std::span<const double> prior_precision) {
  std::size_t count = 0;
  for (std::size_t d = 0; d < field.std.size(); ++d) {
    count += field.std[d] * field.std[d] * prior_precision[d] > 0.81 ? 1U : 0U;
  }
  return static_cast<double>(count) / static_cast<double>(field.std.size());
}

class CurveVariationalLearner : public VariationalLearner<RegressionTask> {
 public:
  CurveVariationalLearner(const RegressionProblem& problem, NetworkShape shape,
                          std::shared_ptr<const DataPosterior> posterior,
                          std::unique_ptr<MeanFieldInference> inference, std::uint64_t seed)
      : VariationalLearner(problem, std::move(shape), std::move(inference), kMaxFunctionDraws,
                           seed),
        posterior_(std::move(posterior)),
        steps_per_point_((total() + kLossPoints - 1) / kLossPoints) {}

  [[nodiscard]] LabDiagnostics diagnostics() const override {
    LabDiagnostics result;
    const double unlearnt = unlearntShare(inference().result(), posterior_->priorPrecision());
    result.numbers.push_back({"unlearnt", "Share of weights at the prior", unlearnt});
    addProgress(inference().progress(), done() == total(), result);
    if (!losses_.empty()) {
      Curve curve{.name = {}, .x = {}, .y = losses_, .summary = kNaN};
      for (std::size_t i = 0; i < losses_.size(); ++i) {
        curve.x.push_back(static_cast<double>(static_cast<std::int64_t>(i + 1) * steps_per_point_));
      }
      addElbo(losses_.back(), std::move(curve), result);
    }
    return result;
  }

 protected:
  void recordLoss(double loss) override {
    loss_sum_ += loss;
    if (done() % steps_per_point_ == 0) {
      losses_.push_back(loss_sum_ / static_cast<double>(steps_per_point_));
      loss_sum_ = 0.0;
    }
  }

 private:
  std::shared_ptr<const DataPosterior> posterior_;
  /// Mean loss of `steps_per_point_` steps each.
  std::vector<double> losses_;
  std::int64_t steps_per_point_;
  double loss_sum_ = 0.0;
};

struct VariationalOptions {
  MeanFieldOptions inference;
  PosteriorNetworkOptions network = {};

  std::vector<Field> fields() { return joinFields(network.fields(), inference.fields()); }
};

template <class Inference>
class VariationalMethod : public MethodWithOptions<RegressionMethod, VariationalOptions> {
 public:
  using MethodWithOptions::MethodWithOptions;

  [[nodiscard]] Expected<std::unique_ptr<RegressionLearner>> start(
      const RegressionProblem& problem, std::uint64_t seed) const override {
    const auto posterior = options().network.posterior(problem);
    const NetworkShape shape = options().network.shape(problem);
    auto starts = startingPoints(*posterior, shape, 1, seed);
    if (!starts) {
      return failWith(starts);
    }
    return std::make_unique<CurveVariationalLearner>(
        problem, shape, posterior, inferenceFrom(posterior, std::move(starts->front()), seed),
        seed);
  }

 private:
  [[nodiscard]] std::unique_ptr<MeanFieldInference> inferenceFrom(
      const std::shared_ptr<const DataPosterior>& posterior, std::vector<double> start,
      std::uint64_t seed) const {
    if constexpr (std::is_same_v<Inference, BayesByBackprop>) {
      return std::make_unique<Inference>(posterior, options().inference, std::move(start), seed,
                                         priorWidths(*posterior));
    } else {
      return std::make_unique<Inference>(posterior, options().inference, std::move(start), seed);
    }
  }
};

template <class Inference>
std::unique_ptr<RegressionMethod> curveInference(MeanFieldOptions inference) {
  return std::make_unique<CurvePosteriorMethod<VariationalMethod<Inference>>>(
      VariationalOptions{inference});
}

}  // namespace

RegressionMethodInfo bayesByBackpropMethod() {
  return {"bbb",
          "Bayes by Backprop",
          "Fits a Gaussian with independent weights by gradients through its draws. "
          "Independent weights cannot follow the posterior, so the band is only an "
          "approximation.",
          "min −ELBO = E_q[ln q(w) − ln p(w) − ln p(D | w)], w = μ + ln(1 + exp ρ)z",
          "9-small-bayesian-models",
          [] {
            return curveInference<BayesByBackprop>(
                {.steps = 5000, .learning_rate = 0.02, .initial_std = 0.05});
          }};
}

RegressionMethodInfo gravesMethod() {
  return {"graves",
          "Graves' VI",
          "Fits a Gaussian with independent weights; squared gradients per point "
          "stand for the curvature.",
          "∂L/∂μ = mean gradient; ∂L/∂σ² = 1/(2S) Σₛ Σₙ (∂lₙ/∂w)²",
          "9-small-bayesian-models",
          [] {
            return curveInference<GravesInference>(
                {.steps = 4000, .learning_rate = 0.01, .initial_std = 0.02});
          }};
}

}  // namespace dubito
