// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/measures/laplace_bridge.h"

namespace dubito {

/// A Gaussian over logits by name.
struct GaussianPreset {
  const char* key;          ///< "flat"
  const char* name;         ///< "Flat"
  const char* explanation;  ///< one sentence
  LogitGaussian gaussian;

  [[nodiscard]] const LogitGaussian& make() const { return gaussian; }
};

/// All presets, in the order of lists.
[[nodiscard]] const std::vector<GaussianPreset>& gaussianPresets();

/// How a Gaussian over logits is given: by a preset, by numbers, by the Dirichlet that it
/// approximates, or at random.
struct GaussianChoice {
  /// The key of a preset, "given", "dirichlet" or "random".
  std::string gaussian = "dirichlet-like";
  /// K numbers, separated by commas, semicolons or spaces; only for "given".
  std::string mean = "0, 0, 0";
  /// K * K numbers (rows of the matrix) or K variances; only for "given".
  std::string covariance = "1, 0, 0; 0, 1, 0; 0, 0, 1";
  /// K numbers > 0; only for "dirichlet".
  std::string alpha = "2, 2, 6";
  /// K; only for "random".
  std::int64_t classes = 10;
  /// Standard deviation of the means of the logits; only for "random".
  double spread = 2.0;
  /// Root mean square of the standard deviations of the logits; only for "random".
  double deviation = 0.5;
  /// Number of factors that correlate the logits; 0: independent logits. Only for "random".
  std::int64_t factors = 2;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// The chosen Gaussian, not yet checked (see checkGaussian). `seed` is used only by "random": with
/// F [K, factors] and v [K] of keyed numbers, Sigma = deviation^2 (F F' / (2 factors) + diag(v) /
/// 2), with standard normal F and exponential v. kInvalidArgument for text that is not a list of
/// numbers.
[[nodiscard]] Expected<LogitGaussian> chosenGaussian(const GaussianChoice& choice,
                                                     std::uint64_t seed);

/// The numbers of a comma-separated list; semicolons, spaces and line breaks separate as well.
/// kInvalidArgument, calling the text `what` and naming `option`, for anything else.
[[nodiscard]] Expected<std::vector<double>> parseNumbers(const std::string& text,
                                                         const std::string& what,
                                                         const Setting& option);
/// "0.5, 1; 2, 3" for values in rows of `columns`, as parseNumbers reads them, without loss.
[[nodiscard]] std::string numbersText(std::span<const double> values, std::size_t columns);

}  // namespace dubito
