// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/inference/method_data.h"

namespace dubito {

/// What a prediction will take, told before it begins.
struct WorkEstimate {
  double seconds = 0.0;           ///< on this machine as it is now, fitting included
  std::int64_t result_bytes = 0;  ///< of the runs, with the draws that are kept
};

/// Times the network on a few items and reckons up what `method` does to all of them: passes,
/// draws (those of weights, of logits and of the honesty gauge), and for methods that are fitted
/// those over data.fit and data.calibration. Within a factor of two where items take equally long
/// and the network is what takes time; it takes less than a second, or a few passes where one takes
/// longer. Nothing is kept. Errors as predict(); kCancelled.
[[nodiscard]] Expected<WorkEstimate> estimateWork(
    const Model& model, const std::vector<DatasetPtr>& datasets, const MethodOptions& method,
    const MethodData& data, const PredictOptions& options, RunContext& context);

/// "about 12 s, 340 MB of results".
[[nodiscard]] std::string describe(const WorkEstimate& estimate);

}  // namespace dubito
