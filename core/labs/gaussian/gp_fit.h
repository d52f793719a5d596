// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/run_context.h"
#include "core/labs/gaussian/kernel.h"

namespace dubito {

/// Options of a Gaussian process whose numbers are looked at one by one, in the units of the data.
struct GpFitOptions {
  /// See parseNoisyKernel().
  std::string kernel = "1*se(1)";
  /// Standard deviation of the noise, in the unit of y; absent: as the kernel states it, else that
  /// of the caller.
  std::optional<double> noise = std::nullopt;
  /// Whether kernel and noise maximise the evidence, starting from those given.
  bool optimise = false;
  /// Starting points of the optimisation; the first is the kernel as given.
  std::int64_t starts = 6;
  /// Largest number of optimiser steps from one starting point.
  std::int64_t steps = 100;
  /// Whether the mean of y is subtracted first, because the process has zero mean.
  bool centre = false;
  /// Number of inputs at which the process is predicted, evenly from `from` to `to`.
  std::int64_t grid = 101;
  std::optional<double> from = std::nullopt;  ///< absent: below the smallest x
  std::optional<double> to = std::nullopt;    ///< absent: above the largest x

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// A parameter of a Gaussian process.
struct GpFitParameter {
  std::string key;  ///< "length_scale", ...; the last one is "noise_variance"
  double value = 0.0;
  double gradient = 0.0;  ///< of the log evidence with respect to the logarithm of the value
};

/// A Gaussian process conditioned on points.
struct GpFit {
  std::string kernel;  ///< with its noise, as parseNoisyKernel() reads it
  std::vector<GpFitParameter> parameters;
  double log_evidence = 0.0;
  /// Log evidence of the parameters that were given; absent without optimisation.
  std::optional<double> log_evidence_given;
  double jitter = 0.0;                ///< added to the diagonal of the kernel matrix
  double mean_of_y = 0.0;             ///< that was subtracted; 0: none
  std::vector<double> x;              ///< [G]
  std::vector<double> mean;           ///< [G]
  std::vector<double> std_epistemic;  ///< [G] standard deviation of f
  std::vector<double> std_total;      ///< [G] with the noise
  std::vector<std::string> warnings;
};

/// Fits a Gaussian process to points (x, y) [N]. `default_noise_std` is used if the options give
/// none. The seed is that of the context.
///
/// kInvalidArgument for invalid options, no points, more than kMaxGpPoints, numbers that are not
/// finite, and a kernel matrix that is not positive definite even with jitter; kCancelled.
[[nodiscard]] Expected<GpFit> fitGp(std::span<const double> x, std::span<const double> y,
                                    double default_noise_std, const GpFitOptions& options,
                                    RunContext& context);

}  // namespace dubito
