// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/acquisition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "core/base/nan.h"
#include "core/measures/draw_measures.h"
#include "core/measures/measures.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::closeTo;

const json& vectors() {
  static const json acquisition = test::readVectors("review").at("acquisition");
  return acquisition;
}

Array<double> samplesOfVectors() {
  const json& samples = vectors().at("samples");
  std::vector<double> flat;
  for (const json& draw : samples) {
    for (const json& row : draw) {
      for (const json& prob : row) {
        flat.push_back(prob.get<double>());
      }
    }
  }
  const auto extent = [](const json& list) { return static_cast<std::int64_t>(list.size()); };
  return Array<double>::fromVector({extent(samples), extent(samples[0]), extent(samples[0][0])},
                                   std::move(flat));
}

template <class T>
Array<T> randomSamples(std::int64_t draws, std::int64_t items, std::int64_t classes,
                       std::mt19937_64& random) {
  std::normal_distribution<double> normal(0.0, 1.5);
  Array<T> samples = Array<T>::zeros({draws, items, classes});
  for (std::int64_t row = 0; row < draws * items; ++row) {
    std::vector<double> logits(static_cast<std::size_t>(classes));
    std::ranges::generate(logits, [&] { return normal(random); });
    const std::vector<double> probs = softmax(logits);
    for (std::int64_t k = 0; k < classes; ++k) {
      samples.mutableData()[row * classes + k] = static_cast<T>(probs[static_cast<std::size_t>(k)]);
    }
  }
  return samples;
}

/// Joint mutual information by summing over all configurations, counted like an odometer.
double informationByConfigurations(const Array<double>& samples,
                                   const std::vector<std::int64_t>& rows) {
  const std::int64_t draws = samples.extent(0);
  const std::int64_t items = samples.extent(1);
  const std::int64_t classes = samples.extent(2);
  const auto prob = [&](std::int64_t t, std::int64_t i, std::int64_t k) {
    return samples.data()[(t * items + i) * classes + k];
  };
  std::vector<std::int64_t> labels(rows.size(), 0);
  double joint = 0.0;
  double conditional = 0.0;
  for (;;) {
    double mean = 0.0;
    for (std::int64_t t = 0; t < draws; ++t) {
      double product = 1.0;
      for (std::size_t b = 0; b < rows.size(); ++b) {
        product *= prob(t, rows[b], labels[b]);
      }
      mean += product / static_cast<double>(draws);
      conditional -= product * std::log(product) / static_cast<double>(draws);
    }
    joint -= mean * std::log(mean);
    std::size_t digit = 0;
    while (digit < labels.size() && ++labels[digit] == classes) {
      labels[digit++] = 0;
    }
    if (digit == labels.size()) {
      return joint - conditional;
    }
  }
}

std::vector<std::int64_t> greedyByFullSearch(const Array<double>& samples, std::int64_t count) {
  std::vector<std::int64_t> rows;
  while (static_cast<std::int64_t>(rows.size()) < count) {
    double best = -1.0;
    std::int64_t best_row = -1;
    for (std::int64_t row = 0; row < samples.extent(1); ++row) {
      if (std::ranges::find(rows, row) == rows.end()) {
        std::vector<std::int64_t> with = rows;
        with.push_back(row);
        if (const double value = informationByConfigurations(samples, with); value > best) {
          best = value;
          best_row = row;
        }
      }
    }
    rows.push_back(best_row);
  }
  return rows;
}

TEST(Acquisition, ScoresOfSingleItemsAgreeWithTheReference) {
  const PredictiveSummary summary = summariseDraws(samplesOfVectors(), RunContext());
  for (std::int64_t i = 0; i < summary.entropy.size(); ++i) {
    const auto expected = [i](const char* key) {
      return vectors().at(key).at(static_cast<std::size_t>(i)).get<double>();
    };
    EXPECT_TRUE(closeTo(summary.entropy.data()[i], expected("entropy"), 1e-12));
    EXPECT_TRUE(closeTo(summary.mutual_information.data()[i], expected("bald"), 1e-12));
    EXPECT_TRUE(closeTo(summary.variation_ratio.data()[i], expected("variation_ratio"), 1e-12));
    EXPECT_TRUE(closeTo(marginOf(summary.mean_probs.row(i)), expected("margin"), 1e-12));
    EXPECT_TRUE(closeTo(1.0 - summary.confidence.data()[i], expected("least_confidence"), 1e-12));
  }
}

