// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/jobs/worker_thread.h"
#include "core/data/items/dataset.h"
#include "core/labels/decision.h"

namespace dubito {

/// Hashes of the items that a person looks at, computed meanwhile, which takes a while for
/// photographs. GUI thread only.
class ItemHashes {
 public:
  /// A hash that is computed as long as somebody holds this; empty if the item cannot be read.
  struct Hash {
    std::shared_future<std::string> text;
    std::shared_ptr<const void> wanted;
  };
  using Pending = std::unordered_map<std::int64_t, Hash>;  ///< by item

  struct Item {
    std::int64_t id = 0;
    std::int64_t index = 0;  ///< in the dataset
  };
  /// Hashes these items; those of others are dropped unless somebody waits for them.
  void start(const DatasetPtr& dataset, const std::vector<Item>& items);
  [[nodiscard]] const Pending& pending() const { return pending_; }

 private:
  DatasetPtr dataset_;
  Pending pending_;
  WorkerThread thread_;
};

/// Fills in the content hashes. Waits for those that are being computed: for a worker thread.
void addContentHashes(const ItemHashes::Pending& hashes, std::vector<Decision>& decisions);

}  // namespace dubito
