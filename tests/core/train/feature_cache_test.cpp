// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/feature_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

/// `count` items with 100 features each.
KeptFeatures someFeatures(std::int64_t count) {
  KeptFeatures kept;
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i) {
    kept.ids.push_back(10 * i);
    kept.stamps.push_back(-i);
    values.insert(values.end(), 100, static_cast<float>(i));
  }
  kept.features = Array<float>::fromVector({count, 100}, std::move(values));
  return kept;
}

std::vector<FeatureRow> rowsOf(const KeptFeatures& kept) {
  std::vector<FeatureRow> rows;
  for (std::size_t i = 0; i < kept.ids.size(); ++i) {
    rows.push_back(
        {kept.ids[i], kept.stamps[i], kept.features.row(static_cast<std::int64_t>(i)).data()});
  }
  return rows;
}

void write(FeatureCache& cache, const std::string& key, const KeptFeatures& kept) {
  cache.write(key, 100, rowsOf(kept));
}

TEST(FeatureCacheTest, ReturnsWhatWasWritten) {
  const test::TempDir folder;
  FeatureCache cache(folder.file("a/b"), 1'000'000);
  EXPECT_TRUE(cache.read("network 1", 100).ids.empty());
  const KeptFeatures kept = someFeatures(20);
  write(cache, "network 1", kept);
  const KeptFeatures read = FeatureCache(folder.file("a/b"), 1).read("network 1", 100);
  EXPECT_EQ(read.ids, kept.ids);
  EXPECT_EQ(read.stamps, kept.stamps);
  EXPECT_TRUE(std::ranges::equal(read.features.values(), kept.features.values()));
  EXPECT_TRUE(cache.read("network 2", 100).ids.empty());
  EXPECT_TRUE(cache.notes().empty());
}

TEST(FeatureCacheTest, RemovesWhatWasUsedLongestAgo) {
  const test::TempDir folder;
  FeatureCache cache(folder.path(), 30'000);  // three files
  const auto age = [&](const std::string& key, int hours) {
    std::filesystem::last_write_time(
        cache.pathOf(key),
        std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  for (const auto& [key, hours] : {std::pair{"a", 3}, {"b", 2}, {"c", 1}}) {
    write(cache, key, someFeatures(20));
    age(key, hours);
  }
  EXPECT_EQ(cache.read("a", 100).ids.size(), 20U);  // now the newest
  test::writeBytes(folder.file("notes.npz"), "of somebody else");
  write(cache, "d", someFeatures(20));
  EXPECT_FALSE(std::filesystem::exists(cache.pathOf("b")));
  for (const char* const key : {"a", "c", "d"}) {
    EXPECT_TRUE(std::filesystem::exists(cache.pathOf(key))) << key;
  }
  EXPECT_TRUE(std::filesystem::exists(folder.file("notes.npz")));
}

TEST(FeatureCacheTest, NotesWhatCannotBeKept) {
  const test::TempDir folder;
  FeatureCache small(folder.path(), 1000);
  write(small, "a", someFeatures(20));
  ASSERT_EQ(small.notes().size(), 1U);
  EXPECT_EQ(small.notes().front(),
            "the features take 8 kB and are not kept; a larger feature cache keeps them");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));

  test::writeBytes(folder.file("file"), "");
  FeatureCache nowhere(folder.file("file/features"), 1'000'000);
  write(nowhere, "a", someFeatures(2));
  ASSERT_EQ(nowhere.notes().size(), 1U);
  EXPECT_THAT(nowhere.notes().front(), HasSubstr("the features are not kept ("));
}

TEST(FeatureCacheTest, EveryDamageIsNoticed) {
  const test::TempDir folder;
  const KeptFeatures kept = someFeatures(3);
  FeatureCache cache(folder.path(), 1'000'000);
  write(cache, "a", kept);
  const std::string path = FeatureCache(folder.path(), 1).pathOf("a");
  const std::string bytes = test::readBytes(path);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    test::writeBytes(path, damaged);
    const KeptFeatures read = FeatureCache(folder.path(), 1).read("a", 100);
    EXPECT_TRUE(read.ids.empty() ||
                (read.ids == kept.ids && read.stamps == kept.stamps &&
                 std::ranges::equal(read.features.values(), kept.features.values())))
        << at;
  }
  test::writeBytes(path, bytes);
  FeatureCache other(folder.path(), 1);
  EXPECT_TRUE(other.read("a", 99).ids.empty());
  EXPECT_EQ(other.notes().size(), 1U);
}

TEST(FeatureCacheTest, TheUsualFolderIsInTheCacheOfTheUser) {
  const char* const home = std::getenv("HOME");
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  const std::string expected = cache != nullptr && *cache == '/'
                                   ? std::string(cache) + "/dubito/features"
                               : home != nullptr ? std::string(home) + "/.cache/dubito/features"
                                                 : std::string();
  EXPECT_EQ(usualFeatureFolder(), expected);
}

}  // namespace
}  // namespace dubito
