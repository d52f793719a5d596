// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/items/dataset.h"

namespace dubito {

/// A dataset in which the row number of an item is its id and serves as its name.
class NumberedDataset : public Dataset {
 public:
  [[nodiscard]] const DatasetInfo& info() const override { return info_; }
  [[nodiscard]] std::int64_t size() const override {
    return static_cast<std::int64_t>(ids_.size());
  }
  [[nodiscard]] std::span<const std::int64_t> ids() const override { return ids_; }
  [[nodiscard]] std::span<const std::int64_t> labels() const override { return labels_; }
  /// "#17".
  [[nodiscard]] std::string itemName(std::int64_t index) const override;

 protected:
  /// Creates one item per label; -1 if the label is unknown.
  NumberedDataset(DatasetInfo info, std::vector<std::int64_t> labels);

  /// The label of item `index`. Throws std::out_of_range.
  [[nodiscard]] std::int64_t labelAt(std::int64_t index) const {
    return labels_.at(static_cast<std::size_t>(index));
  }
  [[nodiscard]] DatasetInfo& mutableInfo() { return info_; }

 private:
  DatasetInfo info_;
  std::vector<std::int64_t> labels_;
  std::vector<std::int64_t> ids_;
};

}  // namespace dubito
