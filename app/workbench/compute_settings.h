// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/base/memory_budget.h"
#include "core/base/run_context.h"
#include "core/data/sources/hold_out.h"
#include "core/methods/method_data.h"

namespace dubito {

/// Settings of the next computation, edited in the Compute panel.
struct ComputeSettings {
  MethodOptions method = McDropoutOptions{};
  /// If not empty, these analyses are combined into an ensemble instead of running `method`.
  std::vector<AnalysisPtr> members;
  /// OOD datasets of the session that are not predicted.
  std::vector<DatasetPtr> excluded_ood;
  /// Set if `data.calibration` is a part of the evaluated dataset: the rest is evaluated.
  std::optional<HeldOut> held_out = {};
  /// Data to fit the method on; compute() adds the evaluated datasets.
  MethodData data;
  PredictOptions predict;
  EvaluationOptions evaluation;
  std::uint64_t seed = 0;
  Device device;
  MemoryOptions memory;
  /// Predict in a separate process if possible.
  bool isolated = false;
};

}  // namespace dubito
