// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/models/model.h"
#include "core/network/neighbours/nearest_rows.h"

namespace dubito {

/// Options for indexing a dataset.
struct FeatureIndexOptions {
  /// Items per batch.
  std::int64_t batch = 500;
  /// Memory limit for the features, further bounded by a quarter of the context's memory budget.
  /// Larger datasets are represented by a sample, chosen by seed and id.
  std::int64_t max_bytes = std::int64_t{1} << 30;
};

/// Features of a dataset's items under a network, for finding similar items: the inputs of its last
/// linear layer, without dropout. Immutable; use it only on the thread that runs torch.
class FeatureIndex {
 public:
  /// Runs the items through the network once; unreadable items are skipped. kUnsupported, with the
  /// reason, if no last linear layer was found; kMalformed if no item can be read; errors of
  /// HeadNetwork::run and of loading batches; kCancelled.
  [[nodiscard]] static Expected<std::shared_ptr<const FeatureIndex>> of(
      const std::shared_ptr<const Model>& model, const DatasetPtr& dataset,
      const FeatureIndexOptions& options, RunContext& context);
  ~FeatureIndex();
  FeatureIndex(const FeatureIndex&) = delete;
  FeatureIndex& operator=(const FeatureIndex&) = delete;

  [[nodiscard]] const FeatureTable& table() const;
  [[nodiscard]] const DatasetPtr& dataset() const;
  [[nodiscard]] const ModelPtr& model() const;
  /// Notes for the user on sampled and unreadable items.
  [[nodiscard]] const std::vector<std::string>& notes() const;

  /// The `count` indexed items most similar to the item at `position` of `queried` (nearestRows);
  /// an item of the indexed dataset is not its own neighbour. kReadFailed if the item cannot be
  /// read; kCancelled.
  [[nodiscard]] Expected<std::vector<Neighbour>> nearest(const Dataset& queried,
                                                         std::int64_t position, std::int64_t count,
                                                         RunContext& context) const;

 private:
  struct Impl;
  explicit FeatureIndex(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};
using FeatureIndexPtr = std::shared_ptr<const FeatureIndex>;

}  // namespace dubito
