// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "core/kernels/torch/keyed_dropout_torch.h"

namespace dubito {
namespace {

at::Tensor range(std::int64_t begin, std::int64_t end) {
  return at::arange(begin, end, at::kLong);
}
at::Tensor same(std::int64_t value, std::int64_t count) {
  return at::full({count}, value, at::kLong);
}

void drop(const at::Tensor& items, std::int64_t draw, std::int64_t site, std::int64_t seed = 1,
          double rate = 0.5) {
  (void)keyedDropout(at::ones({items.numel(), 77}), rate, seed, items, same(draw, items.numel()),
                     site);
}

std::uint64_t hashOf(const at::Tensor& items, std::int64_t draw, std::int64_t site,
                     std::int64_t seed = 1, double rate = 0.5) {
  const MaskHashRecorder recorder;
  drop(items, draw, site, seed, rate);
  return recorder.entries().at(0).hash;
}

TEST(MaskHash, TellsExecutionsApart) {
  const auto hashOfExecutions = [](std::int64_t first, std::int64_t second) {
    const MaskHashRecorder recorder;
    for (const auto& [execution, site] : {std::pair{first, 0}, std::pair{second, 1}}) {
      (void)keyedDropout(at::ones({2, 77}), 0.5, 1, range(0, 2), same(0, 2), site,
                         {.execution = execution});
    }
    const auto entries = recorder.entries();
    EXPECT_EQ(entries.size(), 2U);
    return entries.at(0).hash;
  };
  EXPECT_NE(hashOfExecutions(0, 1), hashOfExecutions(1, 0));
}

TEST(MaskHash, DependsOnNeitherBatchNorOrder) {
  const MaskHashRecorder split;
  drop(range(30, 64), 0, 0);
  drop(range(0, 1), 0, 0);
  drop(range(1, 30).flip(0), 0, 0);
  ASSERT_EQ(split.entries().size(), 1U);
  EXPECT_EQ(split.entries()[0].hash, hashOf(range(0, 64), 0, 0));
}

TEST(MaskHash, RowsOfSeveralDrawsCountForTheirOwn) {
  const MaskHashRecorder apart;
  for (const std::int64_t draw : {0, 1, 0, 2}) {
    drop(draw == 0 ? range(0, 3) : range(3, 6), draw, 0);
  }
  const MaskHashRecorder together;
  const at::Tensor draws = at::cat({same(0, 3), same(1, 3), same(0, 3), same(2, 3)});
  const at::Tensor items = at::cat({range(0, 3), range(3, 6), range(0, 3), range(3, 6)});
  (void)keyedDropout(at::ones({12, 77}), 0.5, 1, items, draws, 0);
  const auto expected = apart.entries();
  const auto actual = together.entries();
  ASSERT_EQ(expected.size(), 3U);
  ASSERT_EQ(actual.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(actual[i].draw, expected[i].draw);
    EXPECT_EQ(actual[i].hash, expected[i].hash) << i;
  }
}

TEST(MaskHash, WhatIsHandedOverIsAdded) {
  const MaskHashRecorder outer;
  drop(range(0, 4), 0, 0);
  {
    MaskHashRecorder inner;
    drop(range(4, 8), 0, 0);
    inner.handOver();
    EXPECT_TRUE(inner.entries().empty());
  }
  ASSERT_EQ(outer.entries().size(), 1U);
  EXPECT_EQ(outer.entries()[0].hash, hashOf(range(0, 8), 0, 0));
}

TEST(MaskHash, DiffersBySeedItemDrawSiteAndRate) {
  const std::set<std::uint64_t> hashes{
      hashOf(range(0, 8), 0, 0),         hashOf(range(0, 8), 1, 0), hashOf(range(0, 8), 0, 1),
      hashOf(range(0, 8), 0, 0, 2),      hashOf(range(1, 9), 0, 0), hashOf(range(0, 9), 0, 0),
      hashOf(range(0, 8), 0, 0, 1, 0.51)};
  EXPECT_EQ(hashes.size(), 7U);
}

TEST(MaskHash, EntriesAscendBySiteThenDraw) {
  const MaskHashRecorder recorder;
  drop(range(0, 4), 1, 1);
  drop(range(0, 4), 1, 0);
  drop(range(0, 4), 0, 1);
  const auto entries = recorder.entries();
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].site, 0);
  EXPECT_EQ(entries[1].site, 1);
  EXPECT_EQ(entries[1].draw, 0);
  EXPECT_EQ(entries[2].draw, 1);
}

// A mask that differs in a single decision has another hash.
TEST(MaskHash, SeesASingleDecision) {
  const auto hash_at = [](double rate) { return hashOf(range(0, 1), 0, 0, 1, rate); };
  const auto kept_at = [](double rate) {
    return (keyedDropout(at::ones({1, 77}), rate, 1, range(0, 1), same(0, 1), 0) > 0)
        .sum()
        .item<std::int64_t>();
  };
  int changes = 0;
  for (double rate = 0.3; rate < 0.6; rate += 0.001) {
    const bool same_mask = kept_at(rate) == kept_at(rate + 0.001);
    EXPECT_EQ(hash_at(rate) == hash_at(rate + 0.001), same_mask) << "rate " << rate;
    changes += same_mask ? 0 : 1;
  }
  EXPECT_GT(changes, 10);
}

TEST(MaskHash, RecordsItsOwnThreadAndLifetimeOnly) {
  drop(range(0, 4), 0, 0);
  const MaskHashRecorder outer;
  {
    const MaskHashRecorder inner;
    drop(range(0, 4), 0, 0);
    EXPECT_EQ(inner.entries().size(), 1U);
  }
  std::thread([] { drop(range(0, 4), 0, 0); }).join();
  EXPECT_TRUE(outer.entries().empty());
}

}  // namespace
}  // namespace dubito
