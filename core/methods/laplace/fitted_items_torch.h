// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/content_hash.h"
#include "core/data/items/dataset.h"
#include "core/methods/method_options.h"
#include "core/methods/predict_options.h"
#include "core/models/model.h"

namespace dubito {

/// The items used by a fit.
struct FittedItems {
  ContentHash hash;
  std::vector<std::int64_t> ids;  ///< ids of the readable items, in order
  std::int64_t unreadable = 0;
};

/// The readable items of one batch of a fit.
struct FittedBatch {
  std::span<const std::int64_t> indices;  ///< positions in the dataset
  /// networkInput of the items, on the CPU or the device of the pass; do not write to it.
  at::Tensor inputs;
  std::span<const std::int64_t> ids;
  std::span<const std::int64_t> labels;  ///< -1: unknown
};

/// Reads a dataset once, reporting progress as `task`, and calls `take` for every batch that has
/// readable items, with its inputs on `device` if they fit. With several ranks, each processes its
/// share of the batches, and all return the combined result. kMalformed if no item can be read;
/// errors of `take`; kCancelled.
[[nodiscard]] Expected<FittedItems> forEachFittedBatch(
    const Model& model, const Dataset& dataset, const std::string& task,
    const PredictOptions& options, c10::Device device, RunContext& context,
    const std::function<Status(const FittedBatch&)>& take);

}  // namespace dubito