TEST(Acquisition, JointInformationAgreesWithTheReference) {
  const Array<double> samples = samplesOfVectors();
  const std::vector<std::int64_t> all = {0, 1, 2, 3, 4};
  EXPECT_TRUE(closeTo(jointMutualInformation(samples, std::span(all).first(2)).value(),
                      vectors().at("joint_mi_0_1").get<double>(), 1e-12));
  EXPECT_TRUE(closeTo(jointMutualInformation(samples, all).value(),
                      vectors().at("joint_mi_all").get<double>(), 1e-12));
  EXPECT_EQ(jointMutualInformation(samples, {}).value(), 0.0);
}

TEST(Acquisition, BatchBaldAgreesWithTheReference) {
  RunContext context;
  const auto batch = batchBald(samplesOfVectors(), {}, 3, context);
  ASSERT_OK(batch);
  EXPECT_EQ(batch->rows, vectors().at("batchbald_greedy").get<std::vector<std::int64_t>>());
  const auto values = vectors().at("batchbald_value_after_each").get<std::vector<double>>();
  ASSERT_EQ(batch->information.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_TRUE(closeTo(batch->information[i], values[i], 1e-12));
  }
  EXPECT_FALSE(batch->is_limited);
}

TEST(Acquisition, BatchBaldIsTheFullGreedySearch) {
  std::mt19937_64 random(7);
  for (const std::int64_t classes : {2, 3}) {
    const Array<double> samples = randomSamples<double>(5, 40, classes, random);
    RunContext context;
    context.threads = 3;
    const auto batch = batchBald(samples, {}, 5, context);
    ASSERT_OK(batch);
    EXPECT_EQ(batch->rows, greedyByFullSearch(samples, 5));
    EXPECT_TRUE(closeTo(batch->information.back(),
                        informationByConfigurations(samples, batch->rows), 1e-10));
    context.threads = 1;
    EXPECT_EQ(batchBald(samples, {}, 5, context)->rows, batch->rows);
    // Only the given rows are candidates.
    const std::vector<std::int64_t> candidates = {30, 4, 11};
    auto few = batchBald(samples, candidates, 10, context).value().rows;
    std::ranges::sort(few);
    EXPECT_EQ(few, (std::vector<std::int64_t>{4, 11, 30}));
  }
}

TEST(Acquisition, JointInformationGrowsButLessThanItsParts) {
  std::mt19937_64 random(8);
  const Array<float> samples = randomSamples<float>(8, 6, 3, random);
  const PredictiveSummary summary = summariseDraws(samples, RunContext());
  std::vector<std::int64_t> rows;
  double previous = 0.0;
  double parts = 0.0;
  for (const std::int64_t row : {3, 0, 5, 2}) {
    rows.push_back(row);
    parts += summary.mutual_information.data()[row];
    const double joint = jointMutualInformation(samples, rows).value();
    EXPECT_GE(joint, previous - 1e-12);
    EXPECT_LE(joint, parts + 1e-6);
    EXPECT_LE(joint, std::log(8.0) + 1e-12);  // no more than the entropy of the draws
    previous = joint;
  }
  const std::vector<std::int64_t> reversed(rows.rbegin(), rows.rend());
  EXPECT_TRUE(closeTo(jointMutualInformation(samples, reversed).value(), previous, 1e-12));
}

TEST(Acquisition, BatchBaldEndsWhereTheJointCannotBeEnumerated) {
  std::mt19937_64 random(9);
  const Array<float> samples = randomSamples<float>(2, 12, 10, random);
  RunContext context;
  const auto batch = batchBald(samples, {}, 8, context);
  ASSERT_OK(batch);
  EXPECT_EQ(batch->rows.size(), 4U);  // 10^4 <= 2^16 < 10^5
  EXPECT_TRUE(batch->is_limited);
  const std::vector<std::int64_t> five = {0, 1, 2, 3, 4};
  const auto refused = jointMutualInformation(samples, five);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(refused.error().message, HasSubstr("choose fewer items"));
  // Two classes allow 2^16 configurations.
  EXPECT_EQ(batchBald(randomSamples<float>(2, 20, 2, random), {}, 20, context)->rows.size(), 16U);
}

