// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <variant>

#include "core/data/dataset.h"

namespace dubito {

/// Where the channels of stored images are: last [N, H, W, C], or first [N, C, H, W].
enum class ChannelAxis { kLast, kFirst };

/// A dataset whose items are the rows of one array in memory; id = row number.
class ArrayDataset : public Dataset {
 public:
  using Values = std::variant<Array<std::uint8_t>, Array<float>>;

  /// `values` is [N, F] (vectors), or [N, H, W, C] or [N, C, H, W] (images). Bytes with 1 or 3
  /// channels are read as 8-bit images, all else as real numbers. `labels` has N entries, -1
  /// unknown. Throws std::invalid_argument for other ranks and lengths.
  ArrayDataset(DatasetInfo info, Values values, std::vector<std::int64_t> labels,
               ChannelAxis channel_axis = ChannelAxis::kLast);

  [[nodiscard]] const DatasetInfo& info() const override { return info_; }
  [[nodiscard]] std::int64_t size() const override {
    return static_cast<std::int64_t>(ids_.size());
  }
  [[nodiscard]] std::span<const std::int64_t> ids() const override { return ids_; }
  [[nodiscard]] std::span<const std::int64_t> labels() const override { return labels_; }
  [[nodiscard]] std::string itemName(std::int64_t index) const override;
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override;

 private:
  DatasetInfo info_;
  Values values_;
  std::vector<std::int64_t> labels_;
  std::vector<std::int64_t> ids_;
  ChannelAxis channel_axis_;
};

}  // namespace dubito
