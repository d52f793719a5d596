// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/blr_method.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "core/base/all_finite.h"
#include "core/labs/gaussian/evidence_search.h"
#include "core/labs/gaussian/linear_regression.h"

namespace dubito {
namespace {

/// Bounds of the fitted standard deviations; that of the noise is relative to the root mean square
/// of y.
constexpr double kMinPriorStd = 1e-5;
constexpr double kMaxPriorStd = 1e5;
constexpr double kMinNoiseStdShare = 1e-4;
constexpr double kMaxNoiseStdShare = 10.0;

/// Prior and noise, of which some are fitted, as logarithms.
struct LinearParameters {
  double prior_std = 1.0;
  double noise_std = 1.0;
  bool fits_prior = false;
  bool fits_noise = false;

  [[nodiscard]] LinearParameters withFitted(std::span<const double> point) const {
    LinearParameters result = *this;
    if (fits_prior) {
      result.prior_std = std::exp(point.front());
    }
    if (fits_noise) {
      result.noise_std = std::exp(point.back());
    }
    return result;
  }
  /// Names of what is fitted, for messages.
  [[nodiscard]] std::vector<std::string> fittedNames() const {
    std::vector<std::string> names;
    if (fits_prior) {
      names.emplace_back("Prior");
    }
    if (fits_noise) {
      names.emplace_back("Noise");
    }
    return names;
  }
};

EvidenceSearchPlan blrSearchPlan(const BlrOptions& options, const LinearParameters& start,
                                 const RegressionProblem& problem) {
  EvidenceSearchPlan plan;
  if (start.fits_prior) {
    plan.start.push_back(std::log(start.prior_std));
    plan.bounds.low.push_back(std::log(kMinPriorStd));
    plan.bounds.high.push_back(std::log(kMaxPriorStd));
  }
  if (start.fits_noise) {
    const double squares =
        std::inner_product(problem.y.begin(), problem.y.end(), problem.y.begin(), 0.0);
    const double scale =
        squares > 0.0 ? std::sqrt(squares / static_cast<double>(problem.size())) : 1.0;
    plan.start.push_back(std::log(start.noise_std));
    plan.bounds.low.push_back(std::log(kMinNoiseStdShare * scale));
    plan.bounds.high.push_back(std::log(kMaxNoiseStdShare * scale));
  }
  plan.starts = plan.start.empty() ? 0 : 1;
  plan.steps_per_start = options.steps;
  return plan;
}

class BlrLearner final : public RegressionLearner {
 public:
  BlrLearner(FeatureBasis basis, LinearRegression prior, LinearRegression regression,
             LinearParameters start, EvidenceSearchPlan plan, std::uint64_t seed)
      : basis_(basis),
        prior_(std::move(prior)),
        regression_(std::move(regression)),
        start_(start),
        seed_(seed),
        search_(std::move(plan)) {}

  [[nodiscard]] std::int64_t done() const override {
    return fits() ? search_.done() : (is_closed_form_done_ ? 1 : 0);
  }
  [[nodiscard]] std::int64_t total() const override { return fits() ? search_.total() : 1; }

  [[nodiscard]] Status advance(std::int64_t units, RunContext& context) override {
    const std::int64_t end = std::min(done() + units, total());
    while (done() < end) {
      if (context.cancelRequested()) {
        return cancelled();
      }
      if (!fits()) {
        is_closed_form_done_ = true;
      } else if (Status stepped = search_.step(
                     [this](std::span<const double> point) { return evidenceAt(point); }, context);
                 !stepped) {
        return stepped;
      }
    }
    return {};
  }

  [[nodiscard]] Expected<RegressionPrediction> predict(std::span<const double> x,
                                                       std::int64_t max_draws,
                                                       RunContext& context) const override {
    if (context.cancelRequested()) {
      return cancelled();
    }
    const Array<double> features = basis_.features(x);
    const LinearParameters at = current();
    const LinearRegression& regression = done() == 0 ? prior_ : regression_;
    LinearPrediction gaussian = regression.predict(features, at.prior_std, at.noise_std);
    if (!allFinite(gaussian.mean) || !allFinite(gaussian.variance)) {
      return fail(ErrorCode::kInvalidArgument,
                  "blr: the functions overflow far from the points; use a smaller size or another "
                  "basis");
    }
    RegressionPrediction result;
    result.mean = std::move(gaussian.mean);
    result.epistemic_variance = std::move(gaussian.variance);
    result.noise_variance.assign(x.size(), at.noise_std * at.noise_std);
    result.draws = regression.drawFunctions(features, at.prior_std, at.noise_std, max_draws, seed_);
    return result;
  }

  [[nodiscard]] std::optional<WeightPlane> weights(std::int64_t max_draws) const override {
    if (regression_.weightCount() != 2) {
      return std::nullopt;
    }
    const LinearParameters at = current();
    const LinearRegression& regression = done() == 0 ? prior_ : regression_;
    const LinearWeights gaussian = regression.weights(at.prior_std, at.noise_std);
    const double variance = at.prior_std * at.prior_std;
    WeightPlane plane;
    plane.prior_covariance = {variance, 0.0, 0.0, variance};
    std::ranges::copy(gaussian.mean, plane.mean.begin());
    std::ranges::copy(gaussian.covariance.values(), plane.covariance.begin());
    plane.draws = regression.drawWeights(at.prior_std, at.noise_std, max_draws, seed_);
    return plane;
  }

