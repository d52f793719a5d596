// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/data/array_dataset.h"
#include "core/data/openers.h"
#include "core/kernels/philox.h"

namespace dubito {
namespace {

constexpr std::int64_t kMostItems = 10'000'000;
constexpr double kLargestNoise = 1000.0;

/// The random numbers of one item: a pure function of seed and item, the same on every machine,
/// which the distributions of the standard library are not.
class ItemRandom {
 public:
  ItemRandom(std::uint64_t seed, std::int64_t item)
      : key_(siteKey(seed, 0)), item_(static_cast<std::uint64_t>(item)) {}

  /// Uniform in (0, 1), 52 bits.
  double uniform() {
    const std::uint64_t word =
        (std::uint64_t{words_[next_ % 4]} << 32) | std::uint64_t{words_[next_ % 4 + 1]};
    next_ += 2;
    if (next_ % 4 == 0) {
      words_ = block(next_ / 4);
    }
    return (static_cast<double>(word >> 12) + 0.5) * 0x1.0p-52;
  }

  /// Two independent standard normal numbers (Box and Muller).
  std::array<double, 2> normalPair() {
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    const double angle = 2.0 * std::numbers::pi * uniform();
    return {radius * std::cos(angle), radius * std::sin(angle)};
  }

 private:
  [[nodiscard]] std::array<std::uint32_t, 4> block(std::uint32_t number) const {
    return philox4x32(
        {number, 0, static_cast<std::uint32_t>(item_), static_cast<std::uint32_t>(item_ >> 32)},
        key_);
  }

  std::array<std::uint32_t, 2> key_;
  std::uint64_t item_;
  std::array<std::uint32_t, 4> words_ = block(0);
  std::uint32_t next_ = 0;
};

struct Point {
  double x = 0.0;
  double y = 0.0;
};

/// Centre of blob `label` of `blobs`, evenly on a circle of radius 3, the first on the diagonal.
Point blobCentre(std::int64_t label, std::int64_t blobs) {
  constexpr double kRadius = 3.0;
  const double angle =
      2.0 * std::numbers::pi * (static_cast<double>(label) / static_cast<double>(blobs) + 0.125);
  return {kRadius * std::cos(angle), kRadius * std::sin(angle)};
}

/// A point of the upper half circle around (0, 0) or of the lower one around (1, 0.5).
Point moonPoint(std::int64_t label, double share) {
  const double angle = std::numbers::pi * share;
  return label == 0 ? Point{std::cos(angle), std::sin(angle)}
                    : Point{1.0 - std::cos(angle), 0.5 - std::sin(angle)};
}

}  // namespace

Expected<DatasetPtr> openSynthetic(const DatasetSpec& spec) {
  const bool moons = spec.location == "moons";
  if (!moons && spec.location != "blobs") {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("synthetic:{}: there is no such dataset; use synthetic:blobs or "
                            "synthetic:moons",
                            spec.location));
  }
  if (moons && spec.extra.contains("blobs")) {
    return fail(ErrorCode::kInvalidArgument,
                "synthetic:moons: there are always two moons; leave blobs out");
  }
  const auto count = integerOption(spec, "n", 1000, 1, kMostItems);
  const auto seed = integerOption(spec, "seed", 0, 0, INT64_MAX);
  const auto classes = integerOption(spec, "blobs", moons ? 2 : 4, 2, 1000);
  const auto noise = realOption(spec, "noise", moons ? 0.1 : 1.0, 0.0, kLargestNoise);
  for (const auto* const option : {&count, &seed, &classes}) {
    if (!*option) {
      return failWith(*option);
    }
  }
  if (!noise) {
    return failWith(noise);
  }
  auto points = Array<float>::zeros({*count, 2});
  std::vector<std::int64_t> labels;
  labels.reserve(static_cast<std::size_t>(*count));
  for (std::int64_t item = 0; item < *count; ++item) {
    const std::int64_t label = item % *classes;
    ItemRandom random(static_cast<std::uint64_t>(*seed), item);
    const auto [noise_x, noise_y] = random.normalPair();
    const Point centre = moons ? moonPoint(label, random.uniform()) : blobCentre(label, *classes);
    points.mutableRow(item)[0] = static_cast<float>(centre.x + *noise * noise_x);
    points.mutableRow(item)[1] = static_cast<float>(centre.y + *noise * noise_y);
    labels.push_back(label);
  }
  DatasetInfo info;
  info.name = spec.location;
  info.spec = toString(spec);
  return std::make_shared<const ArrayDataset>(std::move(info), std::move(points),
                                              std::move(labels));
}

}  // namespace dubito
