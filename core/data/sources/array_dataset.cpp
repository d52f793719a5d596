// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/array_dataset.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <utility>

namespace dubito {
namespace {

/// One row as [F] or [H, W, C]; shares memory if the channels already are last.
template <class T>
Array<T> itemAsStored(const Array<T>& values, std::int64_t index, ChannelAxis axis) {
  const Array<T> row = values.slice(index, index + 1);
  if (values.rank() == 2) {
    return row.reshaped({values.extent(1)});
  }
  if (axis == ChannelAxis::kLast) {
    return row.reshaped({values.extent(1), values.extent(2), values.extent(3)});
  }
  const std::int64_t channels = values.extent(1);
  const std::int64_t pixels = values.extent(2) * values.extent(3);
  auto image = Array<T>::zeros({values.extent(2), values.extent(3), channels});
  T* const out = image.mutableData();
  for (std::int64_t channel = 0; channel < channels; ++channel) {
    for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
      out[pixel * channels + channel] = row.data()[channel * pixels + pixel];
    }
  }
  return image;
}

/// Of the finite values; nothing if there are none.
std::optional<ValueRange> rangeOf(std::span<const float> values) {
  float low = INFINITY;
  float high = -INFINITY;
  for (const float value : values) {
    if (std::isfinite(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  return low <= high ? std::optional(ValueRange{low, high}) : std::nullopt;
}

}  // namespace

ArrayDataset::ArrayDataset(DatasetInfo info, Values values, std::vector<std::int64_t> labels,
                           ChannelAxis channel_axis)
    : NumberedDataset(std::move(info), std::move(labels)),
      values_(std::move(values)),
      channel_axis_(channel_axis) {
  std::visit(
      [this](const auto& array) {
        if ((array.rank() != 2 && array.rank() != 4) || array.extent(0) != size()) {
          throw std::invalid_argument("ArrayDataset: wrong rank or number of labels");
        }
      },
      values_);
  if (const auto* const reals = std::get_if<Array<float>>(&values_); reals && reals->rank() == 4) {
    range_ = rangeOf(reals->values());
  }
}

Expected<Sample> ArrayDataset::read(std::int64_t index) const {
  if (const auto* const reals = std::get_if<Array<float>>(&values_)) {
    return Sample(itemAsStored(*reals, index, channel_axis_));
  }
  Array<std::uint8_t> bytes =
      itemAsStored(std::get<Array<std::uint8_t>>(values_), index, channel_axis_);
  if (bytes.rank() == 3 && (bytes.extent(2) == 1 || bytes.extent(2) == 3)) {
    return Sample(Image8{std::move(bytes)});
  }
  const std::span<const std::uint8_t> values = bytes.values();
  return Sample(
      Array<float>::fromVector(bytes.shape(), std::vector<float>(values.begin(), values.end())));
}

}  // namespace dubito
