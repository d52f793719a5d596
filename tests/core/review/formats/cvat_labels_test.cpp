// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/cvat_labels.h"

#include <gtest/gtest.h>

#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using testing::Contains;
using testing::ElementsAre;

TEST(CvatLabels, AreReadAsCvatWritesThem) {
  const LabelImport read = test::readLabels("cvat", test::labelFile("cvat/annotations.xml"));
  EXPECT_THAT(test::pathsAndClasses(read.table),
              ElementsAre("set/0001.png cat", "set/0002.png bird & nest", "set/0005.png dog"));
  EXPECT_EQ(read.table.rows[0].origin, LabelOrigin::kPerson);
  EXPECT_EQ(read.table.rows[1].origin, LabelOrigin::kModel);
  EXPECT_EQ(read.table.rows[2].origin, LabelOrigin::kPerson);
  ASSERT_EQ(read.table.classes.size(), 3U) << "the rectangle is no class of images";
  EXPECT_EQ(read.table.classes[0].name, "cat");
  EXPECT_EQ(read.table.classes[1].name, "dog");
  EXPECT_EQ(read.table.classes[2].name, "bird & nest");
  EXPECT_THAT(test::texts(read.notes),
              ElementsAre("images without a tag, not labelled: 1 ('set/0004.png')",
                          "images with several tags, left out: 1 ('set/0003.png: cat, dog')",
                          "attributes of tags, left out: 1",
                          "boxes, polygons and other shapes, left untouched: only whole images are "
                          "reviewed, and an export from this file writes the shapes back: 1"));
}

TEST(CvatLabels, AreWrittenForCvat) {
  const test::TempDir dir;
  LabelTable table;
  table.classes = {{.id = 0, .name = "a<b> & \"c\""}, {.id = 1, .name = "dog"}};
  table.rows.resize(3);
  table.rows[0].path = "sub/1.png";
  table.rows[0].class_id = 0;
  table.rows[0].origin = LabelOrigin::kPerson;
  table.rows[1].item = 17;
  table.rows[1].class_id = 1;
  table.rows[1].origin = LabelOrigin::kModel;
  table.rows[2].path = "3.png";
  (void)test::writeLabels("cvat", table, dir.file("a.xml"));
  EXPECT_EQ(test::readBytes(dir.file("a.xml")), R"(<?xml version="1.0" encoding="utf-8"?>
<annotations>
  <version>1.1</version>
  <meta>
    <task>
      <name>labels</name>
      <size>3</size>
      <mode>annotation</mode>
      <labels>
        <label>
          <name>a&lt;b&gt; &amp; "c"</name>
          <type>tag</type>
          <attributes />
        </label>
        <label>
          <name>dog</name>
          <type>tag</type>
          <attributes />
        </label>
      </labels>
    </task>
  </meta>
  <image id="0" name="sub/1.png">
    <tag label="a&lt;b> &amp; &quot;c&quot;" source="manual" />
  </image>
  <image id="1" name="#17">
    <tag label="dog" source="auto" />
  </image>
  <image id="2" name="3.png" />
</annotations>
)");
}

TEST(CvatLabels, ReplaceWhatXmlCannotContain) {
  const test::TempDir dir;
  LabelTable table;
  table.classes = {{.id = 0, .name = "a\x01"}};
  table.rows.resize(1);
  table.rows[0].path = "\xE4.png";
  table.rows[0].class_id = 0;
  const LabelExport written = test::writeLabels("cvat", table, dir.file("a.xml"));
  EXPECT_THAT(test::texts(written.notes),
              Contains("texts that are not UTF-8, written with replacement characters: 1 "
                       "('?.png')"));
  EXPECT_THAT(test::texts(written.notes),
              Contains("texts with control characters, written with replacement characters: 1 "
                       "('a?')"));
  EXPECT_THAT(test::pathsAndClasses(test::readLabels("cvat", dir.file("a.xml")).table),
              ElementsAre("\xEF\xBF\xBD.png a\xEF\xBF\xBD"));
}

TEST(CvatLabels, RefuseDamagedFiles) {
  const test::TempDir dir;
  const auto error = [&dir](const std::string& text, ErrorCode code = ErrorCode::kMalformed) {
    test::writeBytes(dir.file("a.xml"), text);
    return test::readError("cvat", dir.file("a.xml"), code);
  };
  EXPECT_THAT(error(""), HasSubstr("No document element found"));
  EXPECT_THAT(error("<annotations>\n  <image id=\"0\" name=\"a.png\">\n  </imag>"),
              HasSubstr("line 3, column"));
  EXPECT_THAT(error("<osm><node/></osm>"), HasSubstr("'osm', not <annotations>"));
  EXPECT_THAT(error("PK\x03\x04zip", ErrorCode::kUnsupported), HasSubstr("unpack it"));
  EXPECT_THAT(
      error("<annotations><track id=\"0\" label=\"car\"/></annotations>", ErrorCode::kUnsupported),
      HasSubstr("tracks of a video"));
  EXPECT_THAT(error("<annotations><image><tag label=\"cat\"/></image></annotations>"),
              HasSubstr("images without a name"));
  EXPECT_THAT(error("\x01\x02\x03"), HasSubstr("line 1"));
  std::string deep;
  for (int i = 0; i < 200000; ++i) {
    deep += "<a>";
  }
  EXPECT_THAT(error(deep), HasSubstr("line 1, column"));
  // Entities are not expanded.
  EXPECT_THAT(error("<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>"
                    "<annotations><image name=\"\"><tag label=\"&e;\"/></image></annotations>"),
              HasSubstr("contains no label"));
}

}  // namespace
}  // namespace dubito
