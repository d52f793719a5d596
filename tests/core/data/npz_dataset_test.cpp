// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "core/data/items/dataset.h"
#include "core/data/sources/dataset_view.h"
#include "core/io/npz_writer.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using Entries = std::vector<std::pair<std::string, AnyArray>>;

template <class T>
Array<T> counting(std::vector<std::int64_t> shape) {
  auto array = Array<T>::zeros(std::move(shape));
  for (std::int64_t i = 0; i < array.size(); ++i) {
    array.mutableData()[i] = static_cast<T>(i);
  }
  return array;
}

Expected<DatasetPtr> openEntries(const Entries& entries, RunContext context = {},
                                 const std::string& options = {}) {
  const test::TempDir dir;
  auto writer = NpzWriter::create(dir.file("my set.npz"));
  for (const auto& [name, array] : entries) {
    EXPECT_TRUE(writer->add(name, array));
  }
  EXPECT_TRUE(writer->commit());
  return openDataset("npz:" + dir.file("my set.npz") + options, context);
}

std::vector<float> readReals(const Dataset& dataset, std::int64_t index,
                             std::vector<std::int64_t> shape) {
  const auto sample = dataset.read(index);
  EXPECT_TRUE(sample);
  const auto& array = std::get<Array<float>>(*sample);
  EXPECT_EQ(array.shape(), shape);
  return {array.values().begin(), array.values().end()};
}

std::vector<int> readBytes(const Dataset& dataset, std::int64_t index,
                           std::vector<std::int64_t> shape) {
  const auto sample = dataset.read(index);
  EXPECT_TRUE(sample);
  const auto& pixels = std::get<Image8>(*sample).pixels;
  EXPECT_EQ(pixels.shape(), shape);
  return {pixels.values().begin(), pixels.values().end()};
}

void expectError(const Entries& entries, ErrorCode code, const std::string& words) {
  const auto dataset = openEntries(entries);
  ASSERT_FALSE(dataset) << words;
  EXPECT_EQ(dataset.error().code, code) << dataset.error().message;
  EXPECT_THAT(dataset.error().message, HasSubstr("my set.npz"));
  EXPECT_THAT(dataset.error().message, HasSubstr(words));
}

TEST(NpzDataset, GreyImagesWithLabels) {
  const auto dataset = openEntries(
      {{"x", counting<std::uint8_t>({2, 1, 2})}, {"y", Array<std::int32_t>::fromVector({3, -1})}});
  ASSERT_OK(dataset);
  EXPECT_EQ((*dataset)->info().name, "my set");
  EXPECT_EQ((*dataset)->labels()[0], 3);
  EXPECT_EQ((*dataset)->labels()[1], -1);
  EXPECT_TRUE((*dataset)->info().notes.empty());
  EXPECT_EQ(readBytes(**dataset, 1, {1, 2, 1}), (std::vector<int>{2, 3}));
}

TEST(NpzDataset, LabelsInOtherForms) {
  const AnyArray images = counting<std::uint8_t>({3, 1, 2});
  const auto labelsOf = [&images](const AnyArray& labels) {
    const auto dataset = openEntries({{"x", images}, {"y", labels}});
    EXPECT_OK(dataset);
    return dataset
               ? std::vector<std::int64_t>((*dataset)->labels().begin(), (*dataset)->labels().end())
               : std::vector<std::int64_t>();
  };
  EXPECT_EQ(labelsOf(Array<float>::fromVector({3, 3}, {0, 0, 1, 1, 0, 0, 0, 1, 0})),
            (std::vector<std::int64_t>{2, 0, 1}));
  EXPECT_EQ(labelsOf(Array<double>::fromVector({2.0, NAN, 0.0})),
            (std::vector<std::int64_t>{2, -1, 0}));
  const auto signs = openEntries({{"x", images}, {"y", Array<int>::fromVector({-1, 1, -1})}});
  ASSERT_OK(signs);
  ASSERT_EQ((*signs)->info().notes.size(), 1U);
  EXPECT_THAT((*signs)->info().notes[0], HasSubstr("all labels are -1 or 1"));
}

