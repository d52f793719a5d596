// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "core/data/items/dataset.h"
#include "core/data/items/stored_range.h"

namespace dubito {

/// Caches raw items when they are first read, up to a size limit, for readers that read them
/// repeatedly. Nothing is cached if the dataset is already in memory.
class SampleCache : public Dataset, public StoredRange {
 public:
  /// `base` must outlive the object.
  SampleCache(const Dataset& base, std::int64_t max_bytes);

  [[nodiscard]] const DatasetInfo& info() const override { return base_.info(); }
  [[nodiscard]] std::int64_t size() const override { return base_.size(); }
  [[nodiscard]] std::span<const std::int64_t> ids() const override { return base_.ids(); }
  [[nodiscard]] std::span<const std::int64_t> labels() const override { return base_.labels(); }
  [[nodiscard]] std::span<const Attribute> attributes() const override {
    return base_.attributes();
  }
  [[nodiscard]] std::string itemName(std::int64_t index) const override {
    return base_.itemName(index);
  }
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override;
  [[nodiscard]] std::optional<ValueRange> storedRange() const override {
    return dubito::storedRange(base_);
  }

  /// Size of the cached items in bytes.
  [[nodiscard]] std::int64_t keptBytes() const;

 private:
  /// Whether two reads of the item return the same memory.
  [[nodiscard]] bool isInMemory(std::int64_t index, const Sample& sample) const;

  const Dataset& base_;
  std::int64_t max_bytes_;
  mutable std::mutex mutex_;
  mutable std::optional<bool> in_memory_;  ///< determined by the first item read
  mutable std::vector<std::optional<Sample>> kept_;
  mutable std::int64_t kept_bytes_ = 0;
};

}  // namespace dubito
