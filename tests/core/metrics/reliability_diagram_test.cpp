// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/reliability_diagram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/metrics/classwise_calibration.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;
using Outcomes = std::vector<std::uint8_t>;

/// Confidences where the rule of the bins matters: 0, 1, every edge and its neighbours, and some
/// in between.
std::vector<double> awkwardConfidences(std::int64_t bins, std::mt19937_64& random) {
  std::vector<double> values{0.0, 1.0, std::nextafter(1.0, 0.0), std::nextafter(0.0, 1.0)};
  for (std::int64_t j = 1; j < bins; ++j) {
    const double edge = static_cast<double>(j) / static_cast<double>(bins);
    for (const double value : {edge, std::nextafter(edge, 0.0), std::nextafter(edge, 1.0)}) {
      values.push_back(value);
      values.push_back(double{static_cast<float>(value)});
    }
  }
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int i = 0; i < 50; ++i) {
    values.push_back(uniform(random));
  }
  std::shuffle(values.begin(), values.end(), random);
  return values;
}

Outcomes randomOutcomes(std::size_t n, std::mt19937_64& random) {
  Outcomes correct(n);
  for (std::uint8_t& value : correct) {
    value = static_cast<std::uint8_t>(random() & 1U);
  }
  return correct;
}

std::int64_t countsOf(const ReliabilityDiagram& diagram) {
  return std::accumulate(
      diagram.bins.begin(), diagram.bins.end(), std::int64_t{0},
      [](std::int64_t sum, const ReliabilityBin& bin) { return sum + bin.count; });
}

/// Bin by bin, straight from the definition, in long double.
double slowEce(const std::vector<double>& confidence, const Outcomes& correct, std::int64_t bins) {
  long double ece = 0.0L;
  for (std::int64_t j = 0; j < bins; ++j) {
    const double low = static_cast<double>(j) / static_cast<double>(bins);
    const double high = static_cast<double>(j + 1) / static_cast<double>(bins);
    long double gap = 0.0L;
    for (std::size_t i = 0; i < confidence.size(); ++i) {
      if ((confidence[i] > low || j == 0) && confidence[i] <= high) {
        gap += static_cast<long double>(correct[i]) - static_cast<long double>(confidence[i]);
      }
    }
    ece += std::abs(gap);
  }
  return static_cast<double>(ece / static_cast<long double>(confidence.size()));
}

TEST(Calibration, EveryBinCountSumsToN) {
  std::mt19937_64 random(1);
  for (const std::int64_t bins : {1, 2, 3, 7, 10, 15, 20, 33, 100, 1000}) {
    const std::vector<double> confidence = awkwardConfidences(bins, random);
    const Outcomes correct = randomOutcomes(confidence.size(), random);
    const auto n = static_cast<std::int64_t>(confidence.size());
    const std::vector<float> narrow(confidence.begin(), confidence.end());
    for (const ReliabilityDiagram& diagram :
         {equalWidthReliability(confidence, correct, bins),
          equalWidthReliability(narrow, correct, bins),
          equalMassReliability(confidence, correct, bins, EqualMassTies::kKept),
          equalMassReliability(confidence, correct, bins, EqualMassTies::kSplit)}) {
      EXPECT_EQ(countsOf(diagram), n) << diagram.convention;
      EXPECT_EQ(diagram.total, n);
      EXPECT_GE(diagram.ece, 0.0);
      EXPECT_LE(diagram.ece, diagram.rmsce + 1e-15);
      EXPECT_LE(diagram.rmsce, diagram.mce + 1e-15);
      EXPECT_LE(diagram.mce, 1.0);
    }
    EXPECT_TRUE(closeTo(equalWidthReliability(confidence, correct, bins).ece,
                        slowEce(confidence, correct, bins), 1e-12));
  }
}

