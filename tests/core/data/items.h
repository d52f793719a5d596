// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/images/preprocessing.h"
#include "core/data/items/dataset.h"

namespace dubito::test {

/// A preprocessing that changes no number.
[[nodiscard]] Preprocessing asStored();

[[nodiscard]] Image8 image(std::int64_t height, std::int64_t width, std::int64_t channels,
                           std::vector<std::uint8_t> values);

[[nodiscard]] std::vector<float> valuesOf(const Array<float>& array);

/// 0, 1, ... count - 1.
[[nodiscard]] std::vector<std::int64_t> range(std::int64_t count);

/// Grey images one pixel high whose pixels are their position; those of width 0 cannot be read.
class PatchyDataset : public Dataset {
 public:
  explicit PatchyDataset(std::vector<std::int64_t> widths);

  [[nodiscard]] const DatasetInfo& info() const override { return info_; }
  [[nodiscard]] std::int64_t size() const override {
    return static_cast<std::int64_t>(ids_.size());
  }
  [[nodiscard]] std::span<const std::int64_t> ids() const override { return ids_; }
  [[nodiscard]] std::span<const std::int64_t> labels() const override { return ids_; }
  [[nodiscard]] std::string itemName(std::int64_t index) const override;
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override;

 private:
  DatasetInfo info_;
  std::vector<std::int64_t> widths_;
  std::vector<std::int64_t> ids_;
};

}  // namespace dubito::test
