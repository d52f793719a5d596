// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/neighbours/nearest_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

namespace dubito {
namespace {

FeatureTable tableOf(const Array<float>& features) {
  FeatureTable table;
  table.features = features;
  for (std::int64_t i = 0; i < features.extent(0); ++i) {
    table.norms.push_back(euclideanNorm(features.row(i)));
    table.indices.push_back(i);
    table.ids.push_back(1'000'000 - 3 * i);  // in another order than the rows
  }
  return table;
}

/// All cosines by a plain sum in double, sorted.
std::vector<Neighbour> bruteForce(const FeatureTable& table, std::span<const float> query) {
  std::vector<Neighbour> all;
  for (std::size_t i = 0; i < table.ids.size(); ++i) {
    double product = 0.0;
    double a = 0.0;
    double b = 0.0;
    for (std::size_t q = 0; q < query.size(); ++q) {
      const double value = table.features.row(static_cast<std::int64_t>(i))[q];
      product += value * double{query[q]};
      a += value * value;
      b += double{query[q]} * double{query[q]};
    }
    all.push_back({table.indices[i], table.ids[i],
                   a > 0.0 && b > 0.0 ? product / (std::sqrt(a) * std::sqrt(b)) : 0.0});
  }
  std::ranges::sort(all, [](const Neighbour& x, const Neighbour& y) {
    return x.similarity != y.similarity ? x.similarity > y.similarity : x.id < y.id;
  });
  return all;
}

Array<float> randomRows(std::int64_t rows, std::int64_t width, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  Array<float> result = Array<float>::zeros({rows, width});
  std::generate_n(result.mutableData(), result.size(), [&] { return normal(random); });
  return result;
}

TEST(NearestRows, AreThoseOfABruteForceInDouble) {
  for (const std::int64_t width : {1, 7, 8, 84, 131}) {
    const FeatureTable table = tableOf(randomRows(9000, width, 3));
    const Array<float> queries = randomRows(5, width, 4);
    for (std::int64_t i = 0; i < queries.extent(0); ++i) {
      RunContext context;
      context.threads = 3;
      const auto found = nearestRows(table, queries.row(i), 8, std::nullopt, context);
      ASSERT_TRUE(found);
      ASSERT_EQ(found->size(), 8U);
      const std::vector<Neighbour> expected = bruteForce(table, queries.row(i));
      for (std::size_t k = 0; k < 8; ++k) {
        EXPECT_NEAR((*found)[k].similarity, expected[k].similarity, 1e-12);
        // One number a row: all cosines are 1 or -1, up to rounding.
        if (width > 1) {
          EXPECT_EQ((*found)[k].id, expected[k].id) << width << ' ' << k;
        }
      }
      context.threads = 1;
      EXPECT_EQ(*found, *nearestRows(table, queries.row(i), 8, std::nullopt, context));
    }
  }
}

TEST(NearestRows, EqualOnesComeByIdAndRowsOfZerosResembleNothing) {
  Array<float> rows = Array<float>::zeros({10'000, 3});
  for (std::int64_t i = 0; i < 10'000; ++i) {
    if (i % 1000 == 0) {
      rows.mutableRow(i)[1] = 2.0F;  // the same direction, over several parts
    } else if (i % 2 == 0) {
      rows.mutableRow(i)[0] = -1.0F;
    }  // the others stay zero
  }
  const FeatureTable table = tableOf(rows);
  const std::vector<float> query{0.0F, 3.0F, 0.0F};
  RunContext context;
  context.threads = 2;
  const auto found = nearestRows(table, query, 12, std::nullopt, context);
  ASSERT_TRUE(found);
  for (std::size_t k = 0; k < 10; ++k) {
    // Ids fall as rows rise.
    EXPECT_EQ((*found)[k].index, 9000 - 1000 * static_cast<std::int64_t>(k));
    EXPECT_EQ((*found)[k].similarity, 1.0);
  }
  EXPECT_EQ((*found)[10].index, 9999);
  EXPECT_EQ((*found)[10].similarity, 0.0);
  const auto without = nearestRows(table, query, 1, 9000, context);
  EXPECT_EQ(without->front().index, 8000);
  const std::vector<float> nothing(3, 0.0F);
  const auto of_nothing = nearestRows(table, nothing, 5, std::nullopt, context);
  ASSERT_TRUE(of_nothing);
  for (const Neighbour& neighbour : *of_nothing) {
    EXPECT_EQ(neighbour.similarity, 0.0);
  }
}

TEST(NearestRows, KeepToWhatThereIs) {
  const FeatureTable table = tableOf(randomRows(5, 4, 1));
  RunContext context;
  const std::span<const float> query = table.features.row(2);
  EXPECT_EQ(nearestRows(table, query, 8, std::nullopt, context)->size(), 5U);
  EXPECT_EQ(nearestRows(table, query, 8, 2, context)->size(), 4U);
  EXPECT_TRUE(nearestRows(table, query, 0, std::nullopt, context)->empty());
  EXPECT_EQ(nearestRows(table, query, 1, std::nullopt, context)->front().index, 2);
  EXPECT_THROW((void)nearestRows(table, query.first(3), 8, std::nullopt, context),
               std::invalid_argument);
  context.control()->requestCancel();
  EXPECT_EQ(nearestRows(table, query, 8, std::nullopt, context).error().code,
            ErrorCode::kCancelled);
}

TEST(NearestRows, OnlyCandidatesAreCompared) {
  const FeatureTable table = tableOf(randomRows(9000, 5, 1));
  const std::span<const float> query = table.features.row(2);
  std::vector<std::uint8_t> candidates(9000, 0);
  std::vector<Neighbour> expected;
  for (const Neighbour& neighbour : bruteForce(table, query)) {
    if (neighbour.index % 7 == 3) {
      candidates[static_cast<std::size_t>(neighbour.index)] = 1;
      expected.push_back(neighbour);
    }
  }
  RunContext context;
  context.threads = 2;
  const auto found = nearestRows(table, query, 4, std::nullopt, context, candidates);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 4U);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ((*found)[k].id, expected[k].id);
  }
  candidates.pop_back();
  EXPECT_THROW((void)nearestRows(table, query, 4, std::nullopt, context, candidates),
               std::invalid_argument);
}

}  // namespace
}  // namespace dubito
