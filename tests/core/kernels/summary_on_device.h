// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "core/kernels/predictive_summary.h"
#include "tests/support/close_to.h"

namespace dubito::test {

/// Summarises logits [T, N, K] on a device; writes the draws' probabilities [T, N, K] into the
/// second array unless it is null.
using SummariseOnDevice = std::function<PredictiveSummary(const Array<float>&, Array<float>*)>;

inline Array<float> normalLogits(std::int64_t draws, std::int64_t items, std::int64_t classes,
                                 float scale, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0.0F, scale);
  Array<float> logits = Array<float>::zeros({draws, items, classes});
  std::ranges::generate(logits.mutableValues(), [&] { return normal(random); });
  return logits;
}

/// The device and the vectorised version of the host agree: both compute in double.
inline void expectSameSummary(const Array<float>& logits, const SummariseOnDevice& on_device) {
  Array<float> expected_probs;
  Array<float> probs;
  const PredictiveSummary expected = summariseLogits(logits, RunContext(), &expected_probs);
  const PredictiveSummary actual = on_device(logits, &probs);
  // An item with a logit that is no number has the entropy NaN, and nothing else of it counts.
  const auto counts = [&](std::int64_t item) { return !std::isnan(expected.entropy.data()[item]); };
  const std::int64_t items = logits.extent(1);
  ASSERT_EQ(actual.predictions.shape(), expected.predictions.shape());
  for (std::int64_t i = 0; i < items; ++i) {
    EXPECT_EQ(std::isnan(actual.entropy.data()[i]), !counts(i)) << i;
    EXPECT_TRUE(!counts(i) || actual.predictions.data()[i] == expected.predictions.data()[i]) << i;
  }
  for (const auto& [name, member] : {std::pair{"mean_probs", &PredictiveSummary::mean_probs},
                                     {"entropy", &PredictiveSummary::entropy},
                                     {"expected_entropy", &PredictiveSummary::expected_entropy},
                                     {"mutual_information", &PredictiveSummary::mutual_information},
                                     {"variation_ratio", &PredictiveSummary::variation_ratio},
                                     {"variance", &PredictiveSummary::variance},
                                     {"confidence", &PredictiveSummary::confidence},
                                     {"log_rest", &PredictiveSummary::log_rest}}) {
    const Array<double>& of_device = actual.*member;
    const Array<double>& of_host = expected.*member;
    ASSERT_EQ(of_device.shape(), of_host.shape()) << name;
    for (std::int64_t i = 0; i < of_host.size(); ++i) {
      // The mutual information is a difference of entropies up to log K.
      ASSERT_TRUE(!counts(i * items / of_host.size()) ||
                  closeTo(of_device.data()[i], of_host.data()[i], 1e-11, 2e-14))
          << name << " " << i;
    }
  }
  ASSERT_EQ(probs.shape(), expected_probs.shape());
  for (std::int64_t i = 0; i < probs.size(); ++i) {
    // Rounded to float32 from doubles that may differ in their last digit.
    ASSERT_TRUE(!counts(i / logits.extent(2) % items) ||
                closeTo(probs.data()[i], expected_probs.data()[i], 0x1p-23))
        << i;
  }
}

/// One draw and many, one class and so many that threads, warps or blocks share an item, items that
/// do not fill a tile, a team or a block, no items. 1025^110 is no double.
inline void expectSameSummaryForAllShapes(const SummariseOnDevice& on_device) {
  for (const auto& [draws, items, classes] : std::vector<std::array<std::int64_t, 3>>{
           {1, 1, 1},     {1, 5, 3},   {2, 1, 2},      {3, 67, 10},  {50, 33, 10},  {50, 1, 1},
           {12, 70, 2},   {4, 65, 5},  {50, 3, 16},    {7, 129, 17}, {51, 5, 32},   {4, 9, 33},
           {13, 11, 100}, {2, 3, 320}, {5, 2, 321},    {5, 3, 1000}, {50, 2, 1025}, {3, 2, 4096},
           {18, 2, 5000}, {33, 2, 4},  {110, 1, 1025}, {3, 0, 10}}) {
    SCOPED_TRACE(testing::Message() << draws << " x " << items << " x " << classes);
    for (const float scale : {1e-3F, 3.0F, 60.0F}) {
      expectSameSummary(normalLogits(draws, items, classes, scale, 7), on_device);
    }
  }
}

/// Every number of classes that a thread may have.
inline void expectSameSummaryForFewClasses(const SummariseOnDevice& on_device) {
  for (std::int64_t classes = 1; classes <= 21; ++classes) {
    SCOPED_TRACE(testing::Message() << classes << " classes");
    expectSameSummary(normalLogits(5, 35, classes, 3.0F, 5), on_device);
  }
}

/// Gaps beyond the range of the exponential, ties, masked classes, and logits that are no numbers,
/// in three classes of items that have more, which are masked.
inline void expectSameSummaryOfExtremes(const SummariseOnDevice& on_device) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (const auto& [draws, classes] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {2, 3}, {13, 3}, {1, 3}, {2, 10}, {14, 40}, {3, 321}, {2, 5000}}) {
    SCOPED_TRACE(testing::Message() << draws << " draws of " << classes << " classes");
    Array<float> logits = normalLogits(draws, 11, classes, 1.0F, 3);
    const auto set = [&, t = draws, k = classes](std::int64_t draw, std::int64_t item,
                                                 std::array<float, 3> row) {
      if (draw < t) {
        float* const first = logits.mutableData() + (draw * 11 + item) * k;
        std::fill_n(first, k, -kInfinity);
        // Far apart, so that different threads have them.
        first[0] = row[0];
        first[k / 2] = row[1];
        first[k - 1] = row[2];
      }
    };
    for (std::int64_t draw = 0; draw < draws; ++draw) {
      set(draw, 0, {0.0F, 0.0F, 0.0F});
      set(draw, 1, {1e6F, 0.0F, -1e6F});
      set(draw, 2, {3e38F, -3e38F, 0.0F});
      set(draw, 3, {-kInfinity, 1.0F, 0.5F});
      set(draw, 4, {-kInfinity, 2.0F, -kInfinity});
      set(draw, 5, {700.0F, 0.0F, 1.0F});
      set(draw, 9, {-1.0F, 0.25F, 0.25F});
      set(draw, 10, {-800.0F, 0.0F, -900.0F});
    }
    set(1, 6, {0.0F, -1000.0F, -2000.0F});
    set(1, 7, {kNan, 0.0F, 0.0F});
    set(0, 8, {kInfinity, 0.0F, 0.0F});
    expectSameSummary(logits, on_device);
  }
}

}  // namespace dubito::test
