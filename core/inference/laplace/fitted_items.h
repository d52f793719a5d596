// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/images/preprocessing.h"
#include "core/data/items/content_hash.h"
#include "core/data/items/dataset.h"
#include "core/inference/options/method_options.h"
#include "core/inference/options/predict_options.h"
#include "core/models/model.h"

namespace dubito {

/// The items that a fit saw.
struct FittedItems {
  ContentHash hash;
  std::vector<std::int64_t> ids;  ///< of those that could be read, in order
  std::int64_t unreadable = 0;
};

/// The readable items of a batch on their way into a fit.
struct FittedBatch {
  const Batch& batch;
  std::span<const std::int64_t> ids;
  std::span<const std::int64_t> labels;  ///< -1: unknown
};

/// Passes over a dataset once, telling progress as `task`; `take` gets every batch that has
/// readable items. With several ranks each takes its share of the batches, and the result is that
/// of all. kMalformed where no item can be read; what `take` returns; kCancelled.
[[nodiscard]] Expected<FittedItems> passOver(const Model& model, const Dataset& dataset,
                                             const std::string& task, const PredictOptions& options,
                                             RunContext& context,
                                             const std::function<Status(const FittedBatch&)>& take);

}  // namespace dubito
