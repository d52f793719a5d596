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
#include <utility>
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

using Launch = cudaError_t (*)(const KeyedDropoutBatch&, cudaStream_t);

/// Outputs and mask hashes must be the same, bit for bit. x and y begin that many elements after an
/// aligned address.
void expectSame(KeyedDropoutBatch batch, Launch launch = launchKeyedDropout,
                std::size_t x_offset = 0, std::size_t y_offset = 0) {
  SCOPED_TRACE(testing::Message() << batch.items << " items of " << batch.decisions
                                  << " decisions, groups of " << batch.group_size << ", threshold "
                                  << batch.threshold << ", " << batch.units << " units, offsets "
                                  << x_offset << " " << y_offset);
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
  std::vector<float> x(x_offset + elements);
  std::ranges::generate(x, [&] { return normal(random); });
  x[x_offset] = -0.0F;
  batch.x = x.data() + x_offset;

  std::vector<float> expected(elements);
  std::vector<std::uint64_t> expected_hashes(items);
  batch.y = expected.data();
  batch.mask_hashes = expected_hashes.data();
  keyedDropoutCpu(batch, 0, batch.items);

  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const auto expectY = [&](const std::vector<float>& y, std::size_t offset) {
    EXPECT_EQ(std::memcmp(y.data() + offset, expected.data(), elements * sizeof(float)), 0);
    // What lies around stays as it was.
    EXPECT_TRUE(std::all_of(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(offset),
                            [](float value) { return std::isnan(value); }));
    EXPECT_TRUE(std::isnan(y.back()));
  };
  expectY(cuda_on_cpu::withEverySchedule(y_offset + elements + 1, kNan,
                                         [&](float* y) {
                                           std::vector<std::uint64_t> hashes(items, 0);
                                           batch.y = y + y_offset;
                                           batch.mask_hashes = hashes.data();
                                           EXPECT_EQ(launch(batch, nullptr), cudaSuccess);
                                           EXPECT_EQ(hashes, expected_hashes);
                                         }),
          y_offset);
  expectY(cuda_on_cpu::withEverySchedule(x_offset + elements + 1, kNan,
                                         [&](float* in_place) {
                                           std::copy_n(x.data() + x_offset, elements,
                                                       in_place + x_offset);
                                           batch.x = in_place + x_offset;
                                           batch.y = in_place + x_offset;
                                           batch.mask_hashes = nullptr;
                                           EXPECT_EQ(launch(batch, nullptr), cudaSuccess);
                                         }),
          x_offset);
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
    for (const std::int64_t rows : {1, 2, 4, 5}) {
      for (const std::int64_t group_size : {1, 7}) {
        KeyedDropoutBatch batch = geometryOf(3, rows * units, group_size, {0.0, false});
        batch.units = units;
        batch.thresholds = thresholds.data();
        batch.scales = scales.data();
        expectSame(batch);
        expectSame(batch, launchLargeKeyedDropout);
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

// A block takes 4096 elements at a time.
TEST(KeyedDropoutOnCpu, ManyElementsEqualTheProcessor) {
  struct Sizes {
    std::int64_t items;
    std::int64_t decisions;
    std::int64_t group_size;
  };
  for (const Sizes& sizes : std::vector<Sizes>{{1, 4096, 1},
                                               {1, 4097, 1},
                                               {3, 12'289, 1},
                                               {70'000, 1, 1},
                                               {2000, 5, 1},
                                               {300, 100, 1},
                                               {3, 10'004, 1},
                                               {5, 6, 1000},
                                               {2, 64, 49},
                                               {7, 3, 3136},
                                               {3, 5, 4096},
                                               {3, 5, 4095},
                                               {2, 3, 12'544},
                                               {700, 3, 9},
                                               {1100, 4, 2}}) {
    const KeyedDropoutBatch batch =
        geometryOf(sizes.items, sizes.decisions, sizes.group_size, {0.4, false});
    expectSame(batch);
    expectSame(batch, launchLargeKeyedDropout);
  }
}

TEST(KeyedDropoutOnCpu, UnalignedElementsEqualTheProcessor) {
  for (const std::int64_t decisions : {1, 4, 100, 1023, 5000}) {
    for (const std::int64_t group_size : {1, 4, 49}) {
      for (const auto& [x_offset, y_offset] : {std::pair{1, 0}, {0, 3}, {2, 2}}) {
        expectSame(geometryOf(3, decisions, group_size, {0.5, true}), launchKeyedDropout,
                   static_cast<std::size_t>(x_offset), static_cast<std::size_t>(y_offset));
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