  [[nodiscard]] LabDiagnostics diagnostics() const override {
    const LinearParameters at = current();
    LabDiagnostics result;
    if (done() > 0) {
      const LinearEvidence evidence = regression_.evidence(at.prior_std, at.noise_std);
      result.numbers.push_back({"log_evidence", "Log evidence", evidence.log_evidence});
      result.numbers.push_back(
          {"effective_weights", "Effective weights", evidence.effective_weights});
    }
    result.numbers.push_back(
        {"weights", "Weights", static_cast<double>(regression_.weightCount())});
    result.numbers.push_back({"noise_std", "Noise", at.noise_std});
    result.numbers.push_back({"prior_std", "Prior", at.prior_std});
    result.traces = search_.traces();
    if (auto limit = search_.limitWarning()) {
      result.converged = false;
      result.warnings.push_back(*std::move(limit));
    }
    for (std::string& warning : search_.boundWarnings(start_.fittedNames())) {
      result.warnings.push_back(std::move(warning));
    }
    return result;
  }

 private:
  [[nodiscard]] bool fits() const { return search_.total() > 0; }
  [[nodiscard]] LinearParameters current() const { return start_.withFitted(search_.best()); }

  [[nodiscard]] Expected<AscentValue> evidenceAt(std::span<const double> point) const {
    const LinearParameters at = start_.withFitted(point);
    const LinearEvidence evidence = regression_.evidence(at.prior_std, at.noise_std);
    AscentValue result{evidence.log_evidence, {}};
    if (start_.fits_prior) {
      result.gradient.push_back(evidence.gradient_log_prior_std);
    }
    if (start_.fits_noise) {
      result.gradient.push_back(evidence.gradient_log_noise_std);
    }
    return result;
  }

  FeatureBasis basis_;
  LinearRegression prior_;  ///< without points
  LinearRegression regression_;
  LinearParameters start_;
  std::uint64_t seed_;
  EvidenceSearch search_;
  bool is_closed_form_done_ = false;
};

class BlrMethod final : public MethodWithOptions<RegressionMethod, BlrOptions> {
 public:
  /// kInvalidArgument if a feature is not finite.
  [[nodiscard]] Expected<std::unique_ptr<RegressionLearner>> start(
      const RegressionProblem& problem, std::uint64_t seed) const override {
    const auto rule = parseNoiseRule(options().noise);
    if (!rule) {
      return failWith(rule);
    }
    const auto [low, high] = std::ranges::minmax_element(problem.x);
    const FeatureBasis basis(parseBasis(options().basis), options().size,
                             problem.hasEvidence() ? Interval{*low, *high} : problem.range);
    const auto prior = LinearRegression::decompose(basis.features({}), {});
    auto regression = LinearRegression::decompose(basis.features(problem.x), problem.y);
    if (!regression) {
      return failWith(regression);
    }
    const LinearParameters start{options().prior_std.value_or(1.0),
                                 rule->initial(problem.noise_std),
                                 !options().prior_std && problem.hasEvidence(),
                                 rule->kind == NoiseRule::Kind::kEvidence && problem.hasEvidence()};
    return std::make_unique<BlrLearner>(basis, *prior, std::move(*regression), start,
                                        blrSearchPlan(options(), start, problem), seed);
  }
  [[nodiscard]] bool hasPrior() const override { return true; }
};

}  // namespace

std::vector<Field> BlrOptions::fields() {
  return {field(&basis, "basis", "Basis",
                "functions that are summed: polynomial (Legendre, scaled to the points), radial "
                "(Gaussian bumps), fourier (cosines and sines) or powers (1, x, x^2, ...)",
                {.choices = {"polynomial", "radial", "fourier", "powers"}}),
          field(&size, "size", "Size",
                "degree of the polynomial, number of bumps or number of frequencies",
                {.min = 1, .max = 100}),
          field(&prior_std, "prior_std", "Prior",
                "standard deviation of the weights before any data; by default it maximises "
                "the evidence",
                {.min = 1e-6, .max = 1e6}),
          {noiseFieldInfo(), &noise},
          field(&steps, "steps", "Steps", "largest number of optimiser steps",
                {.min = 1,
                 .max = 500,
                 .unmet_requirement =
                     allUnless(!prior_std || noise == "auto", {setting("noise_from", "auto")}),
                 .advanced = true})};
}

Status BlrOptions::check() const {
  if (Status checked = checkFields(BlrOptions(*this).fields()); !checked) {
    return checked;
  }
  const auto rule = parseNoiseRule(noise);
  return rule ? Status() : Status(failWith(rule));
}

RegressionMethodInfo blrMethod() {
  return {"blr",
          "Bayesian linear regression",
          "A sum of fixed functions with Gaussian weights. The posterior of the "
          "weights is Gaussian and exact.",
          "S' = (ΦᵀΦ/σ² + I/p²)⁻¹, m' = S'Φᵀy/σ²; variance of f: "
          "φᵀS'φ; of y, with the noise: that + σ²",
          "9-small-bayesian-models",
          makeMethod<RegressionMethod, BlrMethod>};
}

}  // namespace dubito
