// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "app/studies/active_learning/curve.h"
#include "app/studies/active_learning/experiment_data.h"
#include "app/studies/active_learning/options.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito::study {

/// Number of labels at the last point of a curve that grows up to `labels`.
[[nodiscard]] std::int64_t lastLabels(const ActiveLearningOptions& options, std::int64_t labels);
/// Number of points that are missing in a curve up to `labels`.
[[nodiscard]] std::int64_t missingPoints(const Curve& curve, const ActiveLearningOptions& options,
                                         std::int64_t labels);

/// Callbacks of extendCurve.
struct CurveEvents {
  /// Receives the curve after every round, to save it; an error ends the computation.
  std::function<Status(const Curve&)> on_point;
  /// Where a round keeps its network for a moment.
  std::string scratch_path;
};

/// Continues a curve up to `labels` items: in every round, trains a new network on the labelled
/// items, measures its accuracy, and labels the first items of the queue. The same data, options,
/// seed and number of threads give the same curve, however often it is interrupted. kMalformed if
/// the curve does not belong to this data; kCancelled.
[[nodiscard]] Status extendCurve(const ExperimentData& data, const ActiveLearningOptions& options,
                                 std::int64_t labels, Curve& curve, const CurveEvents& events,
                                 RunContext& context);

}  // namespace dubito::study
