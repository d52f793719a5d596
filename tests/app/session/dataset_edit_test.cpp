// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/dataset_edit.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/data/sources/dataset_spec.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

std::string digits() {
  return "idx:" + (test::sourceDir() / "datasets/samples/mnist-2000-images-idx3-ubyte.gz").string();
}

DatasetPtr open(const std::string& specification) {
  RunContext context;
  const auto dataset = openDataset(specification, context);
  if (!dataset) {
    throw std::runtime_error(dataset.error().message);
  }
  return *dataset;
}

TEST(DatasetEdit, AnUnchangedEditOpensTheSame) {
  for (const std::string& text :
       {digits() + "?items=0:50&role=calibration", digits() + "?items=::-2&classes=3,",
        std::string("synthetic:glyphs?characters=10&n=30&seed=4"),
        std::string("synthetic:blobs?n=12&role=ood&corrupt=noise:3")}) {
    const DatasetPtr dataset = open(text);
    const auto edit = DatasetEdit::of(*dataset, "mine");
    ASSERT_OK(edit);
    EXPECT_EQ(edit->name, "mine");
    const auto specification = edit->specification();
    ASSERT_OK(specification);
    const DatasetPtr again = open(*specification);
    EXPECT_TRUE(std::ranges::equal(again->ids(), dataset->ids())) << text;
    EXPECT_TRUE(std::ranges::equal(again->labels(), dataset->labels())) << text;
    EXPECT_EQ(again->info().role, dataset->info().role) << text;
    EXPECT_EQ(parseDatasetSpec(*specification)->corruption, parseDatasetSpec(text)->corruption);
  }
}

TEST(DatasetEdit, ChangesRoleItemsAndClasses) {
  auto edit = *DatasetEdit::of(*open(digits()), "digits");
  edit.role = "calibration";
  edit.items = "100:300";
  edit.classes = "1, 7";
  const DatasetPtr dataset = open(*edit.specification());
  EXPECT_EQ(dataset->info().role, Role::kCalibration);
  EXPECT_TRUE(std::ranges::all_of(dataset->labels(), [](auto k) { return k == 1 || k == 7; }));
  EXPECT_TRUE(std::ranges::all_of(dataset->ids(), [](auto id) { return id >= 100 && id < 300; }));
  edit.classes = "7";
  EXPECT_TRUE(
      std::ranges::all_of(open(*edit.specification())->labels(), [](auto k) { return k == 7; }));
}

TEST(DatasetEdit, NamesOfClassesKeepTheirSpaces) {
  auto edit = *DatasetEdit::of(*open(digits()), "digits");
  edit.classes = " traffic light ,cat,  grey  wolf";
  const auto specification = edit.specification();
  ASSERT_OK(specification);
  EXPECT_EQ(parseDatasetSpec(*specification)->classes,
            (std::vector<std::string>{"traffic light", "cat", "grey  wolf"}));
}

TEST(DatasetEdit, NamesWhatIsWrong) {
  auto edit = *DatasetEdit::of(*open(digits()), "digits");
  edit.items = "all of them";
  const auto refused = edit.specification();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("items"));
}

TEST(DatasetEdit, OffersTheOptionsOfItsKind) {
  const auto names = [](const std::string& specification) {
    auto edit = *DatasetEdit::of(*open(specification), "x");
    std::vector<std::string> result;
    for (const Field& field : edit.fields()) {
      result.push_back(field.info.name);
    }
    return result;
  };
  EXPECT_EQ(names(digits()),
            (std::vector<std::string>{"name", "role", "items", "classes", "labels_file"}));
  EXPECT_EQ(names("synthetic:moons?n=20"),
            (std::vector<std::string>{"name", "role", "items", "classes", "n", "noise", "seed"}));
}

}  // namespace
}  // namespace dubito
