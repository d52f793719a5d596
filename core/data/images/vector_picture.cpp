// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/images/vector_picture.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace dubito {
namespace {

constexpr std::int64_t kMaxRead = 500;
constexpr double kPadding = 0.1;  // fraction of the width, at each side
constexpr std::uint8_t kBackground = 24;
constexpr std::uint8_t kOther = 110;
constexpr std::uint8_t kLine = 70;
constexpr std::uint8_t kMark = 255;

const Array<float>* asVector(const Sample& sample) {
  const auto* const values = std::get_if<Array<float>>(&sample);
  return values != nullptr && values->rank() == 1 && values->size() > 0 ? values : nullptr;
}

void include(Interval& range, float value) {
  if (std::isfinite(value)) {
    range.low = std::min(range.low, static_cast<double>(value));
    range.high = std::max(range.high, static_cast<double>(value));
  }
}

Interval padded(Interval range) {
  const double width = range.high > range.low ? range.high - range.low : 1.0;
  return {range.low - kPadding * width, range.high + kPadding * width};
}

/// Pixel of a value, clamped to the picture; -1 if the value is not finite.
int pixelOf(double value, Interval range) {
  if (!std::isfinite(value)) {
    return -1;
  }
  const double share = (value - range.low) / (range.high - range.low);
  return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * (VectorThumbnails::kSide - 1)));
}

/// Sets the pixels of a disc, or of a single pixel for radius 0; y runs upwards.
void dot(std::span<std::uint8_t> pixels, int x, int y, int radius, std::uint8_t grey) {
  constexpr int kSide = VectorThumbnails::kSide;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      const int column = x + dx;
      const int row = kSide - 1 - (y + dy);
      if (dx * dx + dy * dy <= radius * radius && column >= 0 && column < kSide && row >= 0 &&
          row < kSide) {
        pixels[static_cast<std::size_t>(row * kSide + column)] = grey;
      }
    }
  }
}

}  // namespace

VectorThumbnails::VectorThumbnails(const Dataset& dataset) {
  std::vector<std::pair<float, float>> points;
  constexpr Interval kNothing{INFINITY, -INFINITY};
  x_ = kNothing;
  y_ = kNothing;
  const std::int64_t count = std::min(dataset.size(), kMaxRead);
  for (std::int64_t i = 0; i < count; ++i) {
    const Expected<Sample> sample = dataset.read(i * dataset.size() / count);
    const Array<float>* const values = sample ? asVector(*sample) : nullptr;
    if (values == nullptr) {
      continue;
    }
    for (const float value : values->values()) {
      include(values_, value);
    }
    if (values->size() == 2) {
      include(x_, values->data()[0]);
      include(y_, values->data()[1]);
      points.emplace_back(values->data()[0], values->data()[1]);
    }
  }
  ground_.assign(static_cast<std::size_t>(kSide) * kSide, kBackground);
  if (!(x_.low <= x_.high) || !(y_.low <= y_.high)) {
    x_ = y_ = {0.0, 1.0};
    return;
  }
  x_ = padded(x_);
  y_ = padded(y_);
  for (const auto& [x, y] : points) {
    if (std::isfinite(x) && std::isfinite(y)) {
      dot(ground_, pixelOf(x, x_), pixelOf(y, y_), 0, kOther);
    }
  }
}

Expected<Image8> VectorThumbnails::draw(const Sample& sample) const {
  const Array<float>* const values = asVector(sample);
  if (values == nullptr) {
    return fail(ErrorCode::kUnsupported, "the item is not a vector; show it as an image");
  }
  Image8 image{Array<std::uint8_t>::zeros({kSide, kSide, 1})};
  const std::span<std::uint8_t> pixels(image.pixels.mutableData(),
                                       static_cast<std::size_t>(kSide) * kSide);
  if (values->size() == 2) {
    std::ranges::copy(ground_, pixels.begin());
    const int x = pixelOf(static_cast<double>(values->data()[0]), x_);
    const int y = pixelOf(static_cast<double>(values->data()[1]), y_);
    if (x >= 0 && y >= 0) {
      for (int i = 0; i < kSide; ++i) {
        dot(pixels, i, y, 0, kLine);
        dot(pixels, x, i, 0, kLine);
      }
      dot(pixels, x, y, 3, kMark);
    }
    return image;
  }
  std::ranges::fill(pixels, kBackground);
  const Interval range = padded(values_);
  const int zero = pixelOf(0.0, range);
  for (int column = 0; column < kSide; ++column) {
    const auto number = static_cast<std::int64_t>(column) * values->size() / kSide;
    const int top = pixelOf(static_cast<double>(values->data()[number]), range);
    for (int y = std::min(zero, top); top >= 0 && y <= std::max(zero, top); ++y) {
      dot(pixels, column, y, 0, y == zero ? kLine : kMark);
    }
  }
  return image;
}

}  // namespace dubito
