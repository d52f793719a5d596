// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/run_context.h"
#include "core/methods/method_options.h"
#include "core/methods/predict_options.h"
#include "core/models/model.h"

namespace dubito {

/// Whether a run stores its draws, and how much memory they take.
struct KeptDraws {
  bool kept = false;             ///< whether the draws are stored
  std::int64_t bytes = 0;        ///< size of all draws; 0 if the method has none
  std::int64_t limit_bytes = 0;  ///< limit for storing them
};
/// The limit is PredictOptions::keep_samples_mb, or half of the context's memory budget if that is
/// smaller.
[[nodiscard]] KeptDraws keptDraws(const MethodOptions& method, const Model& model,
                                  std::int64_t items, const PredictOptions& options,
                                  const RunContext& context);

}  // namespace dubito
