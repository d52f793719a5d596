// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "core/data/sources/array_dataset.h"

namespace dubito::test {

/// `count` points of four blobs on a circle of radius 3 around (x, x), with class i % 4.
[[nodiscard]] inline ArrayDataset fourBlobs(std::int64_t count, float x, unsigned seed, Role role) {
  std::mt19937 random(seed);
  std::normal_distribution<float> noise(0.0F, 0.3F);
  std::vector<float> values;
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < count; ++i) {
    const float angle = 1.5708F * static_cast<float>(i % 4);
    values.push_back(x + 3.0F * std::cos(angle) + noise(random));
    values.push_back(x + 3.0F * std::sin(angle) + noise(random));
    labels.push_back(i % 4);
  }
  DatasetInfo info;
  info.name = "points";
  info.spec = "points:";
  info.role = role;
  return {info, Array<float>::fromVector({count, 2}, values), std::move(labels)};
}

}  // namespace dubito::test
