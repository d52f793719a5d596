// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "core/data/items/dataset.h"
#include "core/data/items/stored_range.h"

namespace dubito {

/// The items of another dataset with another info. Subclasses read them and may change the rest.
class WrappedDataset : public Dataset, public StoredRange {
 public:
  [[nodiscard]] const DatasetInfo& info() const override { return info_; }
  [[nodiscard]] std::int64_t size() const override { return base_->size(); }
  [[nodiscard]] std::span<const std::int64_t> ids() const override { return base_->ids(); }
  [[nodiscard]] std::span<const std::int64_t> labels() const override { return base_->labels(); }
  [[nodiscard]] std::span<const Attribute> attributes() const override {
    return base_->attributes();
  }
  [[nodiscard]] std::string itemName(std::int64_t index) const override {
    return base_->itemName(index);
  }
  /// That of the other dataset, so that both are scaled alike.
  [[nodiscard]] std::optional<ValueRange> storedRange() const override {
    return dubito::storedRange(*base_);
  }

 protected:
  WrappedDataset(DatasetPtr base, DatasetInfo info)
      : base_(std::move(base)), info_(std::move(info)) {}
  [[nodiscard]] const Dataset& base() const { return *base_; }

 private:
  DatasetPtr base_;
  DatasetInfo info_;
};

}  // namespace dubito
