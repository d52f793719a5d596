// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/sorted_scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "core/metrics/bin_finder.h"
#include "core/metrics/rank_walk.h"
#include "core/metrics/selective.h"
#include "tests/core/metrics/rank_reference.h"

namespace dubito {
namespace {

SortedScores sorted(const std::vector<double>& scores, int threads = 1) {
  std::vector<std::uint64_t> keys(scores.size());
  std::ranges::transform(scores, keys.begin(), SortedScores::keyOf);
  RunContext context;
  context.threads = threads;
  return {std::move(keys), context};
}

TEST(SortedScores, AreInTheOrderOfTheNumbers) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const SortedScores scores =
      sorted({1.0, -kInfinity, 0.0, -0.0, 5e-324, -5e-324, kInfinity, -1.0, 0.1});
  const std::array<double, 9> expected{-kInfinity, -1.0, -5e-324, 0.0,      0.0,
                                       5e-324,     0.1,  1.0,     kInfinity};
  ASSERT_EQ(scores.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(scores[i], expected[i]) << i;
  }
}

TEST(SortedScores, AgreeWithTheStandardSortOnAnyThreads) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal(0.0, 1e3);
  for (const std::size_t n : {0U, 1U, 4096U, 4097U, 300001U}) {
    for (const bool narrow : {false, true}) {
      std::vector<double> scores(n);
      for (double& score : scores) {
        const double value = normal(random);
        // Every third one is a tie.
        score = random() % 3 == 0 ? 0.5 : narrow ? double{static_cast<float>(value)} : value;
      }
      const SortedScores alone = sorted(scores);
      const SortedScores together = sorted(scores, 4);
      std::ranges::sort(scores);
      ASSERT_EQ(alone.size(), n);
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(alone[i], scores[i]) << i;
      }
      EXPECT_EQ(alone.keys(), together.keys());
    }
  }
}

TEST(SortedScores, DifferencesInAnySingleByteCount) {
  // More than a short list holds, and all equal but for one byte of the keys.
  std::mt19937_64 random(6);
  for (int byte = 0; byte < 8; ++byte) {
    std::vector<std::uint64_t> keys(5000);
    for (std::uint64_t& key : keys) {
      key = (0x4041424344454647ULL & ~(0xFFULL << (8 * byte))) | (random() % 256) << (8 * byte);
    }
    const SortedScores scores(keys, RunContext());
    std::ranges::sort(keys);
    EXPECT_EQ(scores.keys(), keys) << byte;
  }
}

TEST(BinFinder, AgreesWithASearchAlsoOnTheEdgesAndBesideThem) {
  for (std::int64_t bins = 1; bins <= 1000; bins += bins < 40 ? 1 : 37) {
    const std::vector<double> edges = BinFinder::unitEdges(bins);
    const BinFinder find(edges);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    std::vector<double> values{-1.0, -1e300, -kInfinity, 0.0,      1.0,
                               1.5,  1e300,  kInfinity,  1.0 / 3.0};
    for (const double edge : edges) {
      values.insert(values.end(),
                    {edge, std::nextafter(edge, -1.0), std::nextafter(edge, 2.0),
                     double{static_cast<float>(edge)}, edge + 0.3 / static_cast<double>(bins)});
    }
    for (const double value : values) {
      const auto upper = std::ranges::lower_bound(edges, value) - edges.begin();
      const auto expected = std::clamp<std::ptrdiff_t>(upper - 1, 0, bins - 1);
      ASSERT_EQ(find(value), static_cast<std::size_t>(expected)) << value << " of " << bins;
    }
    EXPECT_EQ(find(std::numeric_limits<double>::quiet_NaN()), 0U);
  }
}

