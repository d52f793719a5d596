// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/run_context.h"
#include "core/inference/predict.h"
#include "core/inference/run_builder.h"
#include "core/models/model.h"

namespace dubito {

/// Whether the draws of a run are kept.
struct KeptDraws {
  bool kept = false;
  std::int64_t bytes = 0;        ///< of all draws; 0 where the method has none
  std::int64_t limit_bytes = 0;  ///< up to which they are kept
};
/// Within PredictOptions::keep_samples_mb, and half of the context's memory budget.
[[nodiscard]] KeptDraws keptDraws(const MethodOptions& method, const Model& model,
                                  std::int64_t items, const PredictOptions& options,
                                  const RunContext& context);

/// What a run of `method` holds of each item.
[[nodiscard]] RunShape runShape(const MethodOptions& method, const Model& model,
                                bool keeps_samples);

}  // namespace dubito
