// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/data/items/dataset.h"
#include "core/data/sources/dataset_spec.h"

namespace dubito {

/// A selection of another dataset's items, in its order, with their ids and attributes: an item
/// keeps its id whatever is left out. Items of role OOD or unlabelled have no label (-1), because
/// their classes are not the model's.
class DatasetView : public Dataset {
 public:
  /// `rows` are positions in `base`; throws std::out_of_range for invalid ones. `info` replaces the
  /// base's.
  DatasetView(DatasetPtr base, std::vector<std::int64_t> rows, DatasetInfo info);
  /// All items of `base`.
  DatasetView(DatasetPtr base, DatasetInfo info);
  /// The items of `view` with another `info`: labels hidden by its role reappear if the new role
  /// has labels.
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
  /// Most views are a contiguous range of rows and share the base's lists, which dominate the cost
  /// for a million items.
  std::int64_t first_ = 0;
  std::vector<std::int64_t> rows_;
  std::vector<std::int64_t> ids_;
  std::vector<std::int64_t> labels_;
  std::vector<Attribute> attributes_;
};

/// The same items in another role, with the specification that opens them so. Labels become unknown
/// (-1) in the roles OOD and unlabelled; if a view hid them for such a role, they reappear.
[[nodiscard]] DatasetPtr withRole(DatasetPtr dataset, Role role);

/// Applies items, classes, role and name of `spec` to a dataset. An empty selection and an unknown
/// class are errors.
[[nodiscard]] Expected<DatasetPtr> applyFilters(DatasetPtr base, const DatasetSpec& spec);

}  // namespace dubito
