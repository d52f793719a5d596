// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/data/items/corruption.h"

namespace dubito {

/// An analysis computed anew while its images are corrupted more and more.
struct ShiftRequest {
  AnalysisPtr analysis;  ///< with model, method and dataset
  CorruptionKind kind = CorruptionKind::kNoise;
  PredictOptions predict;
  EvaluationOptions evaluation;
  std::int64_t max_items = 1000;  ///< evenly spread over the dataset
};

/// What became of it at one severity.
struct ShiftStep {
  double severity = 0.0;
  std::shared_ptr<const Run> run;
  Evaluation evaluation;
  double mean_entropy = 0.0;  ///< nats
  /// Nats; NaN where the method has none.
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

/// Severities 0 to 5; rotations go half around.
[[nodiscard]] std::vector<double> severitiesOf(CorruptionKind kind);

/// What the analysis lacks for a shift, and what to do, in a sentence for people; empty where it
/// has all: model, method and dataset.
[[nodiscard]] std::string whyNoShift(const Analysis& analysis);

/// Predicts and evaluates the items at every severity, with the seed of the analysis. Stopping
/// early keeps the severities that are there. Blocking; for a worker thread. Errors of predict()
/// and evaluate().
[[nodiscard]] Expected<ShiftResultPtr> computeShift(const ShiftRequest& request,
                                                    RunContext& context);

/// The item with this id as it is read at every severity, for people; empty where it cannot be
/// read.
[[nodiscard]] std::vector<Image8> shiftedImages(const ShiftResult& result, std::int64_t id);

}  // namespace dubito
