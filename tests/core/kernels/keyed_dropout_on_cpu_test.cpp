// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA kernel of keyed dropout, run by cuda_on_cpu, against the processor's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "core/kernels/cuda/keyed_dropout_cuda.h"
#include "core/kernels/keyed_dropout.h"
#include "tests/core/kernels/cuda_on_cpu/schedules.h"
#include "tests/core/kernels/keyed_dropout_shapes.h"

namespace dubito {
namespace {

std::int64_t productOf(const std::vector<std::int64_t>& sizes) {
  std::int64_t product = 1;
  for (const std::int64_t size : sizes) {
    product *= size;
  }
  return product;
}

KeyedDropoutBatch geometryOf(std::int64_t items, std::int64_t decisions, std::int64_t group_size,
                             const test::KeyedDropoutRate& rate) {
  KeyedDropoutBatch batch;
  batch.items = items;
  batch.decisions = decisions;
  batch.group_size = group_size;
  batch.key_low = 0x9ABCDEF1U;
  batch.key_high = 0x2345678U;
  batch.threshold = static_cast<std::uint32_t>(std::ceil(std::ldexp(rate.rate, 32)));
  batch.scale = static_cast<float>(1.0 / (1.0 - rate.rate));
  if (rate.alpha) {
    batch.kept_offset = static_cast<float>(rate.rate) * 1.5F;
    batch.dropped_offset = -0.7F;
  }
  return batch;
}

KeyedDropoutBatch geometryOf(const test::KeyedDropoutShape& shape,
                             const test::KeyedDropoutRate& rate) {
  const std::int64_t elements = productOf(shape.sizes) / test::kKeyedDropoutItems;
  const std::int64_t decisions =
      shape.feature ? shape.sizes[0] / test::kKeyedDropoutItems * shape.sizes[1] : elements;
  return geometryOf(test::kKeyedDropoutItems, decisions, elements / decisions, rate);
}

/// Outputs and mask hashes must be the same, bit for bit.
void expectSame(KeyedDropoutBatch batch) {
  SCOPED_TRACE(testing::Message() << batch.items << " items of " << batch.decisions
                                  << " decisions, groups of " << batch.group_size << ", threshold "
                                  << batch.threshold);
  const auto items = static_cast<std::size_t>(batch.items);
  const std::size_t elements = items * static_cast<std::size_t>(batch.decisions * batch.group_size);
  std::vector<std::int64_t> ids(items);
  std::vector<std::int64_t> draws(items);
  for (std::size_t i = 0; i < items; ++i) {
    ids[i] = static_cast<std::int64_t>(i) * 4294967301LL - 1;
    draws[i] = static_cast<std::int64_t>(i) % 5;
  }
  batch.item_ids = ids.data();
  batch.draws = draws.data();
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<float> x(elements);
  std::ranges::generate(x, [&] { return normal(random); });
  x.front() = -0.0F;
  batch.x = x.data();

  std::vector<float> expected(elements);
  std::vector<std::uint64_t> expected_hashes(items);
  batch.y = expected.data();
  batch.mask_hashes = expected_hashes.data();
  keyedDropoutCpu(batch, 0, batch.items);

  const auto expectY = [&](const std::vector<float>& y) {
    EXPECT_EQ(std::memcmp(y.data(), expected.data(), elements * sizeof(float)), 0);
  };
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  expectY(cuda_on_cpu::withEverySchedule(elements, kNan, [&](float* y) {
    std::vector<std::uint64_t> hashes(items, 0);
    batch.y = y;
    batch.mask_hashes = hashes.data();
    EXPECT_EQ(launchKeyedDropout(batch, nullptr), cudaSuccess);
    EXPECT_EQ(hashes, expected_hashes);
  }));
  expectY(cuda_on_cpu::withEverySchedule(elements, kNan, [&](float* in_place) {
    std::ranges::copy(x, in_place);
    batch.x = in_place;
    batch.y = in_place;
    batch.mask_hashes = nullptr;
    EXPECT_EQ(launchKeyedDropout(batch, nullptr), cudaSuccess);
  }));
}

TEST(KeyedDropoutOnCpu, EqualsTheProcessor) {
  for (const test::KeyedDropoutShape& shape : test::keyedDropoutShapes()) {
    for (const test::KeyedDropoutRate& rate : test::kKeyedDropoutRates) {
      expectSame(geometryOf(shape, rate));
    }
  }
}

TEST(KeyedDropoutOnCpu, RatesOfUnitsEqualTheProcessor) {
  for (const std::int64_t units : {1, 3, 4, 61, 600}) {
    std::vector<std::uint32_t> thresholds;
    std::vector<float> scales;
    for (std::int64_t unit = 0; unit < units; ++unit) {
      const double rate = 0.9 * static_cast<double>(unit) / static_cast<double>(units);
      thresholds.push_back(static_cast<std::uint32_t>(std::ceil(std::ldexp(rate, 32))));
      scales.push_back(static_cast<float>(1.0 / (1.0 - rate)));
    }
    for (const std::int64_t rows : {1, 2, 5}) {
      for (const std::int64_t group_size : {1, 7}) {
        KeyedDropoutBatch batch = geometryOf(3, rows * units, group_size, {0.0, false});
        batch.units = units;
        batch.thresholds = thresholds.data();
        batch.scales = scales.data();
        expectSame(batch);
      }
    }
  }
}

TEST(KeyedDropoutOnCpu, OddSizesEqualTheProcessor) {
  for (const std::int64_t items : {1, 3}) {
    for (const std::int64_t decisions : {1, 2, 3, 4, 5, 31, 33, 127, 1000, 1023}) {
      for (const std::int64_t group_size : {1, 2, 7}) {
        expectSame(geometryOf(items, decisions, group_size, {0.5, false}));
      }
    }
  }
}

TEST(KeyedDropoutOnCpu, NothingIsLaunchedForAnEmptyBatch) {
  EXPECT_EQ(launchKeyedDropout(geometryOf(0, 7, 1, {0.5, false}), nullptr), cudaSuccess);
  EXPECT_EQ(launchKeyedDropout(geometryOf(3, 0, 1, {0.5, false}), nullptr), cudaSuccess);
}

}  // namespace
}  // namespace dubito
