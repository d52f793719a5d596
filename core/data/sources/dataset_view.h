// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/data/items/dataset.h"
#include "core/data/items/item_files.h"
#include "core/data/items/stored_range.h"
#include "core/data/sources/dataset_spec.h"

namespace dubito {

/// A dataset of selected items of another dataset, with their ids and attributes, so that an item
/// has the same id in every selection. Items have no label (-1) in the roles OOD and unlabelled,
/// because their classes are not those of the model.
class DatasetView : public Dataset, public ItemFiles, public StoredRange {
 public:
  /// The items at positions `rows` in `base`, in that order; throws std::out_of_range for invalid
  /// positions. `info` replaces the info of `base`.
  DatasetView(DatasetPtr base, std::vector<std::int64_t> rows, DatasetInfo info);
  /// All items of `base`, with another `info`.
  DatasetView(DatasetPtr base, DatasetInfo info);
  /// The items of `view` with another `info`: labels that the old role hides reappear if the new
  /// role has labels.
  DatasetView(const DatasetView& view, DatasetInfo info);

  [[nodiscard]] const DatasetInfo& info() const override { return info_; }
  [[nodiscard]] std::int64_t size() const override { return count_; }
  [[nodiscard]] std::span<const std::int64_t> ids() const override {
    return isRange() ? rangeOf(base_->ids()) : ids_;
  }
  [[nodiscard]] std::span<const std::int64_t> labels() const override {
    return isRange() && labels_.empty() ? rangeOf(base_->labels()) : labels_;
  }
  [[nodiscard]] std::span<const Attribute> attributes() const override { return attributes_; }
  [[nodiscard]] std::string itemName(std::int64_t index) const override {
    return base_->itemName(row(index));
  }
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    return base_->read(row(index));
  }
  [[nodiscard]] Expected<ReducedSample> readReduced(std::int64_t index,
                                                    std::int64_t min_side) const override {
    return dubito::readReduced(*base_, row(index), min_side);
  }
  [[nodiscard]] std::string itemFile(std::int64_t index) const override {
    return dubito::itemFile(*base_, row(index));
  }
  /// Of `base`, so that every selection is scaled alike.
  [[nodiscard]] std::optional<ValueRange> storedRange() const override {
    return dubito::storedRange(*base_);
  }

 private:
  [[nodiscard]] bool isRange() const { return rows_.empty(); }
  [[nodiscard]] std::span<const std::int64_t> rangeOf(std::span<const std::int64_t> all) const {
    return all.subspan(static_cast<std::size_t>(first_), static_cast<std::size_t>(count_));
  }
  [[nodiscard]] std::int64_t row(std::int64_t index) const {
    return isRange() ? first_ + index : rows_.at(static_cast<std::size_t>(index));
  }

  DatasetPtr base_;
  std::int64_t count_;
  DatasetInfo info_;
  /// Most views are a contiguous range of rows. They share the id and label lists of `base`;
  /// copying these would dominate the cost for a million items.
  std::int64_t first_ = 0;
  std::vector<std::int64_t> rows_;
  std::vector<std::int64_t> ids_;
  std::vector<std::int64_t> labels_;
  std::vector<Attribute> attributes_;
};

/// `dataset` in another role; the specification in its info includes that role. Labels become
/// unknown (-1) in the roles OOD and unlabelled; labels that a view hid for such a role reappear in
/// any other role.
[[nodiscard]] DatasetPtr withRole(DatasetPtr dataset, Role role);

/// Applies items, classes, role and name of `spec` to a dataset. Fails for an empty selection or an
/// unknown class.
[[nodiscard]] Expected<DatasetPtr> applyFilters(DatasetPtr base, const DatasetSpec& spec);

}  // namespace dubito
