// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/signed_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

namespace dubito {
namespace {

constexpr double kQuantile = 0.99;
// Grey levels that black and white become.
constexpr int kDarkest = 56;
constexpr int kLightest = 216;
constexpr int kWhite = 255;
using Rgb = std::array<int, 3>;
// Those of the light theme of the window.
constexpr Rgb kPositive = {0xD5, 0x30, 0x0A};
constexpr Rgb kNegative = {0x0A, 0x50, 0xD5};

/// Luma of a pixel [channels].
std::uint8_t greyOf(std::span<const std::uint8_t> pixel) {
  return pixel.size() < 3 ? pixel[0]
                          : static_cast<std::uint8_t>(std::lround(
                                0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2]));
}

}  // namespace

float fullValueOf(const Array<float>& map) {
  std::vector<float> sizes(map.values().size());
  std::ranges::transform(map.values(), sizes.begin(), [](float value) { return std::abs(value); });
  const auto at = sizes.begin() +
                  static_cast<std::ptrdiff_t>(kQuantile * static_cast<double>(sizes.size() - 1));
  std::ranges::nth_element(sizes, at);
  // A map with a few numbers other than 0 has a quantile of 0.
  return *at > 0.0F ? *at : std::ranges::max(sizes);
}

std::uint8_t greyBelowMap(std::uint8_t level) {
  return static_cast<std::uint8_t>(kDarkest + level * (kLightest - kDarkest) / kWhite);
}

Image8 signedMapPicture(const Array<float>& map, const Image8& picture, std::int64_t scale) {
  const std::int64_t height = map.extent(0);
  const std::int64_t width = map.extent(1);
  if (picture.height() != height || picture.width() != width) {
    throw std::invalid_argument("signedMapPicture: the picture has another size than the map");
  }
  const float full = fullValueOf(map);
  Image8 result{Array<std::uint8_t>::zeros({height * scale, width * scale, 3})};
  std::uint8_t* const out = result.pixels.mutableData();
  const std::int64_t channels = picture.channels();
  for (std::int64_t y = 0; y < height * scale; ++y) {
    for (std::int64_t x = 0; x < width * scale; ++x) {
      const std::int64_t pixel = (y / scale) * width + x / scale;
      const float value = map.data()[pixel];
      const double share = full > 0.0F ? std::min(1.0F, std::abs(value) / full) : 0.0;
      const double grey = greyBelowMap(
          greyOf({picture.pixels.data() + pixel * channels, static_cast<std::size_t>(channels)}));
      const Rgb& color = value < 0.0F ? kNegative : kPositive;
      for (std::size_t c = 0; c < color.size(); ++c) {
        out[(y * width * scale + x) * 3 + static_cast<std::int64_t>(c)] =
            static_cast<std::uint8_t>(std::lround((1.0 - share) * grey + share * color[c]));
      }
    }
  }
  return result;
}

}  // namespace dubito
