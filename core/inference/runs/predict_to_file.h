// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "core/inference/runs/predict.h"

namespace dubito {

/// How the results of a long run are kept while it is computed.
struct SaveOptions {
  /// Go on with the parts that an earlier call left, if any.
  bool resume = false;
  /// Results of this many bytes make a part. It is also what results take of memory.
  std::int64_t part_bytes = std::int64_t{8} << 20;
  /// Nor does a part take longer than this, so that no more work can be lost.
  std::chrono::milliseconds part_age = std::chrono::seconds(30);
};

/// A run that was written.
struct SavedRun {
  RunMeta meta;
  std::int64_t items = 0;
  std::int64_t classes = 0;
  std::int64_t resumed_items = 0;  ///< taken from parts of an earlier call
  int parts_ignored = 0;           ///< half-written or damaged; computed again
};

/// As predict, with the run as the file `run_path`. Memory for results does not grow with the
/// number of items: complete parts are kept in the folder `run_path`.parts, which goes when the run
/// is there. A short run needs no parts.
///
/// A cancel (kCancelled; the message says how to go on) and a failure leave the complete parts, and
/// an older file `run_path` as it was. A later call with `resume` computes what is missing and
/// gives the same run as one that nothing interrupted. Refused, naming the difference: going on
/// with another model, dataset or other options than the parts were made with. Parts that exist
/// without `resume`, and a run that another program is computing, are refused too (kWriteFailed).
[[nodiscard]] Expected<SavedRun> predictToFile(const Model& model, const Dataset& dataset,
                                               const MethodOptions& method,
                                               const PredictOptions& options,
                                               const std::string& run_path, const SaveOptions& save,
                                               RunContext& context);

}  // namespace dubito