TEST(Calibration, EveryItemLiesInsideItsBin) {
  for (const std::int64_t bins : {3, 10, 15, 20, 49}) {
    for (std::int64_t j = 1; j < bins; ++j) {
      const double edge = static_cast<double>(j) / static_cast<double>(bins);
      const auto bin_of = [&](double confidence) {
        const ReliabilityDiagram diagram =
            equalWidthReliability(std::vector<double>{confidence}, Outcomes{1}, bins);
        const auto filled = std::find_if(diagram.bins.begin(), diagram.bins.end(),
                                         [](const ReliabilityBin& bin) { return bin.count == 1; });
        return filled - diagram.bins.begin();
      };
      EXPECT_EQ(bin_of(edge), j - 1);
      EXPECT_EQ(bin_of(std::nextafter(edge, 0.0)), j - 1);
      EXPECT_EQ(bin_of(std::nextafter(edge, 1.0)), j);
    }
  }
}

TEST(Calibration, ValuesBeyondTheRangeCountInTheOuterBins) {
  const ReliabilityDiagram diagram =
      equalWidthReliability(std::vector<float>{-0.5F, 1.0000001F, 2.0F}, Outcomes{0, 1, 1}, 10);
  EXPECT_EQ(diagram.bins.front().count, 1);
  EXPECT_EQ(diagram.bins.back().count, 2);
}

