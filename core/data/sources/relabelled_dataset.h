// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/data/items/dataset.h"
#include "core/data/items/item_files.h"
#include "core/data/items/stored_range.h"

namespace dubito {

/// The items of another dataset with other labels and another info; everything else is theirs.
class RelabelledDataset : public Dataset, public ItemFiles, public StoredRange {
 public:
  /// `labels` has one number per item, -1 if unknown. Throws std::invalid_argument for another
  /// length.
  RelabelledDataset(DatasetPtr base, std::vector<std::int64_t> labels, DatasetInfo info);

  [[nodiscard]] const DatasetInfo& info() const override { return info_; }
  [[nodiscard]] std::int64_t size() const override { return base_->size(); }
  [[nodiscard]] std::span<const std::int64_t> ids() const override { return base_->ids(); }
  [[nodiscard]] std::span<const std::int64_t> labels() const override { return labels_; }
  [[nodiscard]] std::span<const Attribute> attributes() const override {
    return base_->attributes();
  }
  [[nodiscard]] std::string itemName(std::int64_t index) const override {
    return base_->itemName(index);
  }
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    return base_->read(index);
  }
  [[nodiscard]] Expected<ReducedSample> readReduced(std::int64_t index,
                                                    std::int64_t min_side) const override {
    return dubito::readReduced(*base_, index, min_side);
  }
  [[nodiscard]] std::string itemFile(std::int64_t index) const override {
    return dubito::itemFile(*base_, index);
  }
  [[nodiscard]] std::optional<ValueRange> storedRange() const override {
    return dubito::storedRange(*base_);
  }

 private:
  DatasetPtr base_;
  std::vector<std::int64_t> labels_;
  DatasetInfo info_;
};

}  // namespace dubito
