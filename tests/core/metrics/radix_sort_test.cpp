// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/radix_sort.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "core/metrics/keyed_item.h"

namespace dubito {
namespace {

struct Keys {
  const char* name;
  std::function<std::uint64_t(std::mt19937_64&)> draw;
};

const std::vector<Keys>& kindsOfKeys() {
  constexpr std::uint64_t kFar = std::uint64_t{1} << 63;
  static const std::vector<Keys> kinds = {
      {"any bits", [](auto& random) { return random(); }},
      {"ties", [](auto& random) { return random() % 5 * 0x0123456789ABCDEFULL; }},
      {"few low bits", [](auto& random) { return random() % 2048; }},
      {"a single bit", [](auto& random) { return kFar + (random() % 2 << 40); }},
      {"all equal", [](auto& /*random*/) { return kFar; }},
      {"pairs that the upper bits do not tell apart",
       [](auto& random) { return (random() % 100'000) << 46 | random() % 3; }},
      {"long runs that the upper bits do not tell apart",
       [](auto& random) { return (random() % 700) << 50 | (random() & 0xFFFF); }},
      // The runs of two keys extend over several parts.
      {"next to one of two far numbers",
       [](auto& random) { return random() % 1000 == 0 ? kFar + random() % 9 : random() % 77'777; }},
  };
  return kinds;
}

TEST(RadixSort, IsAStableSortOnAnyThreads) {
  for (const Keys& keys : kindsOfKeys()) {
    for (const std::size_t count : {0U, 1U, 4096U, 4097U, 32'769U, 200'001U}) {
      std::mt19937_64 random(count);
      std::vector<KeyedItem> entries;
      for (std::size_t i = 0; i < count; ++i) {
        entries.emplace_back(keys.draw(random), static_cast<std::uint32_t>(i));
      }
      std::vector<KeyedItem> expected = entries;
      std::ranges::stable_sort(expected, {}, &KeyedItem::key);
      for (const int threads : {1, 4}) {
        SCOPED_TRACE(testing::Message() << keys.name << ", " << count << ", " << threads);
        RunContext context;
        context.threads = threads;
        std::vector<KeyedItem> sorted = entries;
        radixSort(sorted, context);
        ASSERT_EQ(sorted.size(), count);
        for (std::size_t i = 0; i < count; ++i) {
          ASSERT_EQ(sorted[i].key(), expected[i].key()) << i;
          ASSERT_EQ(sorted[i].item, expected[i].item) << i;
        }
      }
    }
  }
}

TEST(RadixSort, EndsWhenCancelled) {
  RunContext context;
  context.control()->requestCancel();
  std::mt19937_64 random(1);
  std::vector<KeyedItem> entries;
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    entries.emplace_back(random(), i);
  }
  const std::vector<KeyedItem> before = entries;
  radixSort(entries, context);
  EXPECT_TRUE(std::ranges::equal(entries, before, {}, &KeyedItem::item, &KeyedItem::item));
}

}  // namespace
}  // namespace dubito
