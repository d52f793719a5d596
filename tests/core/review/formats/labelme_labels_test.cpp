// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/labelme_labels.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;

TEST(LabelmeLabels, AreReadAsLabelmeWritesThem) {
  const LabelImport read = test::readLabels("labelme", test::labelFile("labelme"));
  EXPECT_THAT(test::pathsAndClasses(read.table),
              ElementsAre("0001.png cat", "../images/0002.png dog"));
  EXPECT_THAT(test::texts(read.notes),
              ElementsAre("images without a flag that is true, not labelled: 1 ('sub/0003.png')",
                          "images with several flags that are true, left out: 1 "
                          "('sub/0004.png: cat, dog')",
                          "images marked __ignore__, left out: 1 ('sub/0005.png')",
                          "boxes, polygons and other shapes, left untouched: only whole images are "
                          "reviewed, and an export from this file writes the shapes back: 1"));
}

TEST(LabelmeLabels, OfOneImageAreReadFromItsFile) {
  const LabelImport read = test::readLabels("labelme", test::labelFile("labelme/0001.json"));
  EXPECT_THAT(test::pathsAndClasses(read.table), ElementsAre("0001.png cat"));
}

TEST(LabelmeLabels, AreWrittenForLabelme) {
  const test::TempDir dir;
  const LabelTable table = test::exampleLabels();
  (void)test::writeLabels("labelme", table, dir.file("out"));
  EXPECT_THAT(
      test::everythingIn(dir.path() / "out"),
      ElementsAre("%2E.", "%2E./outside", "%2E./outside/%2Ehidden 100%2525.json", "missing.json",
                  "sub", "sub/0001.json", "sub/dir, with \"commas\"",
                  "sub/dir, with \"commas\"/0002.json", "\xC3\xA4 b", "\xC3\xA4 b/0003.json"));
  const json object = json::parse(test::readBytes(dir.path() / "out/sub/0001.json"));
  EXPECT_EQ(object, json::parse(R"({
    "version": "5.5.0",
    "flags": {"cat": true, "dog, \"big\"": false, "bird": false, "../a/b": false},
    "shapes": [], "imagePath": "0001.png", "imageData": null,
    "imageHeight": null, "imageWidth": null,
    "dubito_id": 9000000000000000001, "dubito_path": "sub/0001.png"})"));
  const json undecided = json::parse(test::readBytes(dir.path() / "out/missing.json"));
  EXPECT_EQ(undecided.at("flags").at("cat"), false);
}

TEST(LabelmeLabels, PointToTheImages) {
  const test::TempDir dir;
  LabelExportOptions options;
  options.images = dir.file("images");
  (void)test::writeLabels("labelme", test::exampleLabels(), dir.file("out"), options);
  const json object = json::parse(test::readBytes(dir.path() / "out/sub/0001.json"));
  EXPECT_EQ(object.at("imagePath"), "../../images/sub/0001.png");
}

TEST(LabelmeLabels, OfImagesThatDifferInTheEndingGetFilesOfTheirOwn) {
  const test::TempDir dir;
  LabelTable table;
  table.classes = {{.id = 0, .name = "cat"}};
  for (const char* const path : {"a.png", "a.jpg", "a.jpg.png"}) {
    LabelRow row;
    row.path = path;
    row.class_id = 0;
    table.rows.push_back(row);
  }
  const LabelExport written = test::writeLabels("labelme", table, dir.file("out"));
  EXPECT_THAT(test::everythingIn(dir.path() / "out"),
              ElementsAre("a.jpg.json", "a.jpg.png.json", "a.json"));
  EXPECT_THAT(test::texts(written.notes),
              Contains("label files that labelme will not find, because two images differ only in "
                       "the ending: 2 ('a.jpg.json', 'a.jpg.png.json')"));
  EXPECT_EQ(test::readLabels("labelme", dir.file("out")).table.rows.size(), 3U);
}

TEST(LabelmeLabels, NoteFilesThatCannotBeRead) {
  const test::TempDir dir;
  fs::create_directory(dir.path() / "in");
  const auto write = [&dir](const std::string& name, const std::string& text) {
    test::writeBytes(dir.path() / "in" / name, text);
  };
  write("cut.json", "{\"flags\": {\"cat\": tr");
  write("text.json", "{\"flags\": \"cat\", \"imagePath\": \"a.png\"}");
  write("number.json", "{\"flags\": {\"cat\": 1}, \"imagePath\": \"a.png\"}");
  write("foreign.json", "{\"name\": \"x\"}");
  write("list.json", "[1]");
  write("old.json", "{\"shapes\": [], \"imagePath\": \"b.png\", \"imageData\": null}");
  write("nameless.JSON", "{\"flags\": {\"cat\": true}}");
  write("absolute.json", R"({"flags": {"dog": true}, "imagePath": "C:\\data\\c.png"})");
  write("notes.txt", "not JSON");
  const LabelImport read = test::readLabels("labelme", dir.file("in"));
  EXPECT_THAT(test::pathsAndClasses(read.table), ElementsAre("C:/data/c.png dog", "nameless cat"));
  ASSERT_EQ(read.notes.size(), 3U);
  EXPECT_THAT(toText(read.notes[0]), HasSubstr("'b.png'"));
  EXPECT_EQ(read.notes[1].count, 3);
  EXPECT_THAT(read.notes[1].entries,
              ElementsAre(HasSubstr("cut.json: line 1, column"), HasSubstr("'cat' is 1"),
                          HasSubstr("'flags' is string")));
  EXPECT_THAT(toText(read.notes[2]), HasSubstr("2 ('foreign.json', 'list.json')"));

  EXPECT_THAT(test::readError("labelme", dir.file("in/cut.json")), HasSubstr("line 1, column 2"));
  for (const char* const name :
       {"old.json", "nameless.JSON", "absolute.json", "foreign.json", "list.json"}) {
    fs::remove(dir.path() / "in" / name);
  }
  RunContext context;
  const auto none = importLabels(test::labelFormat("labelme"), dir.file("in"), {}, context);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("in/cut.json: line 1"));
}

TEST(LabelmeLabels, OfHugeImagesAreReadWithoutThem) {
  const test::TempDir dir;
  const json object{{"flags", {{"cat", true}}},
                    {"imageData", std::string(std::size_t{8} << 20, 'A')},
                    {"imagePath", "a.png"}};
  test::writeBytes(dir.file("a.json"), object.dump());
  const LabelImport read = test::readLabels("labelme", dir.file("a.json"));
  EXPECT_THAT(test::pathsAndClasses(read.table), ElementsAre("a.png cat"));
}

}  // namespace
}  // namespace dubito
