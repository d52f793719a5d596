// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/data/items/corruption.h"

namespace dubito {

/// Repeats an analysis with increasingly corrupted images.
struct ShiftRequest {
  AnalysisPtr analysis;  ///< with model, method and dataset
  CorruptionKind kind = CorruptionKind::kNoise;
  PredictOptions predict;
  EvaluationOptions evaluation;
  std::int64_t max_items = 1000;  ///< evenly spread over the dataset
};

/// Result at one severity.
struct ShiftStep {
  double severity = 0.0;
  std::shared_ptr<const Run> run;
  Evaluation evaluation;
  double mean_entropy = 0.0;  ///< nats
  /// Nats; NaN if the method has none.
  double mean_expected_entropy = 0.0;
  double mean_mutual_information = 0.0;
};

struct ShiftResult {
  CorruptionKind kind = CorruptionKind::kNoise;
  AnalysisPtr analysis;
  std::int64_t items = 0;
  std::vector<ShiftStep> steps;  ///< by rising severity, the first without corruption
};
using ShiftResultPtr = std::shared_ptr<const ShiftResult>;

/// Severities 0 to 5; for rotations 0 to 12 (180 degrees).
[[nodiscard]] std::vector<double> severitiesOf(CorruptionKind kind);

/// Why no shift can be computed and what to do, as a sentence for users; empty if model, method and
/// dataset are available.
[[nodiscard]] std::string whyNoShift(const Analysis& analysis);

/// Predicts and evaluates the items at every severity, with the seed of the analysis. Stopping
/// early keeps the severities done so far. Blocking; for a worker thread. Errors of predict() and
/// evaluate().
[[nodiscard]] Expected<ShiftResultPtr> computeShift(const ShiftRequest& request,
                                                    RunContext& context);

/// Images of the item with this id at every severity, for display; empty if it cannot be read.
[[nodiscard]] std::vector<Image8> shiftedImages(const ShiftResult& result, std::int64_t id);

}  // namespace dubito
