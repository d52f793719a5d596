// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/images/small_image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/data/images/preprocessing.h"
#include "core/data/items/item_files.h"

namespace dubito {
namespace {

/// Pixels of the longer side that are decoded: several for each part.
constexpr std::int64_t kDecodedSide = 128;

/// Grey of a pixel with one or three channels (ITU-R BT.601).
double greyOf(const std::uint8_t* pixel, std::int64_t channels) {
  return channels == 3 ? 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2]
                       : static_cast<double>(pixel[0]);
}

/// A pixel and how much of it belongs to a part.
struct WeightedPixel {
  std::int64_t pixel = 0;
  double weight = 0.0;
};

/// The pixels of part `part` of 16 along an axis of `length` pixels; the weights add up to 1.
std::vector<WeightedPixel> pixelsOf(std::int64_t part, std::int64_t length) {
  const double size = static_cast<double>(length) / static_cast<double>(kSmallSide);
  const double begin = size * static_cast<double>(part);
  const double end = begin + size;
  std::vector<WeightedPixel> pixels;
  for (auto pixel = static_cast<std::int64_t>(begin); pixel < length; ++pixel) {
    const double covered =
        std::min(end, static_cast<double>(pixel + 1)) - std::max(begin, static_cast<double>(pixel));
    if (covered <= 0.0) {
      break;
    }
    pixels.push_back({pixel, covered / size});
  }
  return pixels;
}

std::array<std::vector<WeightedPixel>, kSmallSide> partsOf(std::int64_t length) {
  std::array<std::vector<WeightedPixel>, kSmallSide> parts;
  for (std::size_t part = 0; part < kSmallSide; ++part) {
    parts[part] = pixelsOf(static_cast<std::int64_t>(part), length);
  }
  return parts;
}

}  // namespace

std::optional<SmallImage> smallImage(const Dataset& dataset, std::int64_t index) {
  const auto read = readReduced(dataset, index, kDecodedSide);
  const auto shown = read ? toDisplayImage(read->sample) : failWith(read);
  if (!shown || shown->height() < 1 || shown->width() < 1) {
    return std::nullopt;
  }
  const auto rows = partsOf(shown->height());
  const auto columns = partsOf(shown->width());
  SmallImage small{};
  for (std::size_t part = 0; part < small.size(); ++part) {
    double sum = 0.0;
    for (const WeightedPixel& y : rows[part / kSmallSide]) {
      for (const WeightedPixel& x : columns[part % kSmallSide]) {
        const std::int64_t at = (y.pixel * shown->width() + x.pixel) * shown->channels();
        sum += y.weight * x.weight * greyOf(shown->pixels.data() + at, shown->channels());
      }
    }
    small[part] = static_cast<std::uint8_t>(std::clamp(std::lround(sum), 0L, 255L));
  }
  return small;
}

}  // namespace dubito
