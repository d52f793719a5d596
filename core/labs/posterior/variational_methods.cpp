// SPDX-License-Identifier: GPL-3.0-or-later
#include <type_traits>
#include <utility>

#include "core/labs/network/network_options.h"
#include "core/labs/posterior/posterior_methods.h"
#include "core/labs/posterior/posterior_network.h"
#include "core/labs/posterior/variational_learner.h"
#include "core/labs/sampling/bayes_by_backprop.h"
#include "core/labs/sampling/graves.h"
#include "core/labs/sampling/markov_chain.h"

namespace dubito {
namespace {

template <class Inference>
class InferenceOf : public VariationalInference {
 public:
  explicit InferenceOf(Inference inference) : inference_(std::move(inference)) {}

  void step(const RunContext& context) override { inference_.step(context); }
  [[nodiscard]] std::int64_t done() const override { return inference_.done(); }
  [[nodiscard]] std::int64_t total() const override { return inference_.total(); }
  [[nodiscard]] double loss() const override { return inference_.loss(); }
  [[nodiscard]] MeanField result() const override { return inference_.result(); }
  [[nodiscard]] LossProgress::Estimate progress() const override { return inference_.progress(); }

 private:
  Inference inference_;
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
    return std::make_unique<VariationalLearner>(
        problem, shape, posterior,
        std::make_unique<InferenceOf<Inference>>(make(posterior, start, seed)), seed);
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
          .formula = "min E_q[ln q(w) - ln p(w) - ln p(D | w)], w = mu + ln(1 + e^rho) z",
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
          .formula = "dL/dmu = mean gradient; dL/dsigma^2 = 1/(2S) sum_s sum_n (dl_n/dw)^2",
          .theory = "9-small-bayesian-models",
          .make = []() -> std::unique_ptr<RegressionMethod> {
            return std::make_unique<VariationalMethod<GravesInference>>(
                MeanFieldOptions{.steps = 4000, .learning_rate = 0.01, .initial_std = 0.02});
          }};
}

}  // namespace dubito
