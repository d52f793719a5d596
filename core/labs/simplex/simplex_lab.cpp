// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/simplex_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/base/nan.h"
#include "core/labs/simplex/logit_approximations.h"
#include "core/labs/simplex/logit_sampler.h"
#include "core/measures/beta_distribution.h"
#include "core/measures/dirichlet.h"
#include "core/measures/honesty.h"
#include "core/measures/simplex_density.h"

namespace dubito {
namespace {

constexpr std::uint64_t kPictureStream = 0;

Array<double> drawnSamples(const LogitGaussian& gaussian, std::int64_t count, std::uint64_t seed) {
  const auto classes = static_cast<std::int64_t>(gaussian.mean.size());
  Array<double> samples = Array<double>::zeros({count, classes});
  LogitSampler(gaussian, seed).draw(kPictureStream, 0, samples.mutableValues());
  return samples;
}

SimplexHistogram histogramOf(const Array<double>& samples, std::int64_t bins) {
  const auto values = samples.values();
  const auto floats =
      Array<float>::fromVector(samples.shape(), std::vector<float>(values.begin(), values.end()));
  return simplexHistogram(floats, {0, 1, 2}, bins);
}

Histogram lineHistogramOf(const Array<double>& samples, std::int64_t bins) {
  std::vector<double> first;
  for (std::int64_t i = 0; i < samples.extent(0); ++i) {
    first.push_back(samples.row(i)[0]);
  }
  return makeHistogram(first, {0.0, 1.0}, static_cast<int>(bins));
}

/// The histogram as an image, for a distribution without a density.
SimplexDensity imageOf(const SimplexHistogram& histogram, const std::vector<double>& mean,
                       std::int64_t cells) {
  const std::int64_t bins = histogram.counts.extent(0);
  const auto n = static_cast<double>(cells);
  // Each triangle has the area 1 / (2 bins^2) in dp_0 dp_1.
  const double scale = 2.0 * static_cast<double>(bins * bins) /
                       static_cast<double>(std::max<std::int64_t>(1, histogram.samples));
  SimplexDensity image;
  image.log_density = Array<double>::zeros({cells, cells});
  std::ranges::copy(mean, image.mean.begin());
  for (std::int64_t r = 0; r < cells; ++r) {
    for (std::int64_t c = 0; c < cells; ++c) {
      const double top = (static_cast<double>(r) + 0.5) / n;
      const double right = (static_cast<double>(c) + 0.5) / n - 0.5 * top;
      const double left = 1.0 - right - top;
      double& value = image.log_density.mutableRow(r)[static_cast<std::size_t>(c)];
      if (!(right > 0.0) || !(left > 0.0)) {
        value = kNaN;
        continue;
      }
      const std::int64_t count = histogram.counts.data()[simplexTriangle(left, right, bins)];
      value = std::log(scale * static_cast<double>(count));
    }
  }
  return image;
}

/// The mean of ln p/q over the samples, with its standard error.
void fillSampledDivergence(const LogitNormal& exact, const RivalDensity& rival,
                           const Array<double>& samples, SimplexApproximation& result) {
  const auto count = static_cast<double>(samples.extent(0));
  double sum = 0.0;
  double squares = 0.0;
  for (std::int64_t i = 0; i < samples.extent(0); ++i) {
    const auto probs = samples.row(i);
    std::array<double, 3> logs{};
    double log_q = rival.constant;
    for (std::size_t k = 0; k < probs.size(); ++k) {
      // A probability that underflows counts as the smallest double.
      logs[k] = std::log(std::max(probs[k], 1e-300));
      log_q += rival.exponents[k] * logs[k];
    }
    const auto t = planePoint(std::span<const double>(logs).first(probs.size()));
    const double excess = exact.logWeightedDensity(t) - log_q;
    sum += excess;
    squares += excess * excess;
  }
  const double mean = sum / count;
  result.sampled_divergence = mean;
  result.sampled_divergence_error =
      count > 1.0 ? std::sqrt(std::max(0.0, squares / count - mean * mean) / (count - 1.0)) : kNaN;
}

std::vector<ClassInProposition1> proposition1Of(const LogitGaussian& gaussian,
                                                BridgeVariant variant,
                                                const std::vector<double>& alpha,
                                                const DirichletSummary& summary) {
  const std::vector<double> slopes = bridgeVarianceSlopes(gaussian, variant);
  std::vector<ClassInProposition1> classes;
  for (std::size_t k = 0; k < alpha.size(); ++k) {
    const double bound = proposition1Threshold(summary.rest[k]);
    classes.push_back({alpha[k], bound, alpha[k] > bound, slopes[k]});
  }
  return classes;
}

SimplexApproximation describe(const LogitApproximation& form, const SimplexResult& so_far,
                              const SimplexOptions& options) {
  SimplexApproximation result;
  result.form = form;
  result.mean_error = largestDifference(form.mean, so_far.moments.mean);
  if (!form.log_alpha) {
    return result;
  }
  result.alpha = alphaFromLog(*form.log_alpha);
  const DirichletSummary summary = summariseDirichlet(result.alpha);
  result.variance = summary.variance;
  result.entropy = summary.differential_entropy;
  if (result.alpha.size() == 3) {
    result.density =
        simplexDensity({result.alpha[0], result.alpha[1], result.alpha[2]}, options.cells);
  } else {
    result.line = curveAtCentres({0.0, 1.0}, options.cells, [&](double p) {
      return std::exp(betaLogDensity(result.alpha[0], result.alpha[1], p));
    });
  }
  if (form.bridge) {
    result.proposition1 =
        proposition1Of(so_far.input.gaussian, *form.bridge, result.alpha, summary);
  }
  return result;
}

/// Divergences of all Dirichlets and total variations of all transformations, in one integral.
void compareAll(const LogitNormal& exact, const SimplexOptions& options, const RunContext& context,
                SimplexResult& result) {
  std::vector<RivalDensity> rivals;
  for (const SimplexApproximation& approximation : result.approximations) {
    if (approximation.form.log_alpha) {
      rivals.push_back(dirichletRival(*approximation.form.log_alpha));
    }
  }
  for (const TransformEffect& transform : result.transforms) {
    RivalDensity rival;
    rival.logit_normal = LogitNormal(transform.gaussian);
    if (!rival.logit_normal->isSingular()) {
      rivals.push_back(std::move(rival));
    }
  }
  const auto comparisons = compareDensities(exact, rivals, options.nodes, context);
  std::size_t next = 0;
  for (SimplexApproximation& approximation : result.approximations) {
    if (approximation.form.log_alpha) {
      approximation.comparison = comparisons[next];
      const double reverse = divergenceFromDirichlet(*approximation.form.log_alpha, exact);
      if (std::isfinite(reverse)) {
        approximation.reverse_divergence = reverse;
      }
      fillSampledDivergence(exact, rivals[next], result.samples, approximation);
      ++next;
    }
  }
  for (TransformEffect& transform : result.transforms) {
    if (!LogitNormal(transform.gaussian).isSingular()) {
      transform.total_variation = comparisons[next].total_variation;
      ++next;
    }
  }
}

std::vector<TransformEffect> transformsOf(const LogitGaussian& gaussian,
                                          const LogitNormalMoments& before,
                                          const RunContext& context) {
  constexpr std::array<std::pair<BridgeVariant, const char*>, 3> kTransforms{
      {{BridgeVariant::kCentred, "Centred"},
       {BridgeVariant::kConditioned, "Conditioned on a zero sum"},
       {BridgeVariant::kNormalised, "Conditioned and normalised"}}};
  std::vector<TransformEffect> effects;
  for (const auto& [variant, name] : kTransforms) {
    TransformEffect effect{variant, name, transformedFor(variant, gaussian)};
    const LogitNormalMoments after = momentsOf(LogitNormal(effect.gaussian), context);
    effect.mean = after.mean;
    effect.variance = after.variance;
    effect.largest_mean_change = largestDifference(after.mean, before.mean);
    effect.largest_variance_change = largestDifference(after.variance, before.variance);
    effects.push_back(std::move(effect));
  }
  return effects;
}

}  // namespace

std::vector<Field> SimplexOptions::fields() {
  return {
      field(&samples, "samples", "Samples", "keyed samples of the softmax of the logits",
            {.min = 1, .max = 1e6}),
      field(&cells, "cells", "Cells", "width of the images of densities",
            {.min = 2, .max = 1024, .advanced = true}),
      field(&bins, "bins", "Bins", "divisions per side of the histogram of the samples",
            {.min = 1, .max = 256, .advanced = true}),
      field(&nodes, "nodes", "Nodes", "nodes per standard deviation of the integrals",
            {.min = 4, .max = 60, .advanced = true}),
  };
}

SimplexOptions SimplexOptions::whileDragging() const {
  SimplexOptions coarse = *this;
  coarse.samples = std::min<std::int64_t>(samples, 1000);
  coarse.cells = std::min<std::int64_t>(cells, 80);
  coarse.nodes = std::min<std::int64_t>(nodes, 8);
  return coarse;
}

Expected<SimplexResult> analyseSimplex(const LogitGaussian& gaussian, const SimplexOptions& options,
                                       RunContext& context) {
  if (const Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  auto checked = checkGaussian(gaussian);
  if (!checked) {
    return failWith(checked);
  }
  if (checked->gaussian.mean.size() > 3) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the Gaussian has {} logits, but the simplex is drawn for 2 or 3; "
                            "choose another Gaussian",
                            checked->gaussian.mean.size()));
  }
  SimplexResult result;
  result.input = std::move(*checked);
  result.warnings = result.input.warnings;
  const LogitGaussian& used = result.input.gaussian;
  const LogitNormal exact(used);
  result.plane = exact.plane();
  result.is_singular = exact.isSingular();
  result.moments = momentsOf(exact, context);
  result.samples = drawnSamples(used, options.samples, context.seed);
  if (result.classes() == 3) {
    result.histogram = histogramOf(result.samples, options.bins);
    result.density = result.is_singular
                         ? imageOf(*result.histogram, result.moments.mean, options.cells)
                         : logitNormalDensity(exact, result.moments.mean, result.moments.variance,
                                              options.cells);
  } else {
    result.line_histogram = lineHistogramOf(result.samples, options.bins);
    if (!result.is_singular) {
      result.line = logitNormalLine(exact, options.cells);
    }
  }
  for (const LogitApproximation& form :
       logitApproximations(used, result.moments.mean, result.moments.variance, context)) {
    result.approximations.push_back(describe(form, result, options));
    if (context.cancelRequested()) {
      return cancelled();
    }
  }
  result.transforms = transformsOf(used, result.moments, context);
  if (result.is_singular) {
    result.warnings.emplace_back(
        "The covariance is singular in the zero-sum plane, so softmax(z) has no density: the "
        "picture is a histogram of the samples, and no divergence is finite.");
  } else {
    compareAll(exact, options, context, result);
  }
  if (!result.moments.is_accurate) {
    result.warnings.emplace_back(
        "The logits vary so much that integrals are accurate to about 0.001 only.");
  }
  if (context.cancelRequested()) {
    return cancelled();
  }
  return result;
}

}  // namespace dubito
