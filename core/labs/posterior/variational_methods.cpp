// SPDX-License-Identifier: GPL-3.0-or-later
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
#include "core/labs/sampling/markov_chain.h"

namespace dubito {
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

template <class Inference>
class CurveVariationalLearner : public VariationalLearner<RegressionTask, Inference> {
 public:
  CurveVariationalLearner(const RegressionProblem& problem, NetworkShape shape,
                          std::shared_ptr<const DataPosterior> posterior, Inference inference,
                          std::uint64_t seed)
      : VariationalLearner<RegressionTask, Inference>(
            problem, std::move(shape), std::move(inference), kMaxFunctionDraws, seed),
        posterior_(std::move(posterior)),
        steps_per_point_((this->total() + kLossPoints - 1) / kLossPoints) {}

  [[nodiscard]] LabDiagnostics diagnostics() const override {
    LabDiagnostics result;
    const double unlearnt = unlearntShare(this->inference().result(), posterior_->priorPrecision());
    result.numbers.push_back({"unlearnt", "Share of weights at the prior", unlearnt});
    addProgress(this->inference().progress(), this->done() == this->total(), result);
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
    if (this->done() % steps_per_point_ == 0) {
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

template <class Inference>
class VariationalMethod : public RegressionMethod {
 public:
  explicit VariationalMethod(const MeanFieldOptions& inference) : inference_(inference) {}

  [[nodiscard]] std::vector<Field> fields() override {
    return joinFields(network_.fields(), inference_.fields());
  }
  [[nodiscard]] Status check() const override {
    return checkFields(VariationalMethod(*this).fields());
  }
  [[nodiscard]] std::string posterior() const override { return network_.text(); }
  [[nodiscard]] Expected<std::unique_ptr<RegressionLearner>> start(
      const RegressionProblem& problem, std::uint64_t seed) const override {
    if (const Status checked = checkSizeForSampling(problem); !checked) {
      return failWith(checked);
    }
    const auto posterior = networkPosterior(problem, network_);
    const NetworkShape shape = network_.shape();
    const std::vector<double> start = initialParameters(shape, seed, 0);
    if (const Status checked = checkStart(*posterior, start); !checked) {
      return failWith(checked);
    }
    return std::make_unique<CurveVariationalLearner<Inference>>(problem, shape, posterior,
                                                                make(posterior, start, seed), seed);
  }

 private:
  [[nodiscard]] Inference make(const std::shared_ptr<const DataPosterior>& posterior,
                               const std::vector<double>& start, std::uint64_t seed) const {
    if constexpr (std::is_same_v<Inference, BayesByBackprop>) {
      return BayesByBackprop(posterior, inference_, start, seed, priorWidths(*posterior));
    } else {
      return GravesInference(posterior, inference_, start, seed);
    }
  }

  PosteriorNetworkOptions network_;
  MeanFieldOptions inference_;
};

}  // namespace

RegressionMethodInfo bayesByBackpropMethod() {
  return {.key = "bbb",
          .name = "Bayes by Backprop",
          .explanation =
              "Fits a Gaussian with independent weights by gradients through its draws. "
              "Independent weights cannot follow the posterior, so the band is only an "
              "approximation.",
          .formula = "min −ELBO = E_q[ln q(w) − ln p(w) − ln p(D | w)], w = μ + ln(1 + exp ρ)z",
          .theory = "9-small-bayesian-models",
          .make = []() -> std::unique_ptr<RegressionMethod> {
            return std::make_unique<VariationalMethod<BayesByBackprop>>(
                MeanFieldOptions{.steps = 5000, .learning_rate = 0.02, .initial_std = 0.05});
          }};
}

RegressionMethodInfo gravesMethod() {
  return {.key = "graves",
          .name = "Graves' VI",
          .explanation =
              "Fits a Gaussian with independent weights; squared gradients per point "
              "stand for the curvature.",
          .formula = "∂L/∂μ = mean gradient; ∂L/∂σ² = 1/(2S) Σₛ Σₙ (∂lₙ/∂w)²",
          .theory = "9-small-bayesian-models",
          .make = []() -> std::unique_ptr<RegressionMethod> {
            return std::make_unique<VariationalMethod<GravesInference>>(
                MeanFieldOptions{.steps = 4000, .learning_rate = 0.01, .initial_std = 0.02});
          }};
}

}  // namespace dubito
