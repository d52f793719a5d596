// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/augment.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/kernels/philox.h"

namespace dubito {
namespace {

// Separate streams of random words: they replace the dropout site in the key.
constexpr std::int64_t kOrderStream = 1'000'001;
constexpr std::int64_t kShiftStream = 1'000'002;
constexpr std::int64_t kFlipStream = 1'000'003;
constexpr std::int64_t kAngleStream = 1'000'004;

// Uniform in [0, count), count < 2^32, with a bias below count / 2^64.
std::int64_t below(std::int64_t count, std::uint32_t high, std::uint32_t low) {
  const std::uint64_t word = std::uint64_t{high} << 32 | low;
  return static_cast<std::int64_t>(
      (static_cast<unsigned __int128>(word) * static_cast<std::uint64_t>(count)) >> 64);
}

}  // namespace

std::vector<std::int64_t> epochOrder(std::int64_t n, std::uint64_t seed, std::int64_t epoch) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const auto key = siteKey(seed, kOrderStream);
  for (std::int64_t i = n - 1; i > 0; --i) {
    const auto words = philox4x32({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(epoch),
                                   static_cast<std::uint32_t>(i >> 32), 0},
                                  key);
    std::swap(order[static_cast<std::size_t>(i)],
              order[static_cast<std::size_t>(below(i + 1, words[0], words[1]))]);
  }
  return order;
}

Shift randomShift(std::uint64_t seed, std::int64_t epoch, std::int64_t item, std::int64_t largest) {
  const auto words =
      philox4x32({static_cast<std::uint32_t>(item), static_cast<std::uint32_t>(epoch),
                  static_cast<std::uint32_t>(item >> 32), 0},
                 siteKey(seed, kShiftStream));
  const std::int64_t choices = 2 * largest + 1;
  return {below(choices, words[0], words[1]) - largest,
          below(choices, words[2], words[3]) - largest};
}

void shiftImage(const float* source, float* target, std::int64_t channels, std::int64_t height,
                std::int64_t width, Shift shift) {
  const std::int64_t left = std::clamp<std::int64_t>(shift.right, 0, width);
  const std::int64_t cut_left = std::clamp<std::int64_t>(-shift.right, 0, width);
  const std::int64_t copied = width - left - cut_left;
  for (std::int64_t c = 0; c < channels; ++c) {
    for (std::int64_t row = 0; row < height; ++row) {
      const std::int64_t from = std::clamp<std::int64_t>(row - shift.down, 0, height - 1);
      const float* const in = source + (c * height + from) * width;
      float* out = target + (c * height + row) * width;
      out = std::fill_n(out, left, in[0]);
      out = std::copy_n(in + cut_left, copied, out);
      std::fill_n(out, cut_left, in[width - 1]);
    }
  }
}

ItemRandom augmentRandom(std::uint64_t seed, std::int64_t stream, std::int64_t epoch,
                         std::int64_t item) {
  const auto key = siteKey(seed, stream, epoch);
  return {std::uint64_t{key[1]} << 32 | key[0], item};
}

bool randomFlip(std::uint64_t seed, std::int64_t epoch, std::int64_t item) {
  return augmentRandom(seed, kFlipStream, epoch, item).uniform() < 0.5;
}

double randomAngle(std::uint64_t seed, std::int64_t epoch, std::int64_t item, double largest) {
  return largest * (2.0 * augmentRandom(seed, kAngleStream, epoch, item).uniform() - 1.0);
}

void flipImage(float* image, std::int64_t channels, std::int64_t height, std::int64_t width) {
  for (std::int64_t row = 0; row < channels * height; ++row) {
    std::reverse(image + row * width, image + (row + 1) * width);
  }
}

namespace {

/// Two neighbouring rows or columns and the weight of the second one.
struct Between {
  Between(double at, std::int64_t count) {
    const double inside = std::clamp(at, 0.0, static_cast<double>(count - 1));
    first = static_cast<std::int64_t>(inside);
    second = std::min(first + 1, count - 1);
    weight = inside - static_cast<double>(first);
  }
  std::int64_t first = 0;
  std::int64_t second = 0;
  double weight = 0.0;
};

}  // namespace

void rotateImage(const float* source, float* target, std::int64_t channels, std::int64_t height,
                 std::int64_t width, double degrees) {
  const double angle = degrees * std::numbers::pi / 180.0;
  const double cosine = std::cos(angle);
  const double sine = std::sin(angle);
  const double centre_x = 0.5 * static_cast<double>(width - 1);
  const double centre_y = 0.5 * static_cast<double>(height - 1);
  for (std::int64_t row = 0; row < height; ++row) {
    const double y = static_cast<double>(row) - centre_y;
    for (std::int64_t column = 0; column < width; ++column) {
      // The source of the pixel. Rows count downwards, so this turns clockwise.
      const double x = static_cast<double>(column) - centre_x;
      const Between rows(centre_y + cosine * y + sine * x, height);
      const Between columns(centre_x + cosine * x - sine * y, width);
      for (std::int64_t c = 0; c < channels; ++c) {
        const float* const upper = source + (c * height + rows.first) * width;
        const float* const lower = source + (c * height + rows.second) * width;
        const auto mix = [&](const float* line) {
          return (1.0 - columns.weight) * line[columns.first] +
                 columns.weight * line[columns.second];
        };
        target[(c * height + row) * width + column] =
            static_cast<float>((1.0 - rows.weight) * mix(upper) + rows.weight * mix(lower));
      }
    }
  }
}

}  // namespace dubito
