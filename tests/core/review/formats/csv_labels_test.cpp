// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/csv_labels.h"

#include <gtest/gtest.h>

#include <set>

#include "core/review/formats/match_rows.h"
#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CsvLabels, HasOneLinePerItem) {
  const test::TempDir dir;
  LabelTable table = test::exampleLabels();
  table.rows.resize(2);
  (void)test::writeLabels("csv", table, dir.file("a.csv"));
  EXPECT_EQ(test::readBytes(dir.file("a.csv")),
            "id,path,label,class_number,action,annotator,time,origin,previous_label,"
            "previous_origin,probability\n"
            "9000000000000000001,sub/0001.png,cat,0,accept,ann@example.org,"
            "2025-11-23T16:00:00.250Z,person,cat,model,0.625\n");
}

TEST(CsvLabels, KeepsTheNumbersOfTheClasses) {
  const test::TempDir dir;
  (void)test::writeLabels("csv", test::exampleLabels(), dir.file("a.csv"));
  const LabelTable read = test::readLabels("csv", dir.file("a.csv")).table;
  const LabelClass* const strange = findClass(read.classes, "../a/b");
  ASSERT_NE(strange, nullptr);
  EXPECT_EQ(strange->id, 7);
  // After the merge.
  EXPECT_EQ(read.rows[1].class_id, 0);
}

TEST(CsvLabels, SaysWhatTheDatasetKindDoesNotAccept) {
  const test::TempDir dir;
  LabelTable table;
  table.classes = {{.id = 0, .name = "?"}, {.id = 1, .name = " cat"}, {.id = 2, .name = "dog"}};
  for (const char* const path : {"a.png", "./a.png", "b\n.png", " c.png", "d.png"}) {
    LabelRow row;
    row.path = path;
    row.class_id = static_cast<std::int64_t>(table.rows.size()) % 3;
    table.rows.push_back(row);
  }
  LabelRow of_array;
  of_array.item = 12;
  of_array.class_id = 2;
  table.rows.push_back(of_array);
  const LabelExport written = test::writeLabels("csv", table, dir.file("a.csv"));
  EXPECT_THAT(
      test::texts(written.notes),
      ElementsAre(
          "paths on several rows, so that csv: cannot open the file as a dataset: 1 ('./a.png')",
          "paths that csv: datasets do not accept: 2 ('b?.png', ' c.png')",
          "classes that csv: datasets read as unknown or under another name: 2 (' cat', '?')"));
  const LabelImport read = test::readLabels("csv", dir.file("a.csv"));
  EXPECT_THAT(
      test::pathsAndClasses(read.table),
      ElementsAre("a.png ?", "./a.png  cat", "b\n.png dog", " c.png ?", "d.png  cat", "#12 dog"));
}

TEST(CsvLabels, ReadsTablesOfOtherPrograms) {
  const test::TempDir dir;
  test::writeBytes(dir.file("a.csv"),
                   "\xEF\xBB\xBFImage;Class_Name;Annotator\r\n"
                   " a.png ; cat;ann\r\n"
                   "b.png;?;\r\n"
                   "\"c;d.png\";3.0;\r\n");
  const LabelImport read = test::readLabels("csv", dir.file("a.csv"));
  EXPECT_THAT(test::pathsAndClasses(read.table), ElementsAre("a.png cat", "c;d.png 3"));
  EXPECT_EQ(read.table.rows[0].annotator, "ann");
  EXPECT_FALSE(read.table.rows[0].action);
  EXPECT_THAT(test::texts(read.notes), ElementsAre("rows without a label: 1"));
}

TEST(CsvLabels, NotesCellsThatItDoesNotUnderstand) {
  const test::TempDir dir;
  test::writeBytes(dir.file("a.csv"),
                   "id,path,label,action,time,origin,probability\n"
                   "x,a.png,cat,maybe,noon,nobody,2\n"
                   "17.0,,dog,accept,1000,person,0.5\n"
                   ",,dog,accept,,,\n"
                   ",b.png,,skip,,,\n");
  const LabelImport read = test::readLabels("csv", dir.file("a.csv"));
  ASSERT_EQ(read.table.rows.size(), 3U);
  EXPECT_EQ(read.table.rows[1].item, 17);
  EXPECT_EQ(read.table.rows[1].time_ms, 1000);
  EXPECT_EQ(read.table.rows[2].action, LabelAction::kSkip);
  EXPECT_THAT(test::texts(read.notes),
              ElementsAre("rows without a path and an id, left out: 1 ('line 4')",
                          "cells that were not understood, taken as empty: 4 ('line 2: id x', "
                          "'line 2: action maybe', 'line 2: origin nobody', 'line 2: time noon')",
                          "scores above 1, left out: 1"));
  EXPECT_EQ(read.table.rows[0].probability, std::nullopt);
  EXPECT_EQ(read.table.rows[1].probability, 0.5F);
}

