// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/decisions/logit_table.h"

namespace dubito {

/// Search range of the temperature.
inline constexpr double kSmallestTemperature = 1e-3;
inline constexpr double kLargestTemperature = 1e3;

/// Whether the items determine a temperature within the search range.
enum class TemperatureLimit {
  kInside,        ///< within the range
  kSmallest,      ///< below the range
  kLargest,       ///< T tends to infinity: the logits are unrelated to the labels
  kUndetermined,  ///< T tends to 0, or is known within a factor of e at best: (nearly) all
                  ///< predictions are correct. T = 1 is kept, because a small one is certain of
                  ///< every wrong prediction on other items.
};

/// Temperature scaling: softmax(z / T) with the T > 0 that minimises the mean negative log
/// likelihood (theory, section 11).
struct TemperatureFit {
  double temperature = 1.0;
  TemperatureLimit limit = TemperatureLimit::kInside;
  /// Second derivative of the mean negative log likelihood with respect to 1/T, at `temperature`.
  double curvature = 0.0;
  CalibrationScores before;
  CalibrationScores after;
  std::int64_t items = 0;
};

/// Fits T on the rows of `table`. The objective is convex in 1/T; the solution is exact to 1e-12,
/// clamped to the search range, or 1 if the items do not determine it (TemperatureLimit).
/// kInvalidArgument for an empty table, kCancelled.
[[nodiscard]] Expected<TemperatureFit> fitTemperature(const LogitTable& table, RunContext& context);

/// Whether the temperature is the one with the lowest negative log likelihood within the range or
/// at its ends.
[[nodiscard]] inline bool isDetermined(const TemperatureFit& fit) {
  return fit.limit != TemperatureLimit::kUndetermined;
}

/// One sentence for the notes of a run: the temperature, NLL and ECE before and after, and whether
/// T was clamped or is not determined.
[[nodiscard]] std::string describe(const TemperatureFit& fit);

/// NLL and ECE as functions of the temperature, one entry per temperature.
struct TemperatureLandscape {
  std::vector<double> log10_temperature;  ///< ascending
  std::vector<double> nll;                ///< nats
  std::vector<double> ece;                ///< kCalibrationBins, L1, equal width, top-label
};

/// Evaluates `points` >= 2 temperatures, logarithmically spaced from `low` to `high` inclusive.
/// Throws std::invalid_argument unless 0 < low < high. kInvalidArgument for an empty table,
/// kCancelled.
[[nodiscard]] Expected<TemperatureLandscape> temperatureLandscape(const LogitTable& table,
                                                                  double low, double high,
                                                                  int points, RunContext& context);

}  // namespace dubito
