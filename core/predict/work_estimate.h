// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/methods/method_data.h"

namespace dubito {

/// Time and memory of a prediction, estimated in advance.
struct WorkEstimate {
  /// Whether the time could be estimated; the seconds are 0 otherwise.
  bool knows_time = true;
  double seconds = 0.0;      ///< including fitting, under the machine's current load
  double seconds_low = 0.0;  ///< plausible range
  double seconds_high = 0.0;
  std::int64_t peak_bytes = 0;  ///< peak memory of this process, including the program itself
  /// Peak memory of the tensors on the GPU; 0 on the CPU.
  std::int64_t peak_device_bytes = 0;
  std::int64_t result_bytes = 0;  ///< size of the runs, including stored draws
};

/// Predicts a few batches, fits on a few items if the method is fitted, and extrapolates to all
/// items: accurate within a factor of two unless the machine's load changes. Takes a few seconds at
/// most, or a few passes if a pass takes longer. The time is unknown if even a fit on a few items
/// would take too long. Discards all results. Errors of prepareMethod and predict(); kCancelled.
[[nodiscard]] Expected<WorkEstimate> estimateWork(
    const Model& model, const std::vector<DatasetPtr>& datasets, const MethodOptions& method,
    const MethodData& data, const PredictOptions& options, RunContext& context);

/// Adds `seconds` of other work, if the time is known.
void addSeconds(WorkEstimate& estimate, double seconds);

/// "8 to 20 s, up to 1.3 GB of memory, 340 MB of results".
[[nodiscard]] std::string describe(const WorkEstimate& estimate);

}  // namespace dubito
