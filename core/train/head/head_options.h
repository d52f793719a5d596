// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

/// How to train a new head. The seed of the validation items comes from the RunContext.
struct HeadOptions {
  /// Linear layers: 1, or with hidden layers of `units` ReLUs before the last one.
  std::int64_t layers = 1;
  std::int64_t units = 256;
  /// One of dropoutKinds(), before each linear layer.
  std::string dropout = "none";
  /// Drop rate, or where learned rates begin. Empty: 0.5, or 0.1 if they are learned.
  std::optional<double> drop_rate = {};
  /// Prior length scale of layers with learned drop rates, see LearnedDropout.
  double length_scale = 1.0;
  std::int64_t epochs = 100;  ///< at most
  std::int64_t minibatch = 128;
  std::optional<double> learning_rate = {};  ///< initial rate of Adam; empty: 0.001
  double weight_decay = 5e-4;                ///< of layers without learned drop rates

  // The following three are those of a single layer without dropout, fitted to all items at once.

  /// Strength of the L2 penalty of weights and bias, per item; empty: chosen by held-out items, see
  /// fitHead.
  std::optional<double> l2 = {};
  std::int64_t iterations = 200;  ///< at most
  /// Parts of the items, each held out once, to measure the accuracy on items that were not trained
  /// on; 0: not measured.
  std::int64_t folds = 0;

  /// Share of the items that are held out, chosen by seed and id; with any, training stops when
  /// their loss no longer falls, and the head with the lowest loss is kept.
  double validation_share = 0.0;
  /// Iterations, or epochs, without a lower validation loss before training stops.
  std::int64_t patience = 10;
  /// "both": the classes of the network, followed by those that only the dataset has; "dataset":
  /// only those of the dataset.
  std::string classes = "both";
  /// Folder of the features that are kept; empty: usualFeatureFolder().
  std::string feature_cache = {};
  /// Limit on the size of all kept features, in MB; 0: none are kept or used.
  std::int64_t feature_cache_mb = 4096;

  /// Whether the head is trained in epochs of minibatches; otherwise it is a single layer without
  /// dropout, whose optimum is found directly (fitHead).
  [[nodiscard]] bool isNetwork() const { return layers > 1 || dropout != "none"; }
  [[nodiscard]] std::int64_t cacheBytes() const { return feature_cache_mb * 1'000'000; }
  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

}  // namespace dubito
