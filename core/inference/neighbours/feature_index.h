// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/inference/neighbours/nearest_rows.h"
#include "core/models/model.h"

namespace dubito {

/// How a dataset is indexed.
struct FeatureIndexOptions {
  /// Items per batch.
  std::int64_t batch = 500;
  /// Bytes of features that may be kept, further bounded by a quarter of the context's memory
  /// budget. A dataset that needs more is represented by a sample, chosen by seed and id.
  std::int64_t max_bytes = std::int64_t{1} << 30;
};

/// The features of a dataset's items under a network, to find those that resemble another item:
/// the inputs of its last linear layer, without dropout. Immutable; to be used on the thread that
/// computes.
class FeatureIndex {
 public:
  /// Passes the items through the network once; those that cannot be read are left out.
  /// kUnsupported, with the reason, where no last linear layer was found; kMalformed where no item
  /// can be read; what HeadNetwork::run and the loading of batches return; kCancelled.
  [[nodiscard]] static Expected<std::shared_ptr<const FeatureIndex>> of(
      const std::shared_ptr<const Model>& model, const DatasetPtr& dataset,
      const FeatureIndexOptions& options, RunContext& context);
  ~FeatureIndex();
  FeatureIndex(const FeatureIndex&) = delete;
  FeatureIndex& operator=(const FeatureIndex&) = delete;

  [[nodiscard]] const FeatureTable& table() const;
  [[nodiscard]] const DatasetPtr& dataset() const;
  [[nodiscard]] const ModelPtr& model() const;
  /// What a reader of the neighbours must know: a sample, unreadable items.
  [[nodiscard]] const std::vector<std::string>& notes() const;

  /// The `count` indexed items that resemble the item at `position` of `queried` most
  /// (nearestRows); an item of the indexed dataset itself is no neighbour of its own. kReadFailed
  /// for an item that cannot be read; kCancelled.
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