TEST(CsvLabels, HaveScoresInPerCent) {
  const test::TempDir dir;
  const auto scores = [&dir](const std::string& text) {
    test::writeBytes(dir.file("a.csv"), text);
    std::vector<std::optional<float>> result;
    for (const LabelRow& row : test::readLabels("csv", dir.file("a.csv")).table.rows) {
      result.push_back(row.probability);
    }
    return result;
  };
  EXPECT_THAT(scores("path;label;score\na.png;cat;50\nb.png;cat;25\nc.png;dog;1\nd.png;dog;\n"),
              ElementsAre(0.5F, 0.25F, 0.01F, std::nullopt));
  EXPECT_THAT(scores("path;label;score\na.png;cat;50 %\nb.png;cat;25%\n"),
              ElementsAre(0.5F, 0.25F));
  EXPECT_THAT(scores("path,label,score\na.png,cat,0.5\nb.png,cat,-1\nc.png,dog,101\n"),
              ElementsAre(0.5F, std::nullopt, std::nullopt));
}

TEST(CsvLabels, WithSeveralClassesAreCounted) {
  const test::TempDir dir;
  test::writeBytes(dir.file("a.csv"),
                   "image,choice\n"
                   "a.png,\"{\"\"choices\"\": [\"\"cat\"\", \"\"dog\"\"]}\"\n"
                   "b.png,\"{\"\"choices\"\": [\"\"cat\"\"]}\"\n"
                   "c.png,[odd]\n");
  const LabelImport read = test::readLabels("csv", dir.file("a.csv"));
  EXPECT_THAT(test::pathsAndClasses(read.table), ElementsAre("b.png cat", "c.png [odd]"));
  EXPECT_THAT(test::texts(read.notes),
              ElementsAre("rows with several classes, left out: 1 ('line 2: cat, dog')"));
}

TEST(CsvLabels, OfHuggingFaceHaveTheNamesOfTheDatasetCard) {
  const test::TempDir dir;
  test::writeBytes(
      dir.file("README.md"),
      "---\ndataset_info:\n  features:\n  - name: image\n    dtype: image\n"
      "  - name: label\n    dtype:\n      class_label:\n        names:\n"
      "          '0': cat\n          '1': \"dog: big\"\n  splits:\n  - name: train\n---\n");
  test::writeBytes(dir.file("metadata.csv"), "file_name,label\na.png,1\nb.png,0\nc.png,7\n");
  EXPECT_THAT(test::pathsAndClasses(test::readLabels("csv", dir.file("metadata.csv")).table),
              ElementsAre("a.png dog: big", "b.png cat", "c.png 7"));
  // Another table has numbers of its own.
  test::writeBytes(dir.file("other.csv"), "file_name,label\na.png,1\n");
  EXPECT_THAT(test::pathsAndClasses(test::readLabels("csv", dir.file("other.csv")).table),
              ElementsAre("a.png 1"));
}

TEST(CsvLabels, WithAColumnPerClassAreRead) {
  const test::TempDir dir;
  test::writeBytes(dir.file("_classes.csv"),
                   "filename, cat, dog\na.jpg, 1, 0\nb.jpg, 0, 1\nc.jpg, 1, 1\nd.jpg, 0, 0\n"
                   "e.jpg, 1, x\n");
  const LabelImport read = test::readLabels("csv", dir.file("_classes.csv"));
  EXPECT_THAT(test::pathsAndClasses(read.table),
              ElementsAre("a.jpg cat", "b.jpg dog", "e.jpg cat"));
  EXPECT_THAT(test::texts(read.notes),
              ElementsAre("rows without a label: 1",
                          "rows with several classes, left out: 1 ('line 4: cat, dog')",
                          "cells that were not understood, taken as empty: 1 ('line 6: dog x')"));
}

