// SPDX-License-Identifier: GPL-3.0-or-later
// Exported CSV files are datasets.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/data/sources/csv_dataset.h"
#include "core/data/sources/dataset_source.h"
#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

TEST(CsvDatasetOfLabels, HasTheExportedLabelsAndColumns) {
  const test::TempDir dir;
  LabelTable table = test::exampleLabels();
  test::writeExampleImages(dir, table);
  (void)test::writeLabels("csv", table, dir.file("images/labels.csv"));
  RunContext context;
  const auto dataset = openDataset("csv:" + dir.file("images/labels.csv"), context);
  ASSERT_OK(dataset);
  const std::vector<std::size_t> rows = presentRows(table);
  ASSERT_EQ((*dataset)->size(), static_cast<std::int64_t>(rows.size()));
  const ClassNames names(table.classes);
  const std::vector<std::string>& classes = (*dataset)->info().class_names;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const LabelRow& row = table.rows[rows[i]];
    EXPECT_EQ((*dataset)->itemName(static_cast<std::int64_t>(i)), row.path);
    const std::int64_t label = (*dataset)->labels()[i];
    EXPECT_EQ(label < 0 ? "" : classes.at(static_cast<std::size_t>(label)),
              names.text(row.class_id));
  }
  std::vector<std::string> columns;
  for (const Attribute& attribute : (*dataset)->attributes()) {
    columns.push_back(attribute.name);
  }
  EXPECT_THAT(columns,
              testing::ElementsAre("id", "class_number", "action", "annotator", "time", "origin",
                                   "previous_label", "previous_origin", "probability"));
  EXPECT_EQ((*dataset)->attributes()[2].text(0), "accept");
  EXPECT_EQ((*dataset)->attributes()[8].text(0), "0.625");
}

TEST(CsvDatasetOfLabels, IsNotTakenForPredictions) {
  const test::TempDir dir;
  LabelTable table;
  table.classes = {{.id = 0, .name = "0"}, {.id = 1, .name = "1"}};
  LabelRow row;
  row.item = 0;
  row.path = "a.png";
  row.class_id = 1;
  row.previous_class = 0;
  row.annotator = "0";
  row.probability = 1.0F;
  table.rows.push_back(row);
  (void)test::writeLabels("csv", table, dir.file("labels.csv"));
  // Class number, previous label and annotator sum to 1, like probabilities.
  EXPECT_TRUE(isManifest(dir.file("labels.csv")));
  test::writeBytes(dir.file("a.png"), "image");
  RunContext context;
  const auto dataset = openDataset(dir.file("labels.csv"), context);
  ASSERT_OK(dataset);
  EXPECT_EQ((*dataset)->labels()[0], 1);
}

}  // namespace
}  // namespace dubito