TEST(UnitBinFinder, AgreesWithTheEdgesForFloats) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::mt19937_64 random(9);
  for (std::int64_t bins = 1; bins <= 1000; bins += bins < 70 ? 1 : 37) {
    const std::vector<double> edges = BinFinder::unitEdges(bins);
    const BinFinder find(edges);
    const UnitBinFinder find_float(bins);
    std::vector<float> values{
        -1.0F, -kInfinity, -0.0F,       std::numeric_limits<float>::denorm_min(),
        1.5F,  kInfinity,  1.0F / 3.0F, std::numeric_limits<float>::quiet_NaN()};
    for (const double edge : edges) {
      const auto near = static_cast<float>(edge);
      values.insert(values.end(), {near, std::nextafter(near, -1.0F), std::nextafter(near, 2.0F)});
    }
    for (int i = 0; i < 100; ++i) {
      values.push_back(static_cast<float>(random() % (1U << 24U)) * 0x1p-24F);
    }
    for (const float value : values) {
      ASSERT_EQ(static_cast<std::size_t>(find_float(value)), find(value))
          << value << " of " << bins;
    }
  }
}

TEST(BinFinder, TakesOtherRanges) {
  const BinFinder find({-2.0, -1.0, 0.0, 1.0});
  EXPECT_EQ(find(-1.5), 0U);
  EXPECT_EQ(find(-1.0), 0U);
  EXPECT_EQ(find(-0.5), 1U);
  EXPECT_EQ(find(7.0), 2U);
}

struct Lists {
  std::vector<double> a, b, c;
};

Lists randomLists(std::size_t n, std::mt19937_64& random) {
  Lists lists;
  for (std::size_t i = 0; i < n; ++i) {
    const double score = static_cast<double>(random() % 97) / 64.0;
    std::vector<double>& list = i % 3 == 0 ? lists.a : i % 3 == 1 ? lists.b : lists.c;
    list.push_back(score);
  }
  return lists;
}

TEST(RankWalk, GivesTheNumbersOfTheTableInBothOrders) {
  std::mt19937_64 random(6);
  const RunContext context;
  for (const std::size_t n : {2U, 9U, 400U, 5000U}) {
    const Lists lists = randomLists(n, random);
    const SortedScores a = sorted(lists.a);
    const SortedScores b = sorted(lists.b);
    const SortedScores c = sorted(lists.c);
    for (const RankOrder order : {RankOrder::kHighFirst, RankOrder::kLowFirst}) {
      const double sign = order == RankOrder::kHighFirst ? 1.0 : -1.0;
      for (const bool three : {false, true}) {
        std::vector<double> scores;
        std::vector<std::uint8_t> positive;
        const auto append = [&](const std::vector<double>& list, std::uint8_t is_positive) {
          for (const double score : list) {
            scores.push_back(sign * score);
            positive.push_back(is_positive);
          }
        };
        append(lists.a, 1);
        append(lists.b, 0);
        RankedGroups groups{{&a}, {&b}};
        if (three) {
          append(lists.c, 1);
          groups.positives.push_back(&c);
        }
        const ThresholdTable table = thresholdTable(scores, positive);
        const SelectiveMetrics walked = walkMetrics(groups, order, context);
        EXPECT_EQ(walked.rank.auroc, areaUnderRoc(table));
        EXPECT_EQ(walked.rank.aupr, averagePrecision(table));
        EXPECT_EQ(walked.rank.fpr95, test::fpr95Of(table));
        EXPECT_EQ(walkRankMetrics(groups, order, context).fpr95, test::fpr95Of(table));
        EXPECT_EQ(walked.aurc, RiskCoverage(table).aurc());
        EXPECT_EQ(walked.augrc, RiskCoverage(table).augrc());
        std::vector<double> distinct = scores;
        std::ranges::sort(distinct, std::greater<>());
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
        ASSERT_EQ(table.rows.size(), distinct.size());
        for (std::size_t j = 0; j < distinct.size(); ++j) {
          EXPECT_EQ(table.rows[j].threshold, distinct[j]);
        }
      }
    }
  }
}

}  // namespace
}  // namespace dubito
