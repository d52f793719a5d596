// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/dataset_kinds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "core/data/sources/dataset_files.h"
#include "tests/core/data/ramp_kind.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

std::string messageOf(const std::string& specification) {
  RunContext context;
  const auto dataset = openDataset(specification, context);
  return dataset ? std::string() : dataset.error().message;
}

class RampCalled : public test::RampKind {
 public:
  RampCalled(std::string scheme, std::string option)
      : scheme_(std::move(scheme)), option_(std::move(option)) {}
  [[nodiscard]] std::string scheme() const override { return scheme_; }
  [[nodiscard]] std::vector<DatasetOption> options() const override {
    return {{{.name = option_, .label = "Option", .help = "none"}}};
  }

 private:
  std::string scheme_;
  std::string option_;
};

void add(const std::string& scheme, const std::string& option) {
  addDatasetKind(std::make_shared<const RampCalled>(scheme, option));
}

/// A kind that no list of the program knows.
class DatasetKinds : public testing::Test {
 protected:
  void SetUp() override {
    test::addRampKind();
    test::writeBytes(path_, test::kRampBytes);
  }

  test::TempDir dir_;
  std::string path_ = dir_.file("five.ramp");
};

TEST_F(DatasetKinds, EachIsFoundByItsSchemeAndDescribesItself) {
  std::set<std::string> schemes;
  for (const auto& kind : allDatasetKinds()) {
    const std::string scheme = kind->scheme();
    EXPECT_TRUE(schemes.insert(scheme).second) << scheme;
    EXPECT_EQ(findDatasetKind(scheme), kind.get());
    EXPECT_FALSE(kind->label().empty()) << scheme;
    ASSERT_FALSE(kind->examples().empty()) << scheme;
    for (const DatasetExample& example : kind->examples()) {
      const auto spec = parseDatasetSpec(example.specification);
      ASSERT_OK(spec);
      EXPECT_EQ(spec->scheme, scheme);
    }
    for (const DatasetOption& option : kind->options()) {
      EXPECT_FALSE(option.info.label.empty() || option.info.help.empty()) << option.info.name;
    }
  }
  EXPECT_EQ(findDatasetKind("parquet"), nullptr);
  EXPECT_EQ(findDatasetKind(""), nullptr);
}

TEST_F(DatasetKinds, OneThatWasAddedIsOpenedByItsSchemeAndByItsFirstBytes) {
  RunContext context;
  for (const std::string& text : {"ramp:" + path_ + "?count=5&items=1:", path_ + "?items=1:"}) {
    const auto dataset = openDataset(text, context);
    ASSERT_OK(dataset);
    EXPECT_EQ((*dataset)->ids().front(), 1);
    EXPECT_EQ((*dataset)->info().name, "five");
  }
  EXPECT_EQ((*openDataset("ramp:" + path_ + "?count=5", context))->size(), 5);
}

TEST_F(DatasetKinds, ItsFilesAreThoseOfAWorkspace) {
  EXPECT_EQ(*datasetFiles("ramp:" + path_ + "?count=5"), std::vector{path_});
  EXPECT_EQ(*withDatasetFiles("ramp:" + path_ + "?count=5", {"/b"}), "ramp:/b?count=5");
  EXPECT_FALSE(withDatasetFiles("ramp:" + path_, {}));
  EXPECT_EQ(sourceParts("ramp:" + path_).front().key, canonicalPath(path_));
}

TEST_F(DatasetKinds, MessagesListAllOfThem) {
  test::writeBytes(dir_.file("notes.txt"), "hello");
  for (const auto& [text, words] : std::vector<std::pair<std::string, std::string>>{
           {"parquet:a",
            "use one of idx, cifar10, folder, npz, csv, labels, annotations, synthetic, ramp, or a "
            "path"},
           {"",
            "cifar10:FILE[,FILE...], folder:DIR, npz:FILE, csv:FILE, labels:STORE, "
            "annotations:LABELS[,IMAGES], synthetic:NAME, ramp:FILE"},
           {dir_.file("notes.txt"),
            "notes.txt: not recognised as a dataset (IDX files, CIFAR-10 "
            "batches, image folders, NPZ files, CSV lists of images, label stores, "
            "labels of other programs, Ramps); choose one of these"},
           {"ramp:a?n=5",
            "unknown option 'n'; use one of items, classes, role, corrupt, name, "
            "part, count"}}) {
    EXPECT_THAT(messageOf(text), HasSubstr(words));
  }
}

TEST_F(DatasetKinds, WhatWouldNotBeFoundIsNotAdded) {
  const std::size_t count = allDatasetKinds().size();
  EXPECT_THROW(addDatasetKind(nullptr), std::invalid_argument);
  for (const char* const scheme : {"", "idx", "ramp", "Ramp", "ra:mp", "10", "ra10mp"}) {
    EXPECT_THROW(add(scheme, "count"), std::invalid_argument) << scheme;
  }
  for (const char* const option : {"", "items", "name", "Count", "n2"}) {
    EXPECT_THROW(add("slope", option), std::invalid_argument) << option;
  }
  EXPECT_EQ(allDatasetKinds().size(), count);
}

}  // namespace
}  // namespace dubito
