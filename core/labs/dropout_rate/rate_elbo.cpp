// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/dropout_rate/rate_elbo.h"

#include <cmath>

#include "core/labs/network/portable_math.h"

namespace dubito {
namespace {

/// Sums over the items that the bound and its derivatives are made of.
struct OutputSums {
  double squared_errors = 0.0;  ///< of the mean network
  double error_slope = 0.0;     ///< sum_n (y_n - E f_n) df_n/dp
  double squared_units = 0.0;   ///< sum_n sum_j c_nj^2
};

OutputSums outputSums(const RateProblem& problem, const UnitContributions& contributions,
                      double keep) {
  const std::size_t units = contributions.squared_weights.size();
  OutputSums sums;
  for (std::size_t n = 0; n < problem.x.size(); ++n) {
    double all = 0.0;
    for (std::size_t j = 0; j < units; ++j) {
      const double value = contributions.values[n * units + j];
      all += value;
      sums.squared_units += value * value;
    }
    const double error = problem.y[n] - contributions.bias - keep * all;
    sums.squared_errors += error * error;
    sums.error_slope += error * all;
  }
  return sums;
}

double sumOf(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) {
    sum += value;
  }
  return sum;
}

double precisionOf(double deviation) {
  return 1.0 / (deviation * deviation);
}

}  // namespace

UnitContributions contributionsOf(const RateProblem& problem, std::span<const double> parameters) {
  const auto units = static_cast<std::size_t>(problem.units());
  const std::span<const double> input_weights = parameters.first(units);
  const std::span<const double> biases = parameters.subspan(units, units);
  const std::span<const double> output_weights = parameters.subspan(2 * units, units);
  UnitContributions result;
  result.values.reserve(problem.x.size() * units);
  for (const double x : problem.x) {
    for (std::size_t j = 0; j < units; ++j) {
      result.values.push_back(output_weights[j] * portableTanh(input_weights[j] * x + biases[j]));
    }
  }
  for (std::size_t j = 0; j < units; ++j) {
    result.squared_weights.push_back(output_weights[j] * output_weights[j]);
    result.input_squares += input_weights[j] * input_weights[j];
  }
  result.bias = parameters[3 * units];
  return result;
}

double maskEntropy(double keep) {
  return keep <= 0.0 || keep >= 1.0 ? 0.0
                                    : -(keep * std::log(keep) + (1.0 - keep) * std::log1p(-keep));
}

double surpriseOfMask(std::int64_t kept, std::int64_t units, double keep) {
  const auto ones = static_cast<double>(kept);
  const auto zeros = static_cast<double>(units - kept);
  // 0 log 0 is 0: a mask that cannot occur is never drawn.
  return -((kept == 0 ? 0.0 : ones * std::log(keep)) +
           (kept == units ? 0.0 : zeros * std::log1p(-keep)));
}

double maskScore(std::int64_t kept, std::int64_t units, double keep) {
  if (keep <= 0.0 || keep >= 1.0) {
    return 0.0;
  }
  return static_cast<double>(kept) / keep - static_cast<double>(units - kept) / (1.0 - keep);
}

ElboTerms maskedTerms(const RateProblem& problem, const UnitContributions& contributions,
                      std::span<const double> mask, double keep) {
  const std::size_t units = mask.size();
  double squared_errors = 0.0;
  for (std::size_t n = 0; n < problem.x.size(); ++n) {
    double output = contributions.bias;
    for (std::size_t j = 0; j < units; ++j) {
      output += mask[j] * contributions.values[n * units + j];
    }
    squared_errors += (problem.y[n] - output) * (problem.y[n] - output);
  }
  double squares = contributions.input_squares;
  std::int64_t kept = 0;
  for (std::size_t j = 0; j < units; ++j) {
    squares += mask[j] * contributions.squared_weights[j];
    kept += mask[j] > 0.0 ? 1 : 0;
  }
  return {.log_likelihood = -0.5 * precisionOf(problem.noise_std) * squared_errors,
          .log_prior = -0.5 * precisionOf(problem.prior_std) * squares,
          .entropy = surpriseOfMask(kept, problem.units(), keep)};
}

ElboTerms expectedTerms(const RateProblem& problem, const UnitContributions& contributions,
                        double keep) {
  const OutputSums sums = outputSums(problem, contributions, keep);
  const double squares = keep * sumOf(contributions.squared_weights) + contributions.input_squares;
  return {.log_likelihood = -0.5 * precisionOf(problem.noise_std) *
                            (sums.squared_errors + keep * (1.0 - keep) * sums.squared_units),
          .log_prior = -0.5 * precisionOf(problem.prior_std) * squares,
          .entropy = static_cast<double>(problem.units()) * maskEntropy(keep)};
}

double expectedRateGradient(const RateProblem& problem, const UnitContributions& contributions,
                            double keep) {
  const OutputSums sums = outputSums(problem, contributions, keep);
  const double of_likelihood = precisionOf(problem.noise_std) *
                               (sums.error_slope - 0.5 * (1.0 - 2.0 * keep) * sums.squared_units);
  const double of_prior =
      -0.5 * precisionOf(problem.prior_std) * sumOf(contributions.squared_weights);
  const double of_entropy =
      static_cast<double>(problem.units()) * (std::log1p(-keep) - std::log(keep));
  return of_likelihood + of_prior + of_entropy;
}

double meanNetworkGradient(const RateProblem& problem, const UnitContributions& contributions,
                           double keep) {
  return precisionOf(problem.noise_std) * outputSums(problem, contributions, keep).error_slope;
}

}  // namespace dubito
