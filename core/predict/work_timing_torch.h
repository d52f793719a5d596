// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/methods/method_data.h"
#include "core/predict/batch_times.h"

namespace dubito {

/// Time to predict `items` items in batches of `batch`, measured on real batches of `dataset` after
/// a warm-up. `method` is ready to predict; if all draws would take too long, only a few are timed.
/// Errors of predict(); kCancelled.
[[nodiscard]] Expected<SecondsRange> timePrediction(const Model& model, const DatasetPtr& dataset,
                                                    const MethodOptions& method, std::int64_t items,
                                                    std::int64_t batch,
                                                    const PredictOptions& options,
                                                    const RunContext& context);

/// Result of timeFit.
struct TimedFit {
  SecondsRange seconds;  ///< for all items
  MethodOptions method;  ///< fitted on a few items
};
/// Times fits on a few items and extrapolates to prepareMethod on all of `data`. Errors of
/// prepareMethod; kCancelled.
[[nodiscard]] Expected<TimedFit> timeFit(const Model& model, const MethodOptions& method,
                                         const MethodData& data, const PredictOptions& options,
                                         const RunContext& context);

/// At most `count` items of `dataset`, from the first readable one on. kCancelled.
[[nodiscard]] Expected<DatasetPtr> firstItems(const DatasetPtr& dataset, std::int64_t count,
                                              const RunContext& context);

}  // namespace dubito
