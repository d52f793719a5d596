// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/kernels/philox.h"
#include "core/kernels/torch/keyed_dropout_torch.h"
#include "core/kernels/torch/keyed_random_torch.h"

namespace dubito {
namespace {

constexpr std::int64_t kItems = 40;
constexpr std::int64_t kNumbers = 5000;

at::Tensor itemIds(std::int64_t count) {
  return at::arange(count, at::kLong) * 4294967301LL - 1;
}

at::Tensor numbersOf(const KeyedDistribution& distribution, const KeyedPlace& place = {}) {
  const at::Tensor items = itemIds(kItems);
  return keyedRandom(at::empty({kItems, kNumbers}), distribution, 9, items, at::zeros_like(items),
                     place);
}

struct Moments {
  KeyedDistribution distribution;
  double mean;
  double variance;
};

/// The moments of each distribution, from textbooks.
TEST(KeyedRandom, HasTheMomentsOfItsDistribution) {
  const double tail = std::exp(0.25);
  for (const auto& [distribution, mean, variance] :
       {Moments{{"uniform", -1.0, 2.0}, 0.5, 0.75}, Moments{{"normal", 2.0, 0.5}, 2.0, 0.25},
        Moments{{"log_normal", 0.0, 0.5}, std::exp(0.125), tail * (tail - 1.0)},
        Moments{{"bernoulli", 0.3, 0.0}, 0.3, 0.21}, Moments{{"exponential", 2.0, 0.0}, 0.5, 0.25},
        Moments{{"geometric", 0.4, 0.0}, 2.5, 3.75}, Moments{{"integer", 2.0, 6.0}, 3.5, 1.25}}) {
    const at::Tensor numbers = numbersOf(distribution).to(at::kDouble);
    const double count = static_cast<double>(numbers.numel());
    EXPECT_NEAR(numbers.mean().item().toDouble(), mean, 5.0 * std::sqrt(variance / count))
        << distribution.name;
    EXPECT_NEAR(numbers.var().item().toDouble(), variance, 0.05 * variance) << distribution.name;
  }
  const at::Tensor cauchy = numbersOf({"cauchy", 1.0, 2.0});
  EXPECT_NEAR(cauchy.median().item().toDouble(), 1.0, 0.05);
  EXPECT_NEAR(at::abs(cauchy - 1.0).median().item().toDouble(), 2.0, 0.1);
}

TEST(KeyedRandom, IsUniformStrictlyBetweenItsBounds) {
  const at::Tensor u = numbersOf({"uniform", 0.0, 1.0});
  EXPECT_GT(u.min().item().toDouble(), 0.0);
  EXPECT_LT(u.max().item().toDouble(), 1.0);
  const at::Tensor integers = numbersOf({"integer", 0.0, 3.0});
  EXPECT_EQ(integers.min().item().toDouble(), 0.0);
  EXPECT_EQ(integers.max().item().toDouble(), 2.0);
  EXPECT_TRUE(numbersOf({"bernoulli", 1.0, 0.0}).eq(1.0).all().item().toBool());
  EXPECT_TRUE(numbersOf({"bernoulli", 0.0, 0.0}).eq(0.0).all().item().toBool());
}

/// The layout that theory.md states.
TEST(KeyedRandom, TakesItsWordsFromTheCounterOfItemDrawAndNumber) {
  const std::int64_t id = 4294967301LL * 3 - 1;
  const at::Tensor u = keyedRandom(at::empty({1, 11}), {"uniform", 0.0, 1.0}, 77,
                                   at::tensor({id}, at::kLong), at::tensor({6}, at::kLong), {4, 2});
  const auto key = siteKey(77, 4, 2);
  for (std::uint32_t e = 0; e < 11; ++e) {
    const auto words =
        philox4x32({e / 4, 6, static_cast<std::uint32_t>(id),
                    static_cast<std::uint32_t>(static_cast<std::uint64_t>(id) >> 32)},
                   key);
    const double expected = (static_cast<double>(words[e % 4] >> 9) + 0.5) * 0x1p-23;
    EXPECT_EQ(u[0][e].item().toDouble(), expected) << e;
  }
}

TEST(KeyedRandom, DependsOnNothingButItsKey) {
  const at::Tensor items = itemIds(6);
  const at::Tensor draws = at::tensor({0, 1, 0, 1, 2, 0}, at::kLong);
  for (const char* name : {"uniform", "normal"}) {
    const KeyedDistribution distribution{name, 0.0, 1.0};
    const at::Tensor all =
        keyedRandom(at::empty({12, 7}), distribution, 1, items, draws, {2, 0}).view({6, 2, 7});
    for (std::int64_t i = 0; i < 6; ++i) {
      const at::Tensor one =
          keyedRandom(at::empty({2, 7}, at::kDouble), distribution, 1, items.slice(0, i, i + 1),
                      draws.slice(0, i, i + 1), {2, 0});
      EXPECT_TRUE(one.equal(all[i])) << i;
    }
    // Two sites, executions, seeds share nothing.
    for (const auto& [seed, place] :
         {std::pair<std::int64_t, KeyedPlace>{2, {2, 0}}, {1, {3, 0}}, {1, {2, 1}}}) {
      EXPECT_EQ(keyedRandom(at::empty({12, 7}), distribution, seed, items, draws, place)
                    .view({6, 2, 7})
                    .eq(all)
                    .sum()
                    .item()
                    .toLong(),
                0);
    }
  }
}

TEST(KeyedRandom, HasItsItemsOnTheSecondAxisIfToldSo) {
  const at::Tensor items = itemIds(3);
  const at::Tensor draws = at::zeros_like(items);
  const KeyedDistribution normal{"normal", 0.0, 1.0};
  const at::Tensor first = keyedRandom(at::empty({3, 4, 2}), normal, 1, items, draws, {0, 0, 0});
  const at::Tensor second = keyedRandom(at::empty({4, 3, 2}), normal, 1, items, draws, {0, 0, 1});
  EXPECT_TRUE(second.transpose(0, 1).equal(first));
}

TEST(KeyedRandom, GivesEachItemItsOwnWhereThereIsOneForTheBatch) {
  const at::Tensor items = itemIds(3);
  const at::Tensor draws = at::zeros_like(items);
  const KeyedDistribution uniform{"uniform", 0.0, 1.0};
  const at::Tensor own = keyedRandom(at::empty({1, 4}), uniform, 1, items, draws, {});
  EXPECT_TRUE(own.equal(keyedRandom(at::empty({3, 4}), uniform, 1, items, draws, {})));
}

TEST(KeyedRandom, RefusesWhatHasNoItems) {
  const at::Tensor items = itemIds(3);
  const at::Tensor draws = at::zeros_like(items);
  const KeyedDistribution uniform{"uniform", 0.0, 1.0};
  EXPECT_THROW(static_cast<void>(keyedRandom(at::empty({}), uniform, 1, items, draws, {})),
               c10::Error);
  EXPECT_THROW(static_cast<void>(keyedRandom(at::empty({4, 2}), uniform, 1, items, draws, {})),
               c10::Error);
  EXPECT_THROW(
      static_cast<void>(keyedRandom(at::empty({3, 2}), {"poisson", 1.0, 0.0}, 1, items, draws, {})),
      c10::Error);
  EXPECT_THROW(static_cast<void>(
                   keyedRandom(at::empty({3, 2}), {"bernoulli", 1.5, 0.0}, 1, items, draws, {})),
               c10::Error);
}

TEST(KeyedRandom, IsInTheHashesOfTheRun) {
  const at::Tensor items = itemIds(4);
  const at::Tensor draws = at::zeros_like(items);
  const auto hashOf = [&](const at::Tensor& order, double b) {
    const MaskHashRecorder recorder;
    static_cast<void>(keyedRandom(at::empty({4, 3}), {"uniform", 0.0, b}, 1,
                                  items.index_select(0, order), draws, {5, 0}));
    EXPECT_EQ(recorder.entries().size(), 1U);
    EXPECT_EQ(recorder.entries()[0].site, 5);
    return recorder.entries()[0].hash;
  };
  const at::Tensor order = at::arange(4, at::kLong);
  EXPECT_EQ(hashOf(order, 1.0), hashOf(order.flip(0), 1.0));
  EXPECT_NE(hashOf(order, 1.0), hashOf(order, 2.0));
}

}  // namespace
}  // namespace dubito