TEST(CsvLabels, WithAColumnPerClassMayHaveDecimalsOrTruthValues) {
  const test::TempDir dir;
  test::writeBytes(dir.file("a.jpg"), "an image");
  const std::string path = dir.file("_classes.csv");
  const auto write = [&path](const std::string& rows) {
    test::writeBytes(path, "filename,cat,dog\n" + rows);
  };
  for (const char* const rows :
       {"a.jpg,1,0\nb.jpg,0,1\n", "a.jpg,1.0,0.0\nb.jpg,0.0,1.0\n",
        "a.jpg,True,False\nb.jpg, FALSE, TRUE\n", "a.jpg,true,false\nb.jpg,false,true\n"}) {
    write(rows);
    EXPECT_TRUE(hasOneHotLabels(path)) << rows;
    const LabelImport read = test::readLabels("csv", path);
    EXPECT_THAT(test::pathsAndClasses(read.table), ElementsAre("a.jpg cat", "b.jpg dog")) << rows;
    EXPECT_THAT(test::texts(read.notes), IsEmpty()) << rows;
  }
  for (const char* const rows : {"a.jpg,0.3,0.7\n", "a.jpg,2,0\n", "a.jpg,yes,no\n"}) {
    write(rows);
    EXPECT_FALSE(hasOneHotLabels(path)) << rows;
  }
  // Several classes are a multi-label file.
  write("a.jpg,True,True\n");
  EXPECT_FALSE(hasOneHotLabels(path));
}

TEST(CsvLabels, HaveNamesOfFilesAsIds) {
  const test::TempDir dir;
  test::writeBytes(dir.file("a.csv"), "id,breed,label\n000bec,x,cat\n17,y,dog\n");
  const LabelImport read = test::readLabels("csv", dir.file("a.csv"));
  ASSERT_EQ(read.table.rows.size(), 2U);
  const std::vector<std::int64_t> ids{5, 6, 17};
  const std::vector<std::string> names{"s/000bec.jpg", "17.jpg", "other.jpg"};
  EXPECT_THAT(matchRows(read.table, ids, names).items, ElementsAre(5, 17)) << "an id, if known";
  EXPECT_THAT(matchRows(read.table, std::vector<std::int64_t>{5, 6},
                        std::vector<std::string>{"s/000bec.jpg", "17.jpg"})
                  .items,
              ElementsAre(5, 6));
}

TEST(CsvLabels, RefusesDamagedFiles) {
  const test::TempDir dir;
  const auto error = [&dir](const std::string& text) {
    test::writeBytes(dir.file("a.csv"), text);
    return test::readError("csv", dir.file("a.csv"));
  };
  EXPECT_THAT(error(""), HasSubstr("is empty"));
  EXPECT_THAT(error("path,label\na.png,\"cat\n"), HasSubstr("line 2"));
  EXPECT_THAT(error("path,label\na.png,cat\nb.png\n"), HasSubstr("line 3 has 1 values"));
  EXPECT_THAT(error("label,colour\ncat,red\n"), HasSubstr("no column of paths or ids"));
  EXPECT_THAT(error("path,colour\na.png,red\n"), HasSubstr("no column of labels"));
  EXPECT_THAT(
      error("path,width,height\na.png,30,20\n"),
      AllOf(HasSubstr("no column of labels"), HasSubstr("line 2: width 30; line 2: height")));
  EXPECT_THAT(error("path,label\na.png,\n"), HasSubstr("rows without a label: 1"));
}

TEST(CsvLabels, GivesNumbersThatCollideANewPlace) {
  const test::TempDir dir;
  test::writeBytes(dir.file("a.csv"),
                   "path,label,class_number,previous_label\n"
                   "a.png,cat,1,fox\nb.png,dog,1,\nc.png,bird,-4,\nd.png,cat,3,\n");
  const LabelTable read = test::readLabels("csv", dir.file("a.csv")).table;
  EXPECT_THAT(test::pathsAndClasses(read),
              ElementsAre("a.png cat", "b.png dog", "c.png bird", "d.png cat"));
  std::set<std::int64_t> ids;
  for (const LabelClass& each : read.classes) {
    EXPECT_TRUE(ids.insert(each.id).second);
    EXPECT_GE(each.id, 0);
  }
  EXPECT_EQ(read.classes[0].id, 1);
  ASSERT_EQ(read.classes.size(), 4U);
  EXPECT_EQ(read.classes[3].name, "fox");
}

}  // namespace
}  // namespace dubito
