// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/dataset.h"
#include "core/data/preprocessing.h"

namespace dubito {

/// All labelled items of a dataset as the network sees them, in memory.
struct TrainingSet {
  at::Tensor inputs;  ///< [N, C, H, W] or [N, F] float32, normalised
  at::Tensor labels;  ///< [N] int64
  std::int64_t classes = 0;
  Preprocessing preprocessing;  ///< that made `inputs`; mean and std are those of the set itself
  std::int64_t unlabelled = 0;  ///< items left out for want of a label
  std::int64_t unreadable = 0;  ///< items left out because they could not be read
};

/// Reads `dataset` whole. 8-bit images are scaled by 1/255, real ones and vectors by 1; images are
/// brought to the size and channels of the first one; mean and std are taken a channel (over all
/// values for vectors). Refused: fewer than two classes, more than the memory budget holds.
[[nodiscard]] Expected<TrainingSet> readTrainingSet(const Dataset& dataset, RunContext& context);

}  // namespace dubito
