// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/gp_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/labs/gaussian/gp_factor_eigen.h"

namespace dubito {
namespace {

constexpr Eigen::Index kEvidenceColumnsPerTask = 32;

}  // namespace

Expected<GpEvidence> gpEvidence(const Kernel& kernel, double noise_variance,
                                std::span<const double> x, std::span<const double> y,
                                const RunContext& context) {
  using Eigen::Index;
  const Expected<GpFactor> factor = factoriseGp(kernel, noise_variance, x, y, context);
  if (!factor) {
    return failWith(factor);
  }
  const Eigen::MatrixXd inverse = inverseFromLower(factor->cholesky.lower, context);
  const Eigen::VectorXd& weights = factor->weights;
  const auto n = static_cast<Index>(x.size());
  const auto parameters = static_cast<Index>(kernel.parameterCount());
  // One column per task, so that the sums do not depend on the number of threads.
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(
      parameters, (n + kEvidenceColumnsPerTask - 1) / kEvidenceColumnsPerTask);
  context.parallelFor(n, kEvidenceColumnsPerTask, [&](Index begin, Index end) {
    std::vector<double> gradient(kernel.parameterCount());
    auto sum = sums.col(begin / kEvidenceColumnsPerTask);
    for (Index j = begin; j < end; ++j) {
      for (Index i = j; i < n; ++i) {
        kernel.valueAndGradient(x[static_cast<std::size_t>(i)], x[static_cast<std::size_t>(j)],
                                gradient);
        const double factor_of_pair = i == j ? 0.5 : 1.0;
        const double share = factor_of_pair * (weights[i] * weights[j] - inverse(i, j));
        for (Index p = 0; p < parameters; ++p) {
          sum[p] += share * gradient[static_cast<std::size_t>(p)];
        }
      }
    }
  });
  GpEvidence result{factor->log_evidence, {}, factor->cholesky.jitter};
  for (Index p = 0; p < parameters; ++p) {
    result.gradient.push_back(sums.row(p).sum());
  }
  result.gradient.push_back(0.5 * noise_variance *
                            (weights.squaredNorm() - inverse.diagonal().sum()));
  return result;
}

namespace {

/// Bounds of a fitted parameter, and of the noise variance relative to the mean square of y.
constexpr double kMinFitted = 1e-5;
constexpr double kMaxFitted = 1e5;
constexpr double kMinNoiseShare = 1e-8;
constexpr double kMaxNoiseShare = 1e2;
/// Operations spent on the candidates of a starting point, and their number.
constexpr double kCandidateWork = 1.6e7;
constexpr double kMinCandidates = 16.0;
constexpr double kMaxCandidates = 512.0;

}  // namespace

std::vector<double> GpParameters::fitted() const {
  std::vector<double> point;
  if (fits_kernel) {
    point = kernel.logParameters();
  }
  if (fits_noise) {
    point.push_back(std::log(noise_variance));
  }
  return point;
}

GpParameters GpParameters::withFitted(std::span<const double> point) const {
  GpParameters result = *this;
  if (fits_kernel) {
    result.kernel = kernel.withLogParameters(point.first(kernel.parameterCount()));
  }
  if (fits_noise) {
    result.noise_variance = std::exp(point.back());
  }
  return result;
}

std::vector<std::string> GpParameters::fittedNames() const {
  std::vector<std::string> names;
  if (fits_kernel) {
    for (const KernelParameter& parameter : kernel.parameters()) {
      names.push_back(parameter.name);
    }
  }
  if (fits_noise) {
    names.emplace_back("Noise");
  }
  return names;
}

EvidenceSearchPlan gpSearchPlan(const GpParameters& start, std::span<const double> y,
                                std::int64_t starts, std::int64_t steps, std::uint64_t seed) {
  EvidenceSearchPlan plan;
  plan.start = start.fitted();
  plan.starts = plan.start.empty() ? 0 : starts;
  plan.steps_per_start = steps;
  // An evidence takes the cube of the points, so that few points allow many candidates.
  const auto n = static_cast<double>(y.size());
  plan.candidates = static_cast<std::int64_t>(
      std::clamp(kCandidateWork / std::max(1.0, n * n * n), kMinCandidates, kMaxCandidates));
  plan.seed = seed;
  plan.bounds.low.assign(plan.start.size(), std::log(kMinFitted));
  plan.bounds.high.assign(plan.start.size(), std::log(kMaxFitted));
  if (start.fits_noise) {
    const double squares = std::inner_product(y.begin(), y.end(), y.begin(), 0.0);
    const double scale = squares > 0.0 ? squares / static_cast<double>(y.size()) : 1.0;
    plan.bounds.low.back() = std::log(kMinNoiseShare * scale);
    plan.bounds.high.back() = std::log(kMaxNoiseShare * scale);
  }
  return plan;
}

Expected<AscentValue> gpEvidenceAt(const GpParameters& start, std::span<const double> point,
                                   std::span<const double> x, std::span<const double> y,
                                   const RunContext& context) {
  if (context.cancelRequested()) {
    return cancelled();
  }
  const GpParameters parameters = start.withFitted(point);
  Expected<GpEvidence> evidence =
      gpEvidence(parameters.kernel, parameters.noise_variance, x, y, context);
  if (!evidence) {
    return failWith(evidence);
  }
  std::vector<double>& gradient = evidence->gradient;
  if (!start.fits_noise) {
    gradient.pop_back();
  }
  if (!start.fits_kernel) {
    gradient.erase(gradient.begin(), gradient.end() - 1);
  }
  return AscentValue{evidence->log_evidence, std::move(gradient)};
}

std::vector<std::string> searchWarnings(const GpParameters& start, const EvidenceSearch& search) {
  std::vector<std::string> warnings = search.boundWarnings(start.fittedNames());
  if (auto limit = search.limitWarning()) {
    warnings.push_back(*std::move(limit));
  }
  return warnings;
}

}  // namespace dubito