TEST(NpzDataset, ChannelsLastAndFirstGiveTheSameImages) {
  const auto last = openEntries({{"images", counting<std::uint8_t>({2, 2, 2, 3})}});
  ASSERT_OK(last);
  EXPECT_EQ(readBytes(**last, 1, {2, 2, 3}),
            (std::vector<int>{12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}));
  const auto first = openEntries({{"images", counting<std::uint8_t>({2, 3, 2, 2})}});
  ASSERT_OK(first);
  EXPECT_EQ(readBytes(**first, 1, {2, 2, 3}),
            (std::vector<int>{12, 16, 20, 13, 17, 21, 14, 18, 22, 15, 19, 23}));
  const auto reals = openEntries({{"images", counting<double>({2, 1, 2, 2})}});
  ASSERT_OK(reals);
  EXPECT_EQ(readReals(**reals, 1, {2, 2, 1}), (std::vector<float>{4, 5, 6, 7}));
}

TEST(NpzDataset, VectorsAndOtherNumbersAreReal) {
  const auto bytes = openEntries({{"X", counting<std::uint8_t>({3, 2})}});
  ASSERT_OK(bytes);
  EXPECT_EQ(readReals(**bytes, 2, {2}), (std::vector<float>{4, 5}));
  const auto integers = openEntries({{"data", counting<std::int64_t>({2, 2, 1})},
                                     {"targets", Array<std::int64_t>::zeros({2, 1})}});
  ASSERT_OK(integers);
  EXPECT_EQ(readReals(**integers, 1, {2, 1, 1}), (std::vector<float>{2, 3}));
  EXPECT_EQ((*integers)->labels()[1], 0);
  ASSERT_EQ((*integers)->info().notes.size(), 1U);
  EXPECT_THAT((*integers)->info().notes[0], HasSubstr("int64"));
}

TEST(NpzDataset, WhatCannotBeMeantIsRefused) {
  const AnyArray images = counting<std::uint8_t>({3, 2, 2});
  expectError({{"pixels", images}}, ErrorCode::kNotFound, "('pixels')");
  expectError({{"x", counting<float>({6})}}, ErrorCode::kUnsupported, "(6,)");
  expectError({{"x", counting<float>({1, 1, 1, 1, 1})}}, ErrorCode::kUnsupported, "1, 1, 1");
  expectError({{"x", counting<float>({2, 3, 5, 3})}}, ErrorCode::kUnsupported, "more than one");
  expectError({{"x", counting<float>({2, 4, 5, 6})}}, ErrorCode::kUnsupported, "no axis");
  expectError({{"x", counting<float>({0, 4})}}, ErrorCode::kMalformed, "no item");
  expectError({{"x", images}, {"y", counting<std::int64_t>({2})}}, ErrorCode::kMalformed,
              "there are 3 items");
  expectError({{"x", images}, {"y", counting<std::int64_t>({3, 10})}}, ErrorCode::kMalformed,
              "not one-hot");
  expectError({{"x", images}, {"y", Array<float>::fromVector({0, 1, 0.5F})}}, ErrorCode::kMalformed,
              "element 2");
  expectError({{"x", images}, {"y", Array<std::int64_t>::fromVector({0, -2, 1})}},
              ErrorCode::kMalformed, "label 1 is -2");
  RunContext small;
  small.memory_budget_bytes = 11;
  const auto refused = openEntries({{"x", images}}, small);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kOutOfMemory);
}

TEST(NpzDataset, CountsItsOwnBytesAgainstTheBudget) {
  RunContext context;
  context.memory_budget_bytes = 3'000'000;
  EXPECT_TRUE(openEntries({{"x", Array<std::uint8_t>::zeros({2, 1000, 1000})}}, context));
  const auto refused = openEntries({{"x", Array<double>::zeros({2, 1000, 1000})}}, context);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kOutOfMemory);
  EXPECT_THAT(
      refused.error().message,
      HasSubstr("takes 8 MB as real numbers, more than the 3 MB allowed; allow more memory"));
  EXPECT_THAT(refused.error().remedy.settings, testing::ElementsAre(setting("memory")));
}

