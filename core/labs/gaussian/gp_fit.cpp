// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/gp_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/plot_values.h"
#include "core/labs/gaussian/evidence_search.h"
#include "core/labs/gaussian/gp_method.h"
#include "core/labs/gaussian/gp_posterior.h"
#include "core/labs/gaussian/gp_search.h"
#include "core/labs/gaussian/kernel.h"

namespace dubito {
namespace {

constexpr double kLargest = 1e12;
/// Of the range of x, on each side.
constexpr double kMargin = 0.25;

Status checkPoints(std::span<const double> x, std::span<const double> y) {
  if (x.empty() || x.size() != y.size()) {
    return fail(ErrorCode::kInvalidArgument, "gp: there are no points; give at least one");
  }
  if (Status checked = checkGpSize(std::ssize(x)); !checked) {
    return checked;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("gp: point {} is not finite; leave it out", i + 1));
    }
  }
  return {};
}

std::vector<double> gridOf(std::span<const double> x, const GpFitOptions& options) {
  const auto [low, high] = std::ranges::minmax(x);
  const double margin = high > low ? kMargin * (high - low) : 1.0;
  return evenlySpaced({options.from.value_or(low - margin), options.to.value_or(high + margin)},
                      options.grid);
}

/// The start of a search, or what is used without one.
Expected<GpParameters> givenParameters(const GpFitOptions& options, double default_noise_std) {
  auto noisy = parseNoisyKernel(options.kernel);
  if (!noisy) {
    return failWith(noisy);
  }
  if (noisy->noise_variance && options.noise) {
    return fail(
        ErrorCode::kInvalidArgument,
        "the noise is given twice; leave out its value or the term white(...) of the kernel",
        {setting("noise"), setting("kernel")});
  }
  const double std = options.noise.value_or(default_noise_std);
  return GpParameters{std::move(noisy->kernel), noisy->noise_variance.value_or(std * std),
                      options.optimise, options.optimise};
}

Status predictOn(GpFit& fit, const GpParameters& parameters, std::span<const double> x,
                 std::span<const double> y, const RunContext& context) {
  const auto posterior =
      GpPosterior::fit(parameters.kernel, parameters.noise_variance, x, y, context);
  if (!posterior) {
    return failWith(posterior);
  }
  const auto prediction = posterior->predict(fit.x, 0, 0, context);
  if (!prediction) {
    return failWith(prediction);
  }
  for (std::size_t i = 0; i < fit.x.size(); ++i) {
    fit.mean.push_back(fit.mean_of_y + prediction->mean[i]);
    fit.std_epistemic.push_back(std::sqrt(prediction->variance[i]));
    fit.std_total.push_back(std::sqrt(prediction->variance[i] + parameters.noise_variance));
  }
  return {};
}

}  // namespace