TEST(Calibration, DoesNotDependOnTheOrderOfTheItems) {
  std::mt19937_64 random(5);
  const std::vector<double> confidence = awkwardConfidences(15, random);
  const Outcomes correct = randomOutcomes(confidence.size(), random);
  std::vector<std::size_t> order(confidence.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  std::vector<double> confidence_permuted;
  Outcomes correct_permuted;
  for (const std::size_t i : order) {
    confidence_permuted.push_back(confidence[i]);
    correct_permuted.push_back(correct[i]);
  }
  EXPECT_TRUE(closeTo(equalWidthReliability(confidence_permuted, correct_permuted, 15).ece,
                      equalWidthReliability(confidence, correct, 15).ece, 1e-14));
  EXPECT_TRUE(closeTo(
      equalMassReliability(confidence_permuted, correct_permuted, 15, EqualMassTies::kKept).ece,
      equalMassReliability(confidence, correct, 15, EqualMassTies::kKept).ece, 1e-14));
}

TEST(Calibration, EqualMassKeepsTiesTogetherAlsoWhereAllAreEqual) {
  const std::vector<double> same(50, 0.75);
  const Outcomes correct(50, 1);
  const ReliabilityDiagram kept = equalMassReliability(same, correct, 15, EqualMassTies::kKept);
  ASSERT_EQ(kept.bins.size(), 1U);
  EXPECT_EQ(kept.bins[0].count, 50);
  EXPECT_EQ(kept.bins[0].high, 0.75);
  EXPECT_DOUBLE_EQ(kept.ece, 0.25);
  EXPECT_EQ(equalMassReliability(same, correct, 15, EqualMassTies::kSplit).bins.size(), 15U);
}

TEST(Calibration, EqualMassEdgesAreTheScoresOfRankCeilOfShare) {
  std::vector<double> confidence;
  for (int i = 1; i <= 10; ++i) {
    confidence.push_back(0.05 * i);
  }
  const Outcomes correct(10, 1);
  for (const EqualMassTies ties : {EqualMassTies::kKept, EqualMassTies::kSplit}) {
    // Ranks ceil(10 / 3), ceil(20 / 3) and 10.
    const ReliabilityDiagram diagram = equalMassReliability(confidence, correct, 3, ties);
    ASSERT_EQ(diagram.bins.size(), 3U);
    EXPECT_EQ(diagram.bins[0].count, 4);
    EXPECT_EQ(diagram.bins[1].count, 3);
    EXPECT_EQ(diagram.bins[2].count, 3);
    EXPECT_DOUBLE_EQ(diagram.bins[0].high, 0.2);
    EXPECT_DOUBLE_EQ(diagram.bins[1].high, 0.35);
  }
}

TEST(Calibration, FewerItemsThanBinsLoseNothing) {
  const std::vector<double> confidence{0.9, 0.2, 0.6};
  const Outcomes correct{1, 0, 0};
  const ReliabilityDiagram kept =
      equalMassReliability(confidence, correct, 10, EqualMassTies::kKept);
  EXPECT_EQ(kept.bins.size(), 3U);
  EXPECT_EQ(countsOf(kept), 3);
  EXPECT_EQ(countsOf(equalMassReliability(confidence, correct, 10, EqualMassTies::kSplit)), 3);
}

TEST(Calibration, NothingHasNoError) {
  const ReliabilityDiagram diagram = equalWidthReliability(std::vector<double>{}, Outcomes{}, 10);
  EXPECT_EQ(diagram.bins.size(), 10U);
  EXPECT_TRUE(std::isnan(diagram.ece));
  EXPECT_TRUE(std::isnan(
      equalMassReliability(std::vector<double>{}, Outcomes{}, 10, EqualMassTies::kKept).ece));
}

TEST(Calibration, ContractBreaksThrow) {
  EXPECT_THROW(static_cast<void>(equalWidthReliability(std::vector<double>{0.5}, Outcomes{}, 10)),
               std::invalid_argument);
  EXPECT_THROW(static_cast<void>(equalWidthReliability(std::vector<double>{0.5}, Outcomes{1}, 0)),
               std::invalid_argument);
  EXPECT_THROW(
      static_cast<void>(equalWidthReliability(std::vector<double>{std::nan("")}, Outcomes{1}, 10)),
      std::invalid_argument);
}

// Ten million float32 confidences whose exact sum is known: multiples of 2^-24 sum without
// rounding in 64-bit integers. A running float32 sum stops counting low bits past 2^23.
TEST(Calibration, TenMillionItemsKeepTheirDigits) {
  constexpr std::int64_t kItems = 10'000'000;
  constexpr std::int64_t kScale = std::int64_t{1} << 24;
  std::vector<float> confidence(kItems);
  Outcomes correct(kItems);
  std::int64_t exact_sum = 0;
  std::int64_t right = 0;
  float naive_sum = 0.0F;
  std::uint64_t state = 1;
  for (std::int64_t i = 0; i < kItems; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    // Within the last of 15 bins: (14/15, 1].
    const std::int64_t numerator = kScale - static_cast<std::int64_t>(state >> 44);
    const auto index = static_cast<std::size_t>(i);
    confidence[index] = static_cast<float>(numerator) / static_cast<float>(kScale);
    correct[index] = i % 50 < 47 ? 1 : 0;
    exact_sum += numerator;
    right += correct[index];
    naive_sum += confidence[index];
  }
  const auto n = static_cast<double>(kItems);
  const double accuracy = static_cast<double>(right) / n;
  const double exact =
      std::abs(static_cast<double>(exact_sum) / static_cast<double>(kScale) / n - accuracy);
  const double naive = std::abs(double{naive_sum} / n - accuracy);
  const ReliabilityDiagram diagram = equalWidthReliability(confidence, correct, 15);
  EXPECT_EQ(diagram.bins.back().count, kItems);
  EXPECT_TRUE(closeTo(diagram.ece, exact, 1e-12));
  EXPECT_GT(std::abs(naive - exact), 1e-3) << "the case does not tell the two sums apart";
}

TEST(ClasswiseCalibration, LeavesUnlabelledItemsOutAndRefusesForeignLabels) {
  const Array<double> probs = Array<double>::fromVector({3, 2}, {1.0, 0.0, 0.2, 0.8, 0.4, 0.6});
  const RunContext context;
  const ClasswiseCalibration all =
      classwiseCalibration(probs.slice(0, 2), std::vector<std::int64_t>{0, 1}, 10, context);
  const ClasswiseCalibration with_unknown =
      classwiseCalibration(probs, std::vector<std::int64_t>{0, 1, -1}, 10, context);
  EXPECT_EQ(all.per_class, with_unknown.per_class);
  EXPECT_TRUE(closeTo(all.mean, 0.1, 1e-14));
  EXPECT_THROW(static_cast<void>(
                   classwiseCalibration(probs, std::vector<std::int64_t>{0, 1, 2}, 10, context)),
               std::invalid_argument);
}

}  // namespace
}  // namespace dubito
