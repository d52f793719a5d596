// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/data/images/preprocessing.h"

namespace dubito {

Expected<Image8> toDisplayImage(const Sample& sample) {
  if (const auto* const image = std::get_if<Image8>(&sample)) {
    return *image;
  }
  const Array<float>& values = std::get<Array<float>>(sample);
  if (values.rank() != 3 || (values.extent(2) != 1 && values.extent(2) != 3)) {
    return fail(
        ErrorCode::kUnsupported,
        values.rank() == 1
            ? fmt::format("the item is a vector of {} numbers; it cannot be shown as an image",
                          values.size())
            : fmt::format("the item has {} channels; only grey and colour images can be shown",
                          values.extent(2)));
  }
  float low = INFINITY;
  float high = -INFINITY;
  for (const float value : values.values()) {
    if (std::isfinite(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  const double range = high > low ? static_cast<double>(high) - static_cast<double>(low) : 1.0;
  Image8 image{Array<std::uint8_t>::zeros(values.shape())};
  std::uint8_t* out = image.pixels.mutableData();
  for (const float value : values.values()) {
    const double share = std::isfinite(value)
                             ? (static_cast<double>(value) - static_cast<double>(low)) / range
                             : 0.0;
    *out++ = static_cast<std::uint8_t>(std::lround(255.0 * share));
  }
  return image;
}

}  // namespace dubito