TEST(Acquisition, RefusesWrongInput) {
  RunContext context;
  const Array<float> flat = Array<float>::zeros({4, 3});
  EXPECT_THROW(static_cast<void>(batchBald(flat, {}, 1, context)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(batchBald(Array<float>::zeros({0, 4, 3}), {}, 1, context)),
               std::invalid_argument);
  const Array<float> samples = Array<float>::fromVector({1, 1, 2}, {0.5F, 0.5F});
  const std::vector<std::int64_t> outside = {1};
  EXPECT_THROW(static_cast<void>(batchBald(samples, outside, 1, context)), std::out_of_range);
  EXPECT_THROW(static_cast<void>(jointMutualInformation(samples, outside)), std::out_of_range);
  EXPECT_THROW(static_cast<void>(farthestFirst(RealArray(flat), 4, 1, {}, context)),
               std::out_of_range);
  EXPECT_THROW(
      static_cast<void>(farthestFirst(RealArray(Array<float>::zeros({4})), 0, 1, {}, context)),
      std::invalid_argument);
  EXPECT_THROW(
      static_cast<void>(farthestFirst(RealArray(flat), 0, 1, std::vector<double>{1.0}, context)),
      std::invalid_argument);
  context.control()->requestCancel();
  EXPECT_EQ(farthestFirst(RealArray(flat), 0, 2, {}, context).error().code, ErrorCode::kCancelled);
  EXPECT_EQ(batchBald(samples, {}, 1, context).error().code, ErrorCode::kCancelled);
}

RealArray pointsOfVectors() {
  std::vector<double> flat;
  const json& points = vectors().at("farthest_first_points");
  for (const json& point : points) {
    for (const json& value : point) {
      flat.push_back(value.get<double>());
    }
  }
  return Array<double>::fromVector(
      {static_cast<std::int64_t>(points.size()), static_cast<std::int64_t>(points[0].size())},
      std::move(flat));
}

TEST(Acquisition, FarthestFirstAgreesWithTheReference) {
  RunContext context;
  const auto expected = vectors().at("farthest_first_order").get<std::vector<std::int64_t>>();
  const auto order =
      farthestFirst(pointsOfVectors(), vectors().at("farthest_first_start").get<std::int64_t>(),
                    static_cast<std::int64_t>(expected.size()), {}, context);
  ASSERT_OK(order);
  EXPECT_EQ(order->rows, expected);
  EXPECT_TRUE(std::isinf(order->distance.front()));
  EXPECT_TRUE(std::ranges::is_sorted(order->distance, std::ranges::greater()));
}

TEST(Acquisition, FarthestFirstIsThePlainSearch) {
  std::mt19937_64 random(4);
  std::normal_distribution<float> normal;
  constexpr std::int64_t kItems = 9000;  // more than one part of parallelFor
  Array<float> features = Array<float>::zeros({kItems, 3});
  std::ranges::generate(features.mutableValues(), [&] { return normal(random); });
  std::vector<double> weights(kItems);
  std::ranges::generate(weights, [&] { return std::abs(static_cast<double>(normal(random))); });
  weights[17] = 0.0;
  std::vector<std::int64_t> expected = {5};
  while (expected.size() < 12) {
    double best = -1.0;
    std::int64_t best_row = -1;
    for (std::int64_t i = 0; i < kItems; ++i) {
      double nearest = std::numeric_limits<double>::infinity();
      for (const std::int64_t chosen : expected) {
        double sum = 0.0;
        for (std::size_t d = 0; d < 3; ++d) {
          sum += std::pow(double{features.row(i)[d]} - double{features.row(chosen)[d]}, 2);
        }
        nearest = std::min(nearest, std::sqrt(sum));
      }
      const double weighted = weights[static_cast<std::size_t>(i)] * nearest;
      if (std::ranges::find(expected, i) == expected.end() && weighted > best) {
        best = weighted;
        best_row = i;
      }
    }
    expected.push_back(best_row);
  }
  RunContext context;
  context.threads = 3;
  EXPECT_EQ(farthestFirst(features, 5, 12, weights, context)->rows, expected);
}

TEST(Acquisition, FarthestFirstCoversEveryRowOnceAndSkipsNaN) {
  RunContext context;
  const RealArray features =
      Array<float>::fromVector({4, 1}, {1.0F, std::numeric_limits<float>::quiet_NaN(), 1.0F, 4.0F});
  const auto order = farthestFirst(features, 0, 10, {}, context);
  ASSERT_OK(order);
  EXPECT_EQ(order->rows, (std::vector<std::int64_t>{0, 3, 2}));
  EXPECT_EQ(farthestFirst(features, 0, 0, {}, context)->rows.size(), 0U);
}

}  // namespace
}  // namespace dubito
