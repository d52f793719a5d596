// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/data/items/corruption_spec.h"

namespace dubito {

/// Request to repeat an analysis on increasingly corrupted images.
struct ShiftRequest {
  AnalysisPtr analysis;  ///< its model, method and dataset must be available
  CorruptionKind kind = CorruptionKind::kNoise;
  PredictOptions predict;
  EvaluationOptions evaluation;
  std::int64_t max_items = 1000;  ///< evenly spaced in the dataset
};

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

struct ShiftResult {
  CorruptionKind kind = CorruptionKind::kNoise;
  AnalysisPtr analysis;
  std::int64_t items = 0;        ///< number of items evaluated at each severity
  std::vector<ShiftStep> steps;  ///< in ascending order of severity, the first without corruption
};
using ShiftResultPtr = std::shared_ptr<const ShiftResult>;

/// The severities to evaluate: 0 to 5; for rotations 0 to 12 (180 degrees).
[[nodiscard]] std::vector<double> severitiesOf(CorruptionKind kind);

/// Why the analysis cannot be repeated on corrupted images and what to do, as a message for the
/// user; empty if model, method and dataset are available.
[[nodiscard]] std::string whyNoShift(const Analysis& analysis);

/// Predicts and evaluates the items at every severity, with the seed of the analysis. If stopped
/// early, returns the severities finished so far. Errors: those of predict() and evaluate().
/// Blocking; call it on a worker thread.
[[nodiscard]] Expected<ShiftResultPtr> computeShift(const ShiftRequest& request,
                                                    RunContext& context);

/// The images of the item with id `id`, one per severity, for display; empty if the item cannot be
/// read.
[[nodiscard]] std::vector<Image8> shiftedImages(const ShiftResult& result, std::int64_t id);

}  // namespace dubito
