// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "core/data/images/preprocessing.h"
#include "core/data/items/dataset.h"
#include "core/data/sources/folder_scan.h"
#include "tests/core/data/image_files.h"
#include "tests/core/data/items.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::encoded;
using test::plain;
using test::writeBelow;

/// A folder with a manifest and images a.png (red 1), b.png (red 2), sub/c.png (red 3).
class CsvDataset : public testing::Test {
 protected:
  void SetUp() override {
    writeBelow(dir_, "a.png", encoded(".png", plain(2, 2, 1, 0, 0)));
    writeBelow(dir_, "b.png", encoded(".png", plain(2, 2, 2, 0, 0)));
    writeBelow(dir_, "sub/c.png", encoded(".png", plain(2, 2, 3, 0, 0)));
  }

  Expected<DatasetPtr> open(const std::string& table, const std::string& options = {}) const {
    RunContext context;
    test::writeBytes(dir_.file("list.csv"), table);
    return openDataset("csv:" + dir_.file("list.csv") + options, context);
  }
  void expectError(const std::string& table, const std::string& words) const {
    const auto dataset = open(table);
    ASSERT_FALSE(dataset) << table;
    EXPECT_EQ(dataset.error().code, ErrorCode::kMalformed);
    EXPECT_THAT(dataset.error().message, HasSubstr(dir_.file("list.csv")));
    EXPECT_THAT(dataset.error().message, HasSubstr(words));
  }

  test::TempDir dir_;
};

std::vector<std::int64_t> labelsOf(const Dataset& dataset) {
  return {dataset.labels().begin(), dataset.labels().end()};
}

std::vector<std::string> textsOf(const Attribute& attribute) {
  std::vector<std::string> texts;
  for (std::int64_t i = 0; i < attribute.size(); ++i) {
    texts.push_back(attribute.text(i));
  }
  return texts;
}

int redOf(const Dataset& dataset, std::int64_t index) {
  const auto sample = dataset.read(index);
  return sample ? std::get<Image8>(*sample).pixels.values()[0] : -1;
}

TEST_F(CsvDataset, ReadsPathsLabelsAndEveryFurtherColumn) {
  const auto dataset = open(
      "path,label,camera,temperature\n"
      "sub/c.png,dog,north gate,-2.5\n"
      "./a.png,cat,\"south, yard\",\n"
      "b.png,dog,north gate,31\n");
  ASSERT_OK(dataset);
  ASSERT_EQ((*dataset)->size(), 3);
  EXPECT_EQ((*dataset)->info().class_names, (std::vector<std::string>{"cat", "dog"}));
  EXPECT_EQ(labelsOf(**dataset), (std::vector<std::int64_t>{1, 0, 1}));
  EXPECT_EQ((*dataset)->itemName(0), "sub/c.png");
  EXPECT_EQ((*dataset)->itemName(1), "a.png");
  EXPECT_EQ((*dataset)->ids()[0], pathId("sub/c.png"));
  EXPECT_EQ((*dataset)->ids()[1], pathId("a.png")) << "as a folder would number it";
  EXPECT_EQ(redOf(**dataset, 0), 3);
  EXPECT_EQ(redOf(**dataset, 2), 2);
  EXPECT_TRUE((*dataset)->info().notes.empty()) << (*dataset)->info().notes[0];
  EXPECT_EQ((*dataset)->info().name, "list");

  const std::span<const Attribute> attributes = (*dataset)->attributes();
  ASSERT_EQ(attributes.size(), 2U);
  EXPECT_EQ(attributes[0].name, "camera");
  EXPECT_EQ(textsOf(attributes[0]),
            (std::vector<std::string>{"north gate", "south, yard", "north gate"}));
  ASSERT_NE(attributes[1].numbers(), nullptr);
  EXPECT_EQ((*attributes[1].numbers())[0], -2.5);
  EXPECT_TRUE(std::isnan((*attributes[1].numbers())[1]));
}

TEST_F(CsvDataset, FiltersKeepAttributesWithTheirItems) {
  const auto dataset =
      open("path,label,site\na.png,0,x\nb.png,1,y\nsub/c.png,1,z\n", "?classes=1,&items=::-1");
  ASSERT_OK(dataset);
  EXPECT_EQ((*dataset)->itemName(0), "sub/c.png");
  ASSERT_EQ((*dataset)->attributes().size(), 1U);
  EXPECT_EQ(textsOf((*dataset)->attributes()[0]), (std::vector<std::string>{"z", "y"}));
}

