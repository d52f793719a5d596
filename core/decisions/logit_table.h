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

/// Logits of items whose class is known, to fit a recalibration on.
struct LogitTable {
  /// [N, K], finite, or minus infinity of classes that are masked and not the label.
  Array<double> logits;
  std::vector<std::int64_t> labels;  ///< [N], in [0, K)
  /// What a reader of the fit must know: items left out, logits that are logarithms.
  std::vector<std::string> notes;
};

/// Rows of `logits` [N, K] whose label is not negative.
[[nodiscard]] LogitTable labelledLogits(const Array<float>& logits,
                                        std::span<const std::int64_t> labels);
[[nodiscard]] LogitTable labelledLogits(const Array<double>& logits,
                                        std::span<const std::int64_t> labels);

/// log p, a p below the smallest normal number of its type counting as that.
[[nodiscard]] double clampedLog(float prob);
[[nodiscard]] double clampedLog(double prob);
/// How many items of a run with probabilities clampedLog changes, in a sentence; empty for none.
[[nodiscard]] std::string clampNote(const Run& run);

/// The labelled rows of a run: its logits, or the logarithms of its probabilities (the same up to a
/// shift of each row; a probability of 0 counts as the smallest normal number of its type), which
/// is noted. Items whose label is masked by a logit of minus infinity are left out, which is noted.
/// kInvalidArgument, naming `name`, where the run has no probabilities or no labels.
[[nodiscard]] Expected<LogitTable> logitsOfRun(const Run& run, const std::string& name);

/// Equal-width bins of calibration errors that are reported beside a fit.
inline constexpr std::int64_t kCalibrationBins = 15;

/// How good the probabilities softmax(scale_k z_k + shift_k) of the rows are.
struct CalibrationScores {
  double nll = 0.0;  ///< nats
  double ece = 0.0;  ///< kCalibrationBins, L1, equal width, top-label
};

/// `scale` and `shift` have K entries. Items are spread over the context's threads; the result does
/// not depend on their number.
[[nodiscard]] CalibrationScores calibrationScores(const LogitTable& table,
                                                  std::span<const double> scale,
                                                  std::span<const double> shift,
                                                  const RunContext& context);

}  // namespace dubito
