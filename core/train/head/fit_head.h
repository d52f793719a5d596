// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/expected.h"
#include "core/base/right_count.h"
#include "core/base/run_context.h"
#include "core/train/head/head_options.h"
#include "core/train/head/softmax_regression.h"

namespace dubito {

/// Data to fit a head to.
struct HeadItems {
  LabelledFeatures train = {};
  std::vector<std::int64_t> ids = {};  ///< of the items of `train`
  LabelledFeatures validation = {};
  std::int64_t classes = 0;
  bool has_bias = true;
};

struct FittedHead {
  SoftmaxRegression regression = {};
  double l2 = 0.0;  ///< of the weights for the raw features
  /// Of fits to the other folds, if HeadOptions::folds is set.
  std::optional<RightCount> held_out = {};
};

/// Fits the weights with the L2 penalty of the options. If it is not given, features are moved and
/// scaled to mean 0 and mean square length 1 first, so that their size does not matter, and the
/// penalty is that of candidatePenalties() with the lowest validation loss; without validation
/// items, with the lowest loss when each of five parts is held out in turn (of a sample, if there
/// are many items; fewer than ten items: a usual one). kCancelled.
[[nodiscard]] Expected<FittedHead> fitHead(const HeadItems& items, const HeadOptions& options,
                                           RunContext& context);

}  // namespace dubito
