// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/gp_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "core/labs/gaussian/evidence_search.h"
#include "core/labs/gaussian/gp_posterior.h"
#include "core/labs/gaussian/gp_search.h"
#include "core/labs/gaussian/kernel.h"

namespace dubito {
namespace {

/// An even selection of at most `count` points in the order of x, which does not depend on the
/// order of the points.
RegressionProblem evenSelection(const RegressionProblem& all, std::int64_t count) {
  if (all.size() <= count) {
    return all;
  }
  std::vector<std::size_t> order(all.x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(all.x[i], all.y[i]); });
  RegressionProblem selected;
  selected.noise_std = all.noise_std;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::size_t i = order[static_cast<std::size_t>((2 * k + 1) * all.size() / (2 * count))];
    selected.x.push_back(all.x[i]);
    selected.y.push_back(all.y[i]);
  }
  return selected;
}

/// What a search begins from, or what is used without one; the options are checked.
GpParameters parametersOf(const GpOptions& options, const RegressionProblem& problem) {
  const NoiseRule rule = parseNoiseRule(options.noise).value();
  const double noise_std = rule.initial(problem.noise_std);
  return {parseKernel(options.kernel).value(), noise_std * noise_std,
          options.optimise && problem.hasEvidence(),
          rule.kind == NoiseRule::Kind::kEvidence && problem.hasEvidence()};
}

class GpLearner final : public RegressionLearner {
 public:
  [[nodiscard]] static Status check(const RegressionProblem& problem,
                                    const GpOptions& /*options*/) {
    return checkGpSize(problem.size());
  }

  GpLearner(const RegressionProblem& problem, const GpOptions& options, std::uint64_t seed)
      : problem_(problem),
        selection_(evenSelection(problem, options.evidence_points)),
        start_(parametersOf(options, problem)),
        seed_(seed),
        search_(gpSearchPlan(start_, problem.y, options.starts, options.steps, seed)) {}

  [[nodiscard]] std::int64_t done() const override { return search_.done() + (posterior_ ? 1 : 0); }
  [[nodiscard]] std::int64_t total() const override { return search_.total() + 1; }

  [[nodiscard]] Status advance(std::int64_t units, RunContext& context) override {
    const std::int64_t end = std::min(done() + units, total());
    while (done() < end) {
      if (context.cancelRequested()) {
        return cancelled();
      }
      if (Status worked = oneUnit(context); !worked) {
        return worked;
      }
    }
    return {};
  }

  [[nodiscard]] Expected<RegressionPrediction> predict(std::span<const double> x,
                                                       std::int64_t max_draws,
                                                       RunContext& context) const override {
    const GpParameters parameters = current();
    const Expected<GpPosterior> posterior = currentPosterior(context);
    if (!posterior) {
      return failWith(posterior);
    }
    Expected<GpPrediction> gaussian = posterior->predict(x, max_draws, seed_, context);
    if (!gaussian) {
      return failWith(gaussian);
    }
    RegressionPrediction result;
    result.mean = std::move(gaussian->mean);
    result.epistemic_variance = std::move(gaussian->variance);
    result.noise_variance.assign(x.size(), parameters.noise_variance);
    result.draws = std::move(gaussian->draws);
    return result;
  }

  [[nodiscard]] Expected<std::optional<FunctionCovariance>> covariance(
      std::span<const double> x, const RunContext& context) const override {
    const auto prior = priorOf(current(), context);
    if (!prior) {
      return failWith(prior);
    }
    auto of_prior = prior->covariance(x, context);
    if (!of_prior) {
      return failWith(of_prior);
    }
    FunctionCovariance result{{x.begin(), x.end()}, *std::move(of_prior), {}};
    if (done() > 0 && problem_.size() > 0) {
      const auto posterior = currentPosterior(context);
      if (!posterior) {
        return failWith(posterior);
      }
      auto of_posterior = posterior->covariance(x, context);
      if (!of_posterior) {
        return failWith(of_posterior);
      }
      result.posterior = *std::move(of_posterior);
    }
    return std::optional(std::move(result));
  }

  [[nodiscard]] std::optional<double> plotSpacing() const override {
    return current().kernel.plotSpacing();
  }

  [[nodiscard]] LabDiagnostics diagnostics() const override {
    const GpParameters parameters = current();
    LabDiagnostics result;
    if (start_.fits_kernel && search_.bestValue()) {
      result.chosen = fmt::format("fitted kernel {}", parameters.kernel.roundedText(3));
    }
    if (posterior_) {
      result.numbers.push_back({"log_evidence", "Log evidence", posterior_->logEvidence()});
    } else if (search_.bestValue()) {
      result.numbers.push_back({"log_evidence", "Log evidence", *search_.bestValue()});
    }
    result.numbers.push_back({"noise_std", "Noise", std::sqrt(parameters.noise_variance)});
    for (const KernelParameter& parameter : parameters.kernel.parameters()) {
      result.numbers.push_back({parameter.key, parameter.name, parameter.value});
    }
    result.traces = search_.traces();
    if (posterior_ && posterior_->jitter() > 0.0) {
      result.numbers.push_back({"jitter", "Jitter", posterior_->jitter()});
      result.warnings.push_back(
          fmt::format("The kernel matrix is not positive definite; {:.1e} was added to its "
                      "diagonal.",
                      posterior_->jitter()));
    }
    if (search_.total() > 0 && selection_.size() < problem_.size()) {
      result.warnings.push_back(fmt::format(
          "The evidence is maximised on an even selection of {} of {} points; {}.",
          selection_.size(), problem_.size(),
          posterior_ ? "the posterior uses all points, and their log evidence is stated"
                     : "until that ends, the posterior and the log evidence are theirs"));
    }
    result.converged = posterior_.has_value() && search_.bestConverged();
    for (std::string& warning : searchWarnings(start_, search_)) {
      result.warnings.push_back(std::move(warning));
    }
    return result;
  }