TEST_F(CsvDataset, LabelsAreNumbersWhereAllAreAndMayBeUnknown) {
  const auto numbers = open("path,label\na.png,7\nb.png,\nsub/c.png,3.0\n");
  ASSERT_OK(numbers);
  EXPECT_EQ(labelsOf(**numbers), (std::vector<std::int64_t>{7, -1, 3}));
  EXPECT_TRUE((*numbers)->info().class_names.empty());
  EXPECT_EQ((*numbers)->info().notes, (std::vector<std::string>{"1 of 3 items have no label"}));
  const auto mixed = open("path,label\na.png,7\nb.png,seven\n");
  EXPECT_EQ((*mixed)->info().class_names, (std::vector<std::string>{"7", "seven"}));
  const auto none = open("path\na.png\n");
  ASSERT_OK(none);
  EXPECT_EQ(labelsOf(**none), (std::vector<std::int64_t>{-1}));
  EXPECT_EQ((*none)->info().notes.size(), 1U);
}

TEST_F(CsvDataset, OtherNamesOfTheColumnsAreSaid) {
  const auto dataset = open("site;Class;file_name\nx;cat;a.png\n");
  ASSERT_OK(dataset);
  EXPECT_EQ((*dataset)->itemName(0), "a.png");
  EXPECT_EQ((*dataset)->info().class_names, (std::vector<std::string>{"cat"}));
  EXPECT_EQ((*dataset)->info().notes,
            (std::vector<std::string>{"paths were read from the column 'file_name'",
                                      "labels were read from the column 'Class'"}));
  EXPECT_EQ((*dataset)->attributes()[0].name, "site");
}

TEST_F(CsvDataset, APlainPathIsEnough) {
  test::writeBytes(dir_.file("list.csv"), "path,label\nb.png,1\n");
  RunContext context;
  const auto dataset = openDataset(dir_.file("list.csv") + "?role=calibration", context);
  ASSERT_OK(dataset);
  EXPECT_EQ(redOf(**dataset, 0), 2);
  EXPECT_EQ((*dataset)->info().spec, "csv:" + dir_.file("list.csv") + "?role=calibration");
}

TEST_F(CsvDataset, MissingImagesAreCountedAndListedAmongTheUnreadable) {
  const auto dataset = open("path,label\na.png,0\ngone.png,1\nsub/c.png,1\nlost.png,0\n");
  ASSERT_OK(dataset);
  EXPECT_EQ((*dataset)->info().notes,
            (std::vector<std::string>{
                "2 of 4 images are missing and will be skipped: gone.png, lost.png"}));
  const auto batch = loadBatch(**dataset, test::range(4), Preprocessing(), RunContext());
  ASSERT_OK(batch);
  EXPECT_EQ(batch->indices, (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(batch->unreadable, (std::vector<std::int64_t>{1, 3}));
  EXPECT_THAT(batch->unreadable_reasons[0], HasSubstr("gone.png"));
  const auto nowhere = open("path\nx.png\ny.png\n");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(nowhere.error().message, HasSubstr("none of its 2 images exists"));
}

TEST_F(CsvDataset, MistakesNameTheLine) {
  expectError("", "is empty");
  expectError("path,label\n", "no rows");
  expectError("name,label\na.png,1\n", "no column of paths (it has 'name,label')");
  expectError("path,label\na.png,1\nb.png\n", "line 3 has 1 values, but the header has 2 names");
  expectError("path,label\na.png,1\nb.png,1,2\n", "line 3 has 3 values");
  expectError("path,label\na.png,1\n\nb.png,1\n./a.png,2\n",
              "line 5 repeats 'a.png', which is already in line 2");
  expectError("path,label\na.png,1\n,1\n", "line 3 has no image path");
  expectError("path,label\na.png,1\nb.png,-2\n", "line 3 has the label '-2'");
  expectError("path,label\na.png,1\nb.png,1e300\n", "line 3 has the label '1e300'");
  expectError("path,x,x\na.png,1,2\n", "two columns named 'x'");
  expectError("path,label\na.png,\"1\n", "never closed");
  expectError(std::string("path,label\na\0.png,1\n", 19), "NUL");
}

TEST_F(CsvDataset, CancelsInside) {
  test::writeBytes(dir_.file("list.csv"), "path\na.png\n");
  RunContext context;
  context.control()->requestCancel();
  const auto dataset = openDataset("csv:" + dir_.file("list.csv"), context);
  ASSERT_FALSE(dataset);
  EXPECT_EQ(dataset.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace dubito
