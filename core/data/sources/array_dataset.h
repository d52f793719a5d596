// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <variant>

#include "core/data/items/stored_range.h"
#include "core/data/sources/numbered_dataset.h"

namespace dubito {

/// Channel position in stored images: last [N, H, W, C], or first [N, C, H, W].
enum class ChannelAxis { kLast, kFirst };

/// A dataset whose items are the rows of one array in memory.
class ArrayDataset : public NumberedDataset, public StoredRange {
 public:
  using Values = std::variant<Array<std::uint8_t>, Array<float>>;

  /// `values` is [N, F] (vectors), or [N, H, W, C] or [N, C, H, W] (images). Bytes with 1 or 3
  /// channels become 8-bit images; all other items are real numbers. `labels` has N entries, -1 if
  /// unknown. Throws std::invalid_argument for any other rank, or another number of labels.
  ArrayDataset(DatasetInfo info, Values values, std::vector<std::int64_t> labels,
               ChannelAxis channel_axis = ChannelAxis::kLast);

  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override;
  [[nodiscard]] std::optional<ValueRange> storedRange() const override { return range_; }

 private:
  Values values_;
  ChannelAxis channel_axis_;
  std::optional<ValueRange> range_;
};

}  // namespace dubito
