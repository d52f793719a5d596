// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/shared_items.h"

#include <gtest/gtest.h>

#include "core/data/dataset.h"

namespace dubito {
namespace {

DatasetPtr open(const std::string& spec) {
  RunContext context;
  const auto dataset = openDataset(spec, context);
  EXPECT_TRUE(dataset) << dataset.error().message;
  return *dataset;
}

SharedItems compare(const std::string& fitted, const std::string& evaluated) {
  RunContext context;
  const auto shared = sharedItems(*open(fitted), *open(evaluated), {}, 7, context);
  EXPECT_TRUE(shared) << shared.error().message;
  return shared.value_or(SharedItems());
}

TEST(SharedItems, CountsItemsOfTheSameDataByContentAndId) {
  const SharedItems part = compare("synthetic:blobs?n=100&seed=1&items=0:60",
                                   "synthetic:blobs?n=100&seed=1&items=50:100");
  EXPECT_EQ(part.same, 10);
  EXPECT_EQ(part.alike, 0);
  EXPECT_EQ(part.evaluated, 50);
  const SharedItems apart = compare("synthetic:blobs?n=100&seed=1&items=0:50",
                                    "synthetic:blobs?n=100&seed=1&items=50:100");
  EXPECT_EQ(apart.same + apart.alike, 0);
  // Equal ids alone mean nothing: row 0 of two files is two things.
  const SharedItems other = compare("synthetic:blobs?n=40&seed=1", "synthetic:blobs?n=40&seed=2");
  EXPECT_EQ(other.same + other.alike, 0);
  EXPECT_EQ(other.evaluated, 40);
}

TEST(SharedItems, KnowsTheSameDataUnderOtherWords) {
  EXPECT_TRUE(
      sameSource("idx:a/b.gz,a/c.gz?items=0:10", "idx:a/b.gz,a/c.gz?items=10:20&role=test"));
  EXPECT_TRUE(sameSource("folder:photos", "folder:./other/../photos"));
  EXPECT_TRUE(sameSource("photos", "folder:photos?classes=1"));
  EXPECT_TRUE(sameSource("synthetic:blobs?n=10&seed=1", "synthetic:blobs?n=90&seed=1"));
  EXPECT_FALSE(sameSource("synthetic:blobs?n=10&seed=1", "synthetic:blobs?n=10&seed=2"));
  EXPECT_FALSE(sameSource("folder:photos", "folder:pictures"));
  EXPECT_FALSE(sameSource("npz:mnist.npz?role=train", "npz:mnist.npz?role=test"));
  EXPECT_TRUE(sameSource("npz:mnist.npz?role=train", "npz:mnist.npz?role=calibration"));
  EXPECT_FALSE(sameSource("npz:mnist.npz?split=train", "npz:mnist.npz?split=test"));
}

TEST(SharedItems, ComparesRunsByIdWhereTheirDataIsTheSame) {
  const std::vector<std::int64_t> first{1, 2, 3, 4};
  const std::vector<std::int64_t> second{9, 4, 3};
  EXPECT_EQ(sharedItems({"folder:a", "00ff", first}, {"folder:a?items=0:3", "", second}).same, 2);
  EXPECT_EQ(sharedItems({"folder:a", "", first}, {"folder:b", "", second}).same, 0);
  // A copy of the folder: the same content.
  EXPECT_EQ(sharedItems({"folder:a", "00ff", first}, {"folder:b", "00ff", first}).same, 4);
}

TEST(SharedItems, RefusesSharedItemsUnlessAllowed) {
  const auto refused = judgeSplit({1, 0, 500}, "calibration", "cal", "test", false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "1 of the 500 items of test are also in cal, the calibration set; give calibration "
            "items of its own, or --allow-same-split to do it nevertheless, which is written into "
            "the result");
  const auto allowed = judgeSplit({1, 0, 500}, "calibration", "cal", "test", true);
  ASSERT_TRUE(allowed);
  ASSERT_EQ(allowed->size(), 1U);
  EXPECT_NE(allowed->front().find("too good"), std::string::npos);
  // Some data sets hold a few pictures twice.
  const auto twice = judgeSplit({0, 5, 500}, "training", "fit", "test", false);
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->size(), 1U);
  EXPECT_FALSE(judgeSplit({0, 6, 500}, "training", "fit", "test", false));
  EXPECT_TRUE(judgeSplit({0, 0, 500}, "training", "fit", "test", false)->empty());
}

TEST(SharedItems, CanBeCancelled) {
  RunContext context;
  context.control()->requestCancel();
  const DatasetPtr blobs = open("synthetic:blobs?n=40&seed=1");
  const auto shared = sharedItems(*blobs, *blobs, {}, 7, context);
  ASSERT_FALSE(shared);
  EXPECT_EQ(shared.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace dubito
