// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/image_lines.h"

#include <gtest/gtest.h>

#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using testing::ElementsAre;

TEST(ImageLines, NameTheNumbersOfAClassLabel) {
  const test::TempDir dir;
  test::writeBytes(dir.file("metadata.jsonl"),
                   "{\"file_name\": \"a.png\", \"label\": 1}\n"
                   "{\"file_name\": \"b.png\", \"label\": 0}\r\n\n"
                   "{\"file_name\": \"c.png\", \"label\": 9}\n"
                   "{\"file_name\": \"d.png\", \"label\": -1}\n"
                   "{\"file_name\": \"e.png\", \"label\": \"1\"}\n");
  const auto classes = [&dir] {
    return test::pathsAndClasses(test::readLabels("imagefolder", dir.file("metadata.jsonl")).table);
  };
  EXPECT_THAT(classes(), ElementsAre("a.png 1", "b.png 0", "c.png 9", "e.png 1"));
  test::writeBytes(dir.file("README.md"),
                   "---\r\nfeatures:\r\n- name: label\r\n  dtype:\r\n    class_label:\r\n"
                   "      names:\r\n        '0': cat\r\n        '1': dog\r\n---\r\n");
  EXPECT_THAT(classes(), ElementsAre("a.png dog", "b.png cat", "c.png 9", "e.png 1"));
  test::writeBytes(dir.file("dataset_info.json"),
                   R"({"features": {"image": {"_type": "Image"},
                       "label": {"names": ["fox", "owl"], "_type": "ClassLabel"}}})");
  EXPECT_THAT(classes(), ElementsAre("a.png owl", "b.png fox", "c.png 9", "e.png 1"));
  test::writeBytes(dir.file("dataset_info.json"), "{\"features\": {\"label\": {\"names\": [1]}}}");
  test::writeBytes(dir.file("dataset_infos.json"),
                   R"({"default": {"features": {"label": {"names": ["elk", "yak"]}}}})");
  EXPECT_THAT(classes(), ElementsAre("a.png 1", "b.png 0", "c.png 9", "e.png 1"))
      << "a list that is no list of names";
}

TEST(ImageLines, HaveListsOfOneClass) {
  const test::TempDir dir;
  test::writeBytes(dir.file("a.jsonl"),
                   "{\"image\": \"a.png\", \"label\": [\"cat\"], \"score\": \"0.5\"}\n"
                   "{\"image\": \"b.png\", \"label\": [\"cat\", \"dog\"]}\n"
                   "{\"image\": \"c.png\", \"label\": [7], \"score\": \"high\"}\n"
                   "{\"image\": \"d.png\", \"label\": [{\"label\": \"dog\", \"score\": 0.75},"
                   " {\"label\": \"cat\", \"score\": 0.25}]}\n"
                   "{\"image\": \"e.png\", \"label\": [null]}\n");
  const LabelImport read = test::readLabels("imagefolder", dir.file("a.jsonl"));
  EXPECT_THAT(test::pathsAndClasses(read.table), ElementsAre("a.png cat", "c.png 7", "d.png dog"));
  EXPECT_EQ(read.table.rows[0].probability, 0.5F);
  EXPECT_EQ(read.table.rows[1].probability, std::nullopt);
  EXPECT_EQ(read.table.rows[2].probability, 0.75F);
  EXPECT_THAT(test::texts(read.notes),
              ElementsAre("images without a label: 1 ('e.png')",
                          "images with several classes, left out: 1 ('b.png')"));
}

TEST(ImageLines, KeepNamesAsTheyAre) {
  const test::TempDir dir;
  test::writeBytes(dir.file("a.jsonl"),
                   "\xEF\xBB\xBF{\"file_name\": \"a.png\", \"label\": \" cat \", \"score\": 93}\n"
                   "{\"file_name\": \"b.png\", \"label\": \"  \"}\n"
                   "{\"file_name\": \"c.png\", \"label\": null, \"score\": null}\n"
                   "{\"file_name\": \"d.png\", \"label\": \"dog\", \"score\": null}\n"
                   "{\"file_name\": \"e.png\", \"label\": []}\n");
  const LabelImport read = test::readLabels("imagefolder", dir.file("a.jsonl"));
  EXPECT_THAT(test::pathsAndClasses(read.table), ElementsAre("a.png  cat ", "d.png dog"));
  EXPECT_FLOAT_EQ(read.table.rows[0].probability.value_or(0.0F), 0.93F);
  EXPECT_THAT(test::texts(read.notes),
              ElementsAre("images without a label: 3 ('b.png', 'c.png', 'e.png')",
                          "scores in per cent, divided by 100: 1"));
}

}  // namespace
}  // namespace dubito
