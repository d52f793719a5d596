// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

/// How to train a new last layer. The seed of the validation items comes from the RunContext.
struct HeadOptions {
  /// Strength of the L2 penalty of weights and bias, per item; empty: chosen by held-out items, see
  /// fitHead.
  std::optional<double> l2 = {};
  std::int64_t iterations = 200;  ///< at most
  /// Share of the items that are held out, chosen by seed and id; with any, training stops when
  /// their loss no longer falls.
  double validation_share = 0.0;
  /// Iterations without a lower validation loss before training stops.
  std::int64_t patience = 10;
  /// Parts of the items, each held out once, to measure the accuracy on items that were not trained
  /// on; 0: not measured.
  std::int64_t folds = 0;
  /// "both": the classes of the network, followed by those that only the dataset has; "dataset":
  /// only those of the dataset.
  std::string classes = "both";
  /// Folder of the features that are kept; empty: usualFeatureFolder().
  std::string feature_cache = {};
  /// Limit on the size of all kept features, in MB; 0: none are kept or used.
  std::int64_t feature_cache_mb = 4096;

  [[nodiscard]] std::int64_t cacheBytes() const { return feature_cache_mb * 1'000'000; }
  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

}  // namespace dubito
