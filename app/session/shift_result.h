// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/data/items/corruption_spec.h"

namespace dubito {

/// Result at one severity.
struct ShiftStep {
  double severity = 0.0;
  std::shared_ptr<const Run> run;
  Evaluation evaluation;
  double mean_entropy = 0.0;  ///< nats
  // NaN if the method does not have this measure.
  double mean_expected_entropy = 0.0;    ///< nats
  double mean_mutual_information = 0.0;  ///< nats
};

/// An analysis, repeated on increasingly corrupted images.
struct ShiftResult {
  CorruptionKind kind = CorruptionKind::kNoise;
  AnalysisPtr analysis;
  std::int64_t items = 0;        ///< number of items evaluated at each severity
  std::vector<ShiftStep> steps;  ///< in ascending order of severity, the first without corruption
};
using ShiftResultPtr = std::shared_ptr<const ShiftResult>;

/// The step of the items of `run` at `severity`. Errors: those of evaluate().
[[nodiscard]] Expected<ShiftStep> shiftStep(double severity, std::shared_ptr<const Run> run,
                                            const EvaluationOptions& options, RunContext& context);

/// Whether it is of the same run, even if that was evaluated again since.
[[nodiscard]] bool isOf(const ShiftResult& result, const Analysis& analysis);

}  // namespace dubito
