// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/models/model.h"
#include "core/train/head/head_options.h"

namespace dubito::cli {

/// The settings of `train head`.
struct HeadRun {
  std::string backbone;
  LoadModelOptions loading;
  HeadOptions head;
  std::int64_t batch = 128;
  std::string output;
  /// With more than one, files numberedPath(output, 1), ... with the seeds SEED, SEED + 1, ...,
  /// shared among the processes.
  std::int64_t members = 1;
  bool as_json = false;
};

/// Trains the heads and prints their reports.
[[nodiscard]] Status runTrainHead(const HeadRun& run, const Dataset& dataset, RunContext& context);

}  // namespace dubito::cli