std::vector<Field> GpFitOptions::fields() {
  const Requirement without_search = allUnless(optimise, {setting("optimise")});
  return {
      field(&kernel, "kernel", "Kernel",
            "sums and products of " + kernelSignatures() +
                "; a number is a variance, and white(VARIANCE) the noise, as in 1.5*se(0.8) + "
                "white(0.04)"),
      field(&noise, "noise", "Noise",
            "standard deviation of the noise, if the kernel does not state it; by default "
            "estimated from neighbouring points",
            {.min = 1e-6, .max = 1e6}),
      field(&optimise, "optimise", "Optimise",
            "choose kernel and noise by the evidence, starting from those given"),
      field(&starts, "starts", "Starts",
            "starting points of the optimisation; the first is the kernel as given, each "
            "further one the best of at least 16 random kernels",
            {.min = 1, .max = 20, .unmet_requirement = without_search}),
      field(&steps, "steps", "Steps", "largest number of optimiser steps from one starting point",
            {.min = 1, .max = 1000, .unmet_requirement = without_search}),
      field(&centre, "centre", "Centre",
            "subtract the mean of y first, because the process has zero mean"),
      field(&grid, "grid", "Grid", "number of inputs at which the process is predicted",
            {.min = 1, .max = 100'000}),
      field(&from, "from", "From", "first of these inputs", {.min = -kLargest, .max = kLargest}),
      field(&to, "to", "To", "last of them", {.min = -kLargest, .max = kLargest})};
}

Status GpFitOptions::check() const {
  if (Status checked = checkFields(GpFitOptions(*this).fields()); !checked) {
    return checked;
  }
  if (from && to && *from > *to) {
    return fail(ErrorCode::kInvalidArgument,
                "the first input is larger than the last; give the smaller one first",
                {setting("from"), setting("to")});
  }
  const auto given = givenParameters(*this, 1.0);
  return given ? Status() : Status(failWith(given));
}

Expected<GpFit> fitGp(std::span<const double> x, std::span<const double> y,
                      double default_noise_std, const GpFitOptions& options, RunContext& context) {
  for (const Status& checked : {options.check(), checkPoints(x, y)}) {
    if (!checked) {
      return failWith(checked);
    }
  }
  GpFit fit;
  std::vector<double> centred(y.begin(), y.end());
  if (options.centre) {
    fit.mean_of_y = std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size());
    for (double& value : centred) {
      value -= fit.mean_of_y;
    }
  }
  const GpParameters given = givenParameters(options, default_noise_std).value();
  EvidenceSearch search(gpSearchPlan(given, centred, options.starts, options.steps, context.seed));
  while (search.done() < search.total()) {
    if (context.step("Optimising", search.done(), search.total()) == Step::kCancel) {
      return cancelled();
    }
    const Status done = search.step(
        [&](std::span<const double> point) {
          return gpEvidenceAt(given, point, x, centred, context);
        },
        context);
    if (!done) {
      return failWith(done);
    }
  }
  const GpParameters parameters = given.withFitted(search.best());
  const auto evidence =
      gpEvidence(parameters.kernel, parameters.noise_variance, x, centred, context);
  if (!evidence) {
    return failWith(evidence);
  }
  if (options.optimise) {
    const auto before = gpEvidence(given.kernel, given.noise_variance, x, centred, context);
    if (!before) {
      return failWith(before);
    }
    fit.log_evidence_given = before->log_evidence;
    fit.warnings = searchWarnings(given, search);
  }
  fit.kernel = fmt::format("{} + white({})", parameters.kernel.text(), parameters.noise_variance);
  fit.log_evidence = evidence->log_evidence;
  fit.jitter = evidence->jitter;
  if (fit.jitter > 0.0) {
    fit.warnings.push_back(
        fmt::format("The kernel matrix is not positive definite; {:.1e} was added to its diagonal.",
                    fit.jitter));
  }
  const std::vector<KernelParameter> of_kernel = parameters.kernel.parameters();
  for (std::size_t i = 0; i < of_kernel.size(); ++i) {
    fit.parameters.push_back({of_kernel[i].key, of_kernel[i].value, evidence->gradient[i]});
  }
  fit.parameters.push_back(
      {"noise_variance", parameters.noise_variance, evidence->gradient.back()});
  fit.x = gridOf(x, options);
  if (const auto spacing = parameters.kernel.plotSpacing(); spacing && fit.x.size() > 1) {
    // Three times the spacing leaves four inputs per period, or one per length scale.
    constexpr double kTooCoarse = 3.0;
    const double range = fit.x.back() - fit.x.front();
    const double step = range / static_cast<double>(fit.x.size() - 1);
    if (step > kTooCoarse * *spacing) {
      fit.warnings.push_back(fmt::format(
          "The {} inputs are too far apart for this kernel, so their curve is not its shape; use "
          "{:.0f} inputs or a shorter range",
          fit.x.size(), std::ceil(range / *spacing) + 1.0));
    }
  }
  if (Status predicted = predictOn(fit, parameters, x, centred, context); !predicted) {
    return failWith(predicted);
  }
  return fit;
}

}  // namespace dubito
