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

/// The items of a dataset that a network is trained on. Their inputs are made batch by batch of
/// what is stored.
struct TrainingSet {
  /// The dataset, with items kept as stored where reading them again costs.
  std::shared_ptr<const Dataset> dataset;
  std::vector<std::int64_t> items;        ///< positions in the dataset; "row" i below is items[i]
  at::Tensor labels;                      ///< [N] int64, of the rows
  std::vector<std::int64_t> input_shape;  ///< of one item: [C, H, W] or [F]
  std::int64_t classes = 0;
  Preprocessing preprocessing;  ///< of the inputs; mean and std are those of the set itself
  std::string content_hash;     ///< over rows, labels and inputs
  std::int64_t unlabelled = 0;  ///< items left out for want of a label
  std::int64_t unreadable = 0;  ///< items left out because they could not be read

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(items.size()); }
};

/// Reads `dataset`, which outlives the result, several times: what can be read, mean and std, the
/// hash. 8-bit images are scaled by 1/255, real ones and vectors by 1; images are brought to the
/// size and channels of the first one; mean and std are taken a channel (over all values for
/// vectors). Refused: fewer than two classes, an item that exceeds the memory budget; kCancelled.
[[nodiscard]] Expected<TrainingSet> readTrainingSet(const Dataset& dataset, RunContext& context);

/// kMalformed if an item of the set, whose items could be read before, cannot be read any more.
[[nodiscard]] Status allRead(const Batch& batch);

}  // namespace dubito