TEST(NpzDataset, TheRoleOrAnOptionChoosesTheSplit) {
  const Entries keras{{"x_train", counting<std::uint8_t>({3, 1, 2})},
                      {"y_train", Array<std::uint8_t>::fromVector({4, 5, 6})},
                      {"x_test", counting<std::uint8_t>({2, 1, 2})},
                      {"y_test", Array<std::uint8_t>::fromVector({7, 8})}};
  for (const auto& [options, size, label, role] :
       std::vector<std::tuple<std::string, std::int64_t, std::int64_t, Role>>{
           {"", 2, 7, Role::kTest},
           {"?role=test", 2, 7, Role::kTest},
           {"?role=ood", 2, -1, Role::kOod},
           {"?role=train", 3, 4, Role::kTrain},
           {"?role=calibration", 3, 4, Role::kCalibration},
           {"?split=train", 3, 4, Role::kTrain},
           {"?split=train&role=test", 3, 4, Role::kTest},
           {"?split=test&role=train", 2, 7, Role::kTrain}}) {
    const auto dataset = openEntries(keras, {}, options);
    ASSERT_TRUE(dataset) << options << dataset.error().message;
    EXPECT_EQ((*dataset)->size(), size) << options;
    EXPECT_EQ((*dataset)->labels()[0], label) << options;
    EXPECT_EQ((*dataset)->info().role, role) << options;
    ASSERT_EQ((*dataset)->info().notes.size(), 1U);
    const std::string& note = (*dataset)->info().notes[0];
    EXPECT_THAT(note, HasSubstr(size == 2 ? "x_test was opened; the split train has other items"
                                          : "x_train was opened; the split test has other items"));
  }
  const auto medical = openEntries({{"train_images", counting<std::uint8_t>({3, 1, 2})},
                                    {"train_labels", counting<std::uint8_t>({3, 1})},
                                    {"val_images", counting<std::uint8_t>({2, 1, 2})},
                                    {"val_labels", counting<std::uint8_t>({2, 1})}},
                                   {}, "?split=val");
  ASSERT_OK(medical);
  EXPECT_EQ((*medical)->size(), 2);
  EXPECT_EQ((*medical)->labels()[1], 1);
}

TEST(NpzDataset, SplitsThatAreNotThereAreNamed) {
  const Entries test_only{{"x_test", counting<std::uint8_t>({2, 1, 2})}};
  for (const auto& [options, words] : std::vector<std::pair<std::string, std::string>>{
           {"?split=exam", "split=exam is not known; use one of train, val, test"},
           {"?split=train", "belongs to the split 'train'"},
           {"?role=train", "contains only test items"}}) {
    const auto dataset = openEntries(test_only, {}, options);
    ASSERT_FALSE(dataset) << options;
    EXPECT_THAT(dataset.error().message, HasSubstr(words));
  }
  EXPECT_THAT(openEntries(test_only, {}, "?role=train").error().remedy.settings,
              testing::ElementsAre(datasetSetting("split", "test")));
  EXPECT_TRUE(openEntries(test_only));
}

TEST(NpzDataset, AFileOfPredictionsIsNoDataset) {
  DUBITO_NEEDS_SHARED();
  RunContext context;
  const auto path = *test::sharedDir() / "datasets/predictions/lenet-5-cifar-10.npz";
  const auto dataset = openDataset(path.string(), context);
  ASSERT_FALSE(dataset);
  EXPECT_THAT(dataset.error().message, HasSubstr("predictions"));
}

TEST(NpzDataset, AnotherRoleKeepsTheItemsOfItsSplit) {
  const test::TempDir dir;
  auto writer = NpzWriter::create(dir.file("set.npz"));
  for (const auto& [name, items] : {std::pair{"x_train", 3}, std::pair{"x_test", 2}}) {
    ASSERT_TRUE(writer->add(name, counting<std::uint8_t>({items, 2, 2})));
  }
  ASSERT_TRUE(writer->commit());
  RunContext context;
  const auto train = openDataset("npz:" + dir.file("set.npz") + "?role=train", context);
  ASSERT_OK(train);
  const DatasetPtr ood = withRole(*train, Role::kOod);
  const auto again = openDataset(ood->info().spec, context);
  ASSERT_OK(again);
  EXPECT_EQ((*again)->size(), 3) << ood->info().spec;
  EXPECT_EQ((*again)->info().role, Role::kOod);
}

}  // namespace
}  // namespace dubito
