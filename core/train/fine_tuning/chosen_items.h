// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/data/items/dataset.h"
#include "core/data/items/stored_range.h"

namespace dubito {

/// Items of a dataset and the classes that they are taken for.
struct LabelledItems {
  const Dataset* dataset = nullptr;     ///< must outlive its use
  std::vector<std::int64_t> positions;  ///< in the dataset
  std::vector<std::int64_t> labels;     ///< one per position
};

/// Items of several datasets, one part after the other, with separate labels. Ids are row
/// numbers, because those of different datasets may be equal.
class ChosenItems : public Dataset, public StoredRange {
 public:
  /// Throws std::invalid_argument if there are no parts or the numbers of positions and labels of
  /// a part differ.
  explicit ChosenItems(std::vector<LabelledItems> parts);

  [[nodiscard]] const DatasetInfo& info() const override { return parts_.front().dataset->info(); }
  [[nodiscard]] std::int64_t size() const override { return std::ssize(ids_); }
  [[nodiscard]] std::span<const std::int64_t> ids() const override { return ids_; }
  [[nodiscard]] std::span<const std::int64_t> labels() const override { return labels_; }
  [[nodiscard]] std::string itemName(std::int64_t index) const override;
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override;
  /// Of all parts together; nothing if one of them has none.
  [[nodiscard]] std::optional<ValueRange> storedRange() const override;

 private:
  struct Place {
    std::size_t part = 0;
    std::int64_t position = 0;
  };

  std::vector<LabelledItems> parts_;
  std::vector<Place> places_;
  std::vector<std::int64_t> ids_;
  std::vector<std::int64_t> labels_;
};

}  // namespace dubito
