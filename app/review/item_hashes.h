// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/analysis/analysis.h"

namespace dubito {

/// Hashes of the in-distribution items of a run (sampleHash), by row, which decisions record. A
/// hash needs every pixel; views often need few, so it does not come with every picture. Callable
/// from any thread.
class ItemHashes {
 public:
  explicit ItemHashes(AnalysisPtr analysis);

  /// The hash of an item that was read whole.
  void put(std::int64_t row, std::string hash);
  [[nodiscard]] bool has(std::int64_t row) const;
  /// Reads the item if its hash is not known, or waits for the thread that reads it. Empty: the
  /// item cannot be read.
  [[nodiscard]] std::string of(std::int64_t row);

 private:
  const AnalysisPtr analysis_;
  mutable std::mutex mutex_;
  std::condition_variable read_;
  std::unordered_map<std::int64_t, std::string> hashes_;
  std::unordered_set<std::int64_t> reading_;
};

}  // namespace dubito
