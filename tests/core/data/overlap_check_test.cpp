// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/overlap/overlap_check.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>

#include "core/data/items/dataset.h"
#include "core/io/npz_writer.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

DatasetPtr open(const std::string& spec) {
  RunContext context;
  const auto dataset = openDataset(spec, context);
  EXPECT_OK(dataset);
  return *dataset;
}

SharedItems compare(const std::string& fitted, const std::string& evaluated) {
  RunContext context;
  const std::array sets{open(evaluated)};
  const auto shared = sharedItems(*open(fitted), sets, {}, 7, context);
  EXPECT_OK(shared);
  return shared ? shared->front() : SharedItems();
}

/// How many of these ids are the same items, by what the specifications say.
std::int64_t sameBySpec(const std::string& fitted, const std::vector<std::int64_t>& fitted_ids,
                        const std::string& evaluated,
                        const std::vector<std::int64_t>& evaluated_ids) {
  return sharedItems({fitted, "", fitted_ids}, {evaluated, "", evaluated_ids}).same;
}

bool sameSource(const std::string& a, const std::string& b) {
  const bool same = sameBySpec(a, {0}, b, {0}) == 1;
  EXPECT_EQ(sameBySpec(b, {0}, a, {0}) == 1, same) << a << ' ' << b;
  return same;
}

/// Counts how often an item is read.
class CountingDataset : public Dataset {
 public:
  explicit CountingDataset(DatasetPtr inner) : inner_(std::move(inner)) {}

  [[nodiscard]] const DatasetInfo& info() const override { return inner_->info(); }
  [[nodiscard]] std::int64_t size() const override { return inner_->size(); }
  [[nodiscard]] std::span<const std::int64_t> ids() const override { return inner_->ids(); }
  [[nodiscard]] std::span<const std::int64_t> labels() const override { return inner_->labels(); }
  [[nodiscard]] std::string itemName(std::int64_t index) const override {
    return inner_->itemName(index);
  }
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    ++reads;
    return inner_->read(index);
  }

  mutable std::atomic<std::int64_t> reads = 0;

 private:
  DatasetPtr inner_;
};

