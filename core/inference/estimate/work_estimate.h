// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/inference/fitting/method_data.h"

namespace dubito {

/// What a prediction will take, found before it begins.
struct WorkEstimate {
  /// Whether the time can be told; the seconds are 0 otherwise.
  bool knows_time = true;
  double seconds = 0.0;      ///< on this machine as busy as it is now, fitting included
  double seconds_low = 0.0;  ///< range in which the time should lie
  double seconds_high = 0.0;
  std::int64_t peak_bytes = 0;    ///< largest memory of this process, the program itself included
  std::int64_t result_bytes = 0;  ///< of the runs, with the draws that are kept
};

/// Predicts a few batches, fits to a few items where the method is fitted, and extrapolates to all
/// of them: within a factor of two unless the machine gets more or less busy. Takes a few seconds
/// at most, or a few passes where one takes longer. The time is not known where a fit to a few
/// items takes too long to try. Nothing is kept. Errors as prepareMethod and predict(); kCancelled.
[[nodiscard]] Expected<WorkEstimate> estimateWork(
    const Model& model, const std::vector<DatasetPtr>& datasets, const MethodOptions& method,
    const MethodData& data, const PredictOptions& options, RunContext& context);

/// Counts work in that is done besides and takes `seconds`, if the time is known at all.
void addSeconds(WorkEstimate& estimate, double seconds);

/// "8 to 20 s, up to 1.3 GB of memory, 340 MB of results".
[[nodiscard]] std::string describe(const WorkEstimate& estimate);

}  // namespace dubito
