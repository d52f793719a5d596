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
  /// Caveats of the fit: items left out, logarithms used as logits.
  std::vector<std::string> notes;
};

/// Rows of `logits` [N, K] with a non-negative label.
[[nodiscard]] LogitTable labelledLogits(const Array<float>& logits,
                                        std::span<const std::int64_t> labels);
[[nodiscard]] LogitTable labelledLogits(const Array<double>& logits,
                                        std::span<const std::int64_t> labels);

/// log p, with p clamped from below at the smallest normal number of its type.
[[nodiscard]] double clampedLog(float prob);
[[nodiscard]] double clampedLog(double prob);
/// A sentence with the number of items affected by clampedLog in a run with probabilities; empty
/// for none.
[[nodiscard]] std::string clampNote(const Run& run);

/// The labelled rows of a run: its logits, or the logarithms of its probabilities (equal up to a
/// shift per row; clamped, see clampedLog), which is noted. Items whose label is masked by a logit
/// of minus infinity are left out and noted. kInvalidArgument, naming `name`, if the run has no
/// probabilities or no labels.
[[nodiscard]] Expected<LogitTable> logitsOfRun(const Run& run, const std::string& name);

/// Equal-width bins of the calibration errors reported with a fit.
inline constexpr std::int64_t kCalibrationBins = 15;

/// Quality of the probabilities softmax(scale_k z_k + shift_k) of the rows.
struct CalibrationScores {
  double nll = 0.0;  ///< nats
  double ece = 0.0;  ///< kCalibrationBins, L1, equal width, top-label
};

/// `scale` and `shift` have K entries. Runs on the context's threads; the result does not depend on
/// their number.
[[nodiscard]] CalibrationScores calibrationScores(const LogitTable& table,
                                                  std::span<const double> scale,
                                                  std::span<const double> shift,
                                                  const RunContext& context);

}  // namespace dubito