 private:
  /// The parameters with the largest evidence so far.
  [[nodiscard]] GpParameters current() const { return start_.withFitted(search_.best()); }

  [[nodiscard]] static Expected<GpPosterior> fit(const GpParameters& parameters,
                                                 const RegressionProblem& problem,
                                                 const RunContext& context) {
    return GpPosterior::fit(parameters.kernel, parameters.noise_variance, problem.x, problem.y,
                            context);
  }

  [[nodiscard]] static Expected<GpPosterior> priorOf(const GpParameters& parameters,
                                                     const RunContext& context) {
    return GpPosterior::fit(parameters.kernel, 0.0, {}, {}, context);
  }
  /// What the learner predicts from in its present state.
  [[nodiscard]] Expected<GpPosterior> currentPosterior(const RunContext& context) const {
    if (posterior_) {
      return *posterior_;
    }
    return done() == 0 ? priorOf(current(), context) : fit(current(), selection_, context);
  }

  [[nodiscard]] Status oneUnit(const RunContext& context) {
    if (search_.done() < search_.total()) {
      return search_.step(
          [&](std::span<const double> point) {
            return gpEvidenceAt(start_, point, selection_.x, selection_.y, context);
          },
          context);
    }
    auto fitted = fit(current(), problem_, context);
    if (!fitted) {
      return failWith(fitted);
    }
    posterior_ = std::move(*fitted);
    return {};
  }

  RegressionProblem problem_;
  RegressionProblem selection_;  ///< the points on which the evidence is maximised
  GpParameters start_;
  std::uint64_t seed_;
  EvidenceSearch search_;
  std::optional<GpPosterior> posterior_;  ///< of all points, after the last unit
};

class GpMethod final : public LearnerMethod<RegressionMethod, GpOptions, GpLearner> {
 public:
  [[nodiscard]] bool hasPrior() const override { return true; }
};

}  // namespace

std::vector<Field> GpOptions::fields() {
  const Requirement without_search =
      oneUnless(optimise || noise == "auto", {setting("optimise"), setting("noise_from", "auto")});
  return {
      field(&kernel, "kernel", optimise ? "Kernel to start from" : "Kernel",
            "sums and products of " + kernelSignatures() +
                "; a number is a variance, as in 1.5*se(0.8) + linear(0.5)"),
      field(&optimise, "optimise", "Fit the kernel",
            "choose the parameters of the kernel by the evidence, starting from those "
            "given"),
      {noiseFieldInfo(), &noise},
      field(&starts, "starts", "Starts",
            "starting points of the optimisation; the first is the kernel as given, each "
            "further one the best of at least 16 random kernels",
            {.min = 1, .max = 20, .unmet_requirement = without_search, .advanced = true}),
      field(&steps, "steps", "Steps", "largest number of optimiser steps from one starting point",
            {.min = 1, .max = 500, .unmet_requirement = without_search, .advanced = true}),
      field(&evidence_points, "evidence_points", "Points for the evidence",
            "largest number of points on which the evidence is maximised; of more points, "
            "an even selection is used",
            {.min = 2, .max = 2000, .unmet_requirement = without_search, .advanced = true})};
}

Status GpOptions::check() const {
  if (Status checked = checkFields(GpOptions(*this).fields()); !checked) {
    return checked;
  }
  if (const auto parsed = parseKernel(kernel); !parsed) {
    return failWith(parsed);
  }
  const auto rule = parseNoiseRule(noise);
  return rule ? Status() : Status(failWith(rule));
}

Status checkGpSize(std::int64_t points) {
  if (points > kMaxGpPoints) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("gp: {} points are too many for a Gaussian process, whose time grows "
                            "with their cube; use at most {}",
                            points, kMaxGpPoints));
  }
  return {};
}

RegressionMethodInfo gpMethod() {
  return {"gp",
          "Gaussian process",
          "A Gaussian distribution over functions, given by a kernel: how alike the values at "
          "two inputs are. Conditioned on the points, it is exact.",
          "mean k*ᵀ(K + σ²I)⁻¹y; variance of f: k** − k*ᵀ(K + σ²I)⁻¹k*; of y, with the "
          "noise: that + σ²",
          "9-small-bayesian-models",
          makeMethod<RegressionMethod, GpMethod>};
}

}  // namespace dubito
