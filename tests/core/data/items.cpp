// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/data/items.h"

#include <numeric>

namespace dubito::test {

Preprocessing asStored() {
  Preprocessing preprocessing;
  preprocessing.scale = 1.0;
  return preprocessing;
}

Image8 image(std::int64_t height, std::int64_t width, std::int64_t channels,
             std::vector<std::uint8_t> values) {
  return {Array<std::uint8_t>::fromVector({height, width, channels}, std::move(values))};
}

std::vector<float> valuesOf(const Array<float>& array) {
  return {array.values().begin(), array.values().end()};
}

std::vector<std::int64_t> range(std::int64_t count) {
  std::vector<std::int64_t> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), std::int64_t{0});
  return values;
}

PatchyDataset::PatchyDataset(std::vector<std::int64_t> widths) : widths_(std::move(widths)) {
  info_.name = "patchy";
  ids_.resize(widths_.size());
  std::iota(ids_.begin(), ids_.end(), std::int64_t{100});
}

std::string PatchyDataset::itemName(std::int64_t index) const {
  return "item" + std::to_string(index);
}

Expected<Sample> PatchyDataset::read(std::int64_t index) const {
  const std::int64_t width = widths_[static_cast<std::size_t>(index)];
  if (width == 0) {
    return fail(ErrorCode::kMalformed, itemName(index) + " is broken");
  }
  return Sample(image(1, width, 1,
                      std::vector<std::uint8_t>(static_cast<std::size_t>(width),
                                                static_cast<std::uint8_t>(index))));
}

}  // namespace dubito::test
