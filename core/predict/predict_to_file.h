// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "core/predict/predict.h"
#include "core/runs/saved_run.h"

namespace dubito {

/// How the results of a long run are saved during the computation.
struct SaveOptions {
  /// Resume from the parts left by an earlier call, if there are any.
  bool resume = false;
  /// Bytes of results per part. Also bounds the memory for results.
  std::int64_t part_bytes = std::int64_t{8} << 20;
  /// Maximum time per part, which bounds the work that can be lost.
  std::chrono::milliseconds part_age = std::chrono::seconds(30);
};

/// As predict, but writes the run to `run_path`. Memory for results does not grow with the number
/// of items: complete parts are stored in the folder `run_path`.parts, which is removed once the
/// run is complete. A short run needs no parts.
///
/// After a cancel (kCancelled; the message says how to resume) or a failure, the complete parts
/// remain, and an older file `run_path` is unchanged. A later call with `resume` computes what is
/// missing and gives the same run as an uninterrupted one. Errors if the existing parts were
/// computed with another model, dataset or options (names the difference), if parts exist but
/// `resume` is not set, or if another program is computing the run (kWriteFailed).
[[nodiscard]] Expected<SavedRun> predictToFile(const Model& model, const Dataset& dataset,
                                               const MethodOptions& method,
                                               const PredictOptions& options,
                                               const std::string& run_path, const SaveOptions& save,
                                               RunContext& context);

}  // namespace dubito
