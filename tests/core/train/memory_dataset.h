// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/data/sources/numbered_dataset.h"

namespace dubito::test {

/// A dataset made of samples in memory.
class MemoryDataset : public NumberedDataset {
 public:
  MemoryDataset(std::vector<Sample> samples, std::vector<std::int64_t> labels)
      : NumberedDataset({}, std::move(labels)), samples_(std::move(samples)) {
    mutableInfo().name = "memory";
    mutableInfo().spec = "memory:";
    mutableInfo().role = Role::kTrain;
  }

  using NumberedDataset::mutableInfo;
  /// Reading this item fails from now on.
  void breakItem(std::int64_t index) { broken_.push_back(index); }

  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    for (const std::int64_t broken : broken_) {
      if (broken == index) {
        return fail(ErrorCode::kMalformed, itemName(index) + ": broken; mend it");
      }
    }
    return samples_.at(static_cast<std::size_t>(index));
  }

 private:
  std::vector<Sample> samples_;
  std::vector<std::int64_t> broken_;
};

/// Grey images of `side` pixels, in class c = 0, 1, 2 a bright bar at row or column 4 (c + 1), with
/// noise that depends on the item.
[[nodiscard]] inline MemoryDataset barImages(std::int64_t count, std::int64_t side) {
  std::vector<Sample> samples;
  std::vector<std::int64_t> labels;
  std::uint32_t state = 12345;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t label = i % 3;
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(side * side));
    for (std::int64_t p = 0; p < side * side; ++p) {
      state = state * 1664525U + 1013904223U;
      const std::uint32_t noise = state >> 26;
      const bool bright = (label == 2 ? p % side : p / side) == 4 * (label + 1);
      pixels[static_cast<std::size_t>(p)] = static_cast<std::uint8_t>(noise + (bright ? 150U : 0U));
    }
    samples.emplace_back(Image8{Array<std::uint8_t>::fromVector({side, side, 1}, pixels)});
    labels.push_back(label);
  }
  return {std::move(samples), std::move(labels)};
}

/// Vectors [2] around (0, 0), (4, 0), (0, 4).
[[nodiscard]] inline MemoryDataset blobs(std::int64_t count) {
  std::vector<Sample> samples;
  std::vector<std::int64_t> labels;
  std::uint32_t state = 777;
  const auto noise = [&state] {
    state = state * 1664525U + 1013904223U;
    return static_cast<float>(state >> 8) / static_cast<float>(1U << 24) - 0.5F;
  };
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t label = i % 3;
    samples.emplace_back(Array<float>::fromVector(
        {(label == 1 ? 4.0F : 0.0F) + noise(), (label == 2 ? 4.0F : 0.0F) + noise()}));
    labels.push_back(label);
  }
  return {std::move(samples), std::move(labels)};
}

}  // namespace dubito::test
