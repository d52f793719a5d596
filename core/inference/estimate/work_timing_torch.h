// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/inference/fitting/method_data.h"

namespace dubito {

/// Seconds that something will take, with the range in which they should lie on a machine as busy
/// as it is now.
struct SecondsRange {
  double low = 0.0;
  double mean = 0.0;
  double high = 0.0;

  friend SecondsRange operator+(const SecondsRange& a, const SecondsRange& b) {
    return {a.low + b.low, a.mean + b.mean, a.high + b.high};
  }
};

/// Seconds of predicting `items` items in batches of `batch`, from batches of `dataset` that are
/// really predicted after a warm-up. `method` is ready to predict; of many draws a few are timed if
/// all would take too long. Errors of predict(); kCancelled.
[[nodiscard]] Expected<SecondsRange> timePrediction(const Model& model, const DatasetPtr& dataset,
                                                    const MethodOptions& method, std::int64_t items,
                                                    std::int64_t batch,
                                                    const PredictOptions& options,
                                                    const RunContext& context);

/// How long prepareMethod takes on all of `data`, from fits to a few items of it, and the method as
/// fitted to these. Errors of prepareMethod; kCancelled.
struct TimedFit {
  SecondsRange seconds;
  MethodOptions method;
};
[[nodiscard]] Expected<TimedFit> timeFit(const Model& model, const MethodOptions& method,
                                         const MethodData& data, const PredictOptions& options,
                                         const RunContext& context);

/// `dataset` without what cannot be read at its beginning, `count` items at most. kCancelled.
[[nodiscard]] Expected<DatasetPtr> firstItems(const DatasetPtr& dataset, std::int64_t count,
                                              const RunContext& context);

}  // namespace dubito
