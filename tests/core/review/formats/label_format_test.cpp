// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/label_format.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(LabelFormats, AreListedAndFoundByTheirKeys) {
  std::vector<std::string> keys;
  for (const LabelFormat* const format : allLabelFormats()) {
    keys.emplace_back(format->key);
    EXPECT_EQ(findLabelFormat(format->key), format);
    EXPECT_NE(std::string(format->summary), "");
  }
  EXPECT_EQ(keys, test::formatKeys());
  EXPECT_EQ(findLabelFormat("docx"), nullptr);
}

TEST(LabelFormats, CanBeAdded) {
  LabelFormat format = test::labelFormat("csv");
  EXPECT_THROW(addLabelFormat(format), std::invalid_argument);
  format.key = "added";
  format.write = nullptr;
  EXPECT_THROW(addLabelFormat(format), std::invalid_argument);
  const LabelFormat* const before = findLabelFormat("csv");
  format.write = before->write;
  addLabelFormat(format);
  EXPECT_EQ(allLabelFormats().back(), findLabelFormat("added"));
  EXPECT_EQ(findLabelFormat("csv"), before);
}

TEST(LabelFormats, CountWhatIsLostOfATable) {
  const LabelTable table = test::exampleLabels();
  EXPECT_THAT(lossesOf(test::labelFormat("jsonl"), table), IsEmpty());
  EXPECT_THAT(test::texts(lossesOf(test::labelFormat("csv"), table)),
              ElementsAre("probability vectors, not kept by CSV: 1",
                          "classes without labels, not kept by CSV: 1",
                          "colours, keys and merges of classes, not kept by CSV: 2",
                          "earlier decisions, not kept by CSV: 1",
                          "time spent, queues, runs and hashes, not kept by CSV: 1"));
  EXPECT_THAT(test::texts(lossesOf(test::labelFormat("labelme"), table)),
              ElementsAre("decisions without a class, not kept by labelme: 1",
                          "actions, not kept by labelme: 5", "annotators, not kept by labelme: 3",
                          "times, not kept by labelme: 3", "origins, not kept by labelme: 5",
                          "previous labels, not kept by labelme: 2",
                          "probabilities, not kept by labelme: 2",
                          "probability vectors, not kept by labelme: 1",
                          "colours, keys and merges of classes, not kept by labelme: 2",
                          "earlier decisions, not kept by labelme: 1",
                          "time spent, queues, runs and hashes, not kept by labelme: 1"));
  EXPECT_THAT(lossesOf(test::labelFormat("labelme"), LabelTable()), IsEmpty());
}

TEST(LabelFormats, CheckTheOptions) {
  const test::TempDir dir;
  RunContext context;
  const auto result = exportLabels(test::labelFormat("csv"), test::exampleLabels(),
                                   dir.file("a.csv"), {.link = "teleport"}, context);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("symbolic-link"));
  EXPECT_THAT(test::everythingIn(dir.path()), IsEmpty());
}

/// What a format can keep comes back from a file that it wrote.
class RoundTrip : public testing::TestWithParam<std::string> {};

TEST_P(RoundTrip, LosesNothingThatTheFormatKeeps) {
  const test::TempDir dir;
  const LabelFormat& format = test::labelFormat(GetParam());
  const LabelTable table = test::exampleLabels();
  test::writeExampleImages(dir, table);
  LabelExportOptions options;
  options.images = dir.file("images");
  const std::string path = dir.file("labels") + format.ending;
  const LabelExport written = test::writeLabels(GetParam(), table, path, options);
  EXPECT_GE(written.labels, 4);
  const LabelImport read = test::readLabels(GetParam(), path);

  std::vector<std::string> expected;
  std::vector<std::string> found;
  for (const std::size_t i : presentRows(table)) {
    const LabelRow& row = table.rows[i];
    if (row.class_id || format.keeps.contains(LabelPart::kWithoutClass)) {
      expected.push_back(test::keptText(row, table, format.keeps));
    }
  }
  for (const std::size_t i : presentRows(read.table)) {
    found.push_back(test::keptText(read.table.rows[i], read.table, format.keeps));
  }
  EXPECT_THAT(found, testing::UnorderedElementsAreArray(expected));

  if (format.keeps.contains(LabelPart::kUnusedClasses)) {
    std::vector<std::string> names;
    for (const LabelClass& each : read.table.classes) {
      if (!each.merged_into) {
        names.push_back(each.name);
      }
    }
    EXPECT_THAT(names, testing::UnorderedElementsAre("cat", "dog, \"big\"", "bird", "../a/b"));
  }
  EXPECT_THAT(test::everythingIn(dir.path()), Not(testing::Contains(HasSubstr(".tmp"))));
}

TEST_P(RoundTrip, OfAnEmptyTableWritesAFileWithoutLabels) {
  const test::TempDir dir;
  const LabelFormat& format = test::labelFormat(GetParam());
  const std::string path = dir.file("labels") + format.ending;
  EXPECT_EQ(test::writeLabels(GetParam(), {}, path).labels, 0);
  RunContext context;
  const auto read = importLabels(format, path, {}, context);
  if (GetParam() == "jsonl") {
    ASSERT_OK(read);
    EXPECT_THAT(read->table.rows, IsEmpty());
    return;
  }
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kMalformed);
  EXPECT_THAT(read.error().message, HasSubstr(path));
  EXPECT_THAT(read.error().message, HasSubstr("contains no label"));
}

TEST_P(RoundTrip, CanBeCancelled) {
  const test::TempDir dir;
  const LabelFormat& format = test::labelFormat(GetParam());
  LabelTable table;
  table.classes = {{.id = 0, .name = "cat"}};
  for (int i = 0; i < 5000; ++i) {
    LabelRow row;
    row.path = "image " + std::to_string(i) + ".png";
    row.class_id = 0;
    table.rows.push_back(row);
  }
  test::writeBytes(dir.file("image 0.png"), "image");
  const std::vector<std::string> before = test::everythingIn(dir.path());
  RunContext context;
  context.control()->requestCancel();
  LabelExportOptions options;
  options.images = dir.path().string();
  const std::string path = dir.file("labels") + format.ending;
  const auto written = exportLabels(format, table, path, options, context);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(test::everythingIn(dir.path()), before);
}

TEST_P(RoundTrip, ReportsAMissingFile) {
  const test::TempDir dir;
  const std::string path = dir.file("none");
  const std::string message = test::readError(GetParam(), path, ErrorCode::kNotFound);
  EXPECT_THAT(message, HasSubstr("none"));
}

INSTANTIATE_TEST_SUITE_P(LabelFormats, RoundTrip, testing::ValuesIn(test::formatKeys()),
                         test::formatTestName);

}  // namespace
}  // namespace dubito