TEST(SharedItems, ReadsEveryDatasetOnce) {
  const auto fitted = std::make_shared<CountingDataset>(open("synthetic:blobs?n=40&seed=1"));
  const auto first = std::make_shared<CountingDataset>(open("synthetic:blobs?n=30&seed=2"));
  const auto second =
      std::make_shared<CountingDataset>(open("synthetic:blobs?n=40&seed=1&items=35:40"));
  RunContext context;
  const std::array<DatasetPtr, 2> sets{first, second};
  const auto shared = sharedItems(*fitted, sets, {}, 7, context);
  ASSERT_TRUE(shared);
  ASSERT_EQ(shared->size(), 2U);
  EXPECT_EQ((*shared)[0].same, 0);
  EXPECT_EQ((*shared)[0].evaluated, 30);
  EXPECT_EQ((*shared)[1].same, 5);
  EXPECT_EQ((*shared)[1].evaluated, 5);
  EXPECT_EQ(fitted->reads, 40);
  EXPECT_EQ(first->reads, 30);
  EXPECT_EQ(second->reads, 5);
  EXPECT_TRUE(sharedItems(*fitted, {}, {}, 7, context)->empty());
  EXPECT_EQ(fitted->reads, 40) << "there is nothing to compare with";
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

TEST(SharedItems, KnowsTheArrayOfAnNpzFileHoweverItIsChosen) {
  EXPECT_TRUE(sameSource("npz:mnist.npz?role=train", "npz:mnist.npz?split=train"));
  EXPECT_TRUE(sameSource("npz:mnist.npz", "npz:./mnist.npz?split=test&role=ood"));
  EXPECT_FALSE(sameSource("npz:mnist.npz", "npz:mnist.npz?split=train"));

  const test::TempDir folder;
  const auto write = [&folder](const std::string& name, const std::vector<std::string>& arrays) {
    auto writer = NpzWriter::create(folder.file(name));
    for (const std::string& array : arrays) {
      EXPECT_TRUE(writer->add(array, Array<float>::zeros({3, 2})));
    }
    EXPECT_TRUE(writer->commit());
    return "npz:" + folder.file(name);
  };
  // Without splits every role takes the same items.
  const std::string whole = write("whole.npz", {"images"});
  EXPECT_TRUE(sameSource(whole + "?role=calibration", whole + "?role=test"));
  const std::string parted = write("parted.npz", {"x_train", "x_test"});
  EXPECT_FALSE(sameSource(parted + "?role=calibration", parted + "?role=test"));
  EXPECT_TRUE(sameSource(parted + "?role=calibration", parted + "?split=train"));
  // Without test items all that is not asked for comes from the first split.
  const std::string training = write("training.npz", {"x_train"});
  EXPECT_TRUE(sameSource(training + "?role=calibration", training + "?role=test"));
}

TEST(SharedItems, KnowsImagesWhateverTheirLabelsAre) {
  EXPECT_TRUE(sameSource("idx:a/x.gz", "idx:a/x.gz?role=test"));
  const test::TempDir folder;
  const std::string images = folder.file("t10k-images-idx3-ubyte");
  const std::string labels = folder.file("t10k-labels-idx1-ubyte");
  test::writeBytes(images, "x");
  test::writeBytes(labels, "y");
  EXPECT_TRUE(sameSource("idx:" + images + "," + labels, "idx:" + images));
  EXPECT_FALSE(sameSource("idx:" + images, "idx:" + labels));
}

TEST(SharedItems, KnowsTheFilesOfListsThatOverlap) {
  const test::TempDir folder;
  constexpr std::size_t kRecord = 3073;
  for (const auto& [name, records] :
       {std::pair("1.bin", std::size_t{4}), {"2.bin", 3}, {"3.bin", 5}}) {
    test::writeBytes(folder.file(name), std::string(records * kRecord, '\0'));
  }
  const auto list = [&folder](std::initializer_list<const char*> names) {
    std::string text;
    for (const char* name : names) {
      text += (text.empty() ? "cifar10:" : ",") + folder.file(name);
    }
    return text;
  };
  // 2.bin is rows 4, 5 and 6 of the one list, and rows 5, 6 and 7 of the other.
  const std::string fitted = list({"1.bin", "2.bin"});
  const std::string evaluated = list({"3.bin", "2.bin"});
  EXPECT_EQ(sameBySpec(fitted, {0, 1, 2, 3, 4, 5, 6}, evaluated, {0, 1, 2, 3, 4, 5, 6, 7}), 3);
  EXPECT_EQ(sameBySpec(fitted, {4}, evaluated, {5}), 1);
  EXPECT_EQ(sameBySpec(fitted, {5}, evaluated, {5}), 0);
  EXPECT_EQ(sameBySpec(fitted, {0, 1, 2, 3}, list({"3.bin"}), {0, 1, 2, 3}), 0);
  EXPECT_EQ(sameBySpec(fitted, {0, 1}, fitted, {0, 6}), 1);
  // Files that are gone cannot be told apart.
  EXPECT_EQ(sameBySpec("cifar10:gone/a.bin,b.bin", {1, 9}, "cifar10:gone/a.bin,b.bin", {9}), 1);
}

TEST(SharedItems, KnowsTheImagesOfTablesInOneFolder) {
  EXPECT_TRUE(sameSource("csv:photos/train.csv", "csv:photos/test.csv"));
  EXPECT_TRUE(sameSource("csv:photos/train.csv", "folder:photos"));
  EXPECT_FALSE(sameSource("csv:photos/train.csv", "csv:pictures/train.csv"));
  // Predictions of other programs lie where they lie.
  EXPECT_FALSE(sameSource("photos/a.csv", "photos/b.csv"));
  EXPECT_TRUE(sameSource("photos/a.npy,photos/a_labels.npy", "photos/../photos/a.npy"));
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
  const auto refused = checkSharedItems({1, 0, 500}, "calibration", "cal", "test", false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "1 of the 500 items of test are also in cal, the calibration set; use separate "
            "calibration items");
  EXPECT_THAT(
      refused.error().remedy.settings,
      testing::ElementsAre(setting("allow_same_split",
                                   "to allow the same items, which is written into the result")));
  const auto allowed = checkSharedItems({1, 0, 500}, "calibration", "cal", "test", true);
  ASSERT_TRUE(allowed);
  ASSERT_EQ(allowed->size(), 1U);
  EXPECT_THAT(allowed->front(), HasSubstr("over-optimistic"));
  // Some data sets hold a few pictures twice.
  const auto twice = checkSharedItems({0, 5, 500}, "training", "fit", "test", false);
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->size(), 1U);
  EXPECT_FALSE(checkSharedItems({0, 6, 500}, "training", "fit", "test", false));
  EXPECT_TRUE(checkSharedItems({0, 0, 500}, "training", "fit", "test", false)->empty());
}

TEST(SharedItems, CanBeCancelled) {
  RunContext context;
  context.control()->requestCancel();
  const DatasetPtr blobs = open("synthetic:blobs?n=40&seed=1");
  const std::array sets{blobs};
  const auto shared = sharedItems(*blobs, sets, {}, 7, context);
  ASSERT_FALSE(shared);
  EXPECT_EQ(shared.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace dubito
