// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Logits of labelled items, for fitting a recalibration.
struct LogitTable {
  /// [N, K], finite, or minus infinity for masked classes other than the label.
  Array<double> logits;
  std::vector<std::int64_t> labels;  ///< [N], in [0, K)
  /// Caveats about the rows: items left out, log probabilities used as logits.
  std::vector<std::string> notes;
};

/// The rows of `logits` [N, K] with a non-negative label, and their labels.
[[nodiscard]] LogitTable labelledLogits(const Array<float>& logits,
                                        std::span<const std::int64_t> labels);
[[nodiscard]] LogitTable labelledLogits(const Array<double>& logits,
                                        std::span<const std::int64_t> labels);

/// log p, with p clamped from below at the smallest normal number of its type.
[[nodiscard]] double clampedLog(float prob);
[[nodiscard]] double clampedLog(double prob);
/// A note on how many items of `run` have probabilities that clampedLog clamps; empty if there are
/// none. The run must have probabilities.
[[nodiscard]] std::string clampNote(const Run& run);

/// The labelled rows of a run: its logits or, with a note, the logarithms of its probabilities
/// (equal to logits up to a shift per row; see clampedLog). Items whose true class is masked by a
/// logit of minus infinity are left out, with a note. kInvalidArgument, naming `name`, if the run
/// has no probabilities or no labels.
[[nodiscard]] Expected<LogitTable> logitsOfRun(const Run& run, const std::string& name);

/// Number of equal-width bins of the ECE that is reported with a fit.
inline constexpr std::int64_t kCalibrationBins = 15;

/// Metrics of the probabilities softmax(scale_k z_k + shift_k).
struct CalibrationScores {
  double nll = 0.0;  ///< nats
  double ece = 0.0;  ///< kCalibrationBins, L1, equal width, top-label
};

/// The metrics from the losses of the items [N] in nats, the confidences [N] in their likeliest
/// classes, and whether these are their labels [N].
[[nodiscard]] CalibrationScores scoresOfItems(std::span<const double> losses,
                                              std::span<const double> confidences,
                                              std::span<const std::uint8_t> correct);

/// The metrics over all rows z of `table`. `scale` and `shift` have K entries. Runs on the
/// context's threads; the result does not depend on their number.
[[nodiscard]] CalibrationScores calibrationScores(const LogitTable& table,
                                                  std::span<const double> scale,
                                                  std::span<const double> shift,
                                                  const RunContext& context);

}  // namespace dubito
