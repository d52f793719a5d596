// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/images/preprocessing.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// The items of a dataset that a network is trained on. Inputs are computed batch by batch from the
/// stored items.
struct TrainingSet {
  /// The dataset, with stored items cached if reading them again is expensive.
  std::shared_ptr<const Dataset> dataset;
  std::vector<std::int64_t> items;        ///< positions in the dataset; "row" i below is items[i]
  at::Tensor labels;                      ///< [N] int64, of the rows
  std::vector<std::int64_t> input_shape;  ///< of one item: [C, H, W] or [F]
  std::int64_t classes = 0;
  Preprocessing preprocessing;  ///< of the inputs; with mean and std of these items
  std::string content_hash;     ///< over rows, labels and inputs
  std::int64_t unlabelled = 0;  ///< items skipped because they have no label
  std::int64_t unreadable = 0;  ///< items skipped because they cannot be read

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(items.size()); }
};

/// Reads `dataset`, which must outlive the result, several times: to find readable items, mean and
/// std, and the hash. 8-bit images are scaled by 1/255, real-valued images and vectors by 1; images
/// are converted to the size and channels of the first one; mean and std are per channel (over all
/// values for vectors). Errors: fewer than two classes, an item that exceeds the memory budget;
/// kCancelled.
[[nodiscard]] Expected<TrainingSet> readTrainingSet(const Dataset& dataset, RunContext& context);

/// kMalformed if an item of `batch` could not be read, although readTrainingSet could read it.
[[nodiscard]] Status requireReadable(const Batch& batch);

}  // namespace dubito
