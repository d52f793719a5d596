// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/jsonl_labels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using testing::IsEmpty;

const char* const kHead =
    R"({"format":"dubito-labels","schema_version":1,"classes":[{"id":0,"name":"cat"}]})";

TEST(JsonlLabels, KeepsEveryRowAndClass) {
  const test::TempDir dir;
  LabelTable table = test::exampleLabels();
  LabelRow limits;
  limits.item = std::numeric_limits<std::int64_t>::min();
  limits.path = "Latin-1 \xE4 and \xF0\x9F\x90\xB1\n.png";
  limits.time_ms = std::numeric_limits<std::int64_t>::max();
  limits.probs = {0.1F, 1e-38F, std::numeric_limits<float>::denorm_min(), 0.0F};
  limits.annotator = std::string("\xFF\0\x80", 3);
  limits.undone = true;
  table.rows.push_back(limits);
  table.classes.push_back({.id = 8, .name = "\xE4"});
  table.remarks = {{.about = 2, .annotator = "ann", .time_ms = 1763913600250, .text = "a\n\xE4"},
                   {.subject = RemarkSubject::kClass,
                    .about = 7,
                    .annotator = "bob",
                    .time_ms = 1763913600251,
                    .text = "two \"ears\""},
                   {.subject = RemarkSubject::kExample,
                    .about = 2,
                    .annotator = "bob",
                    .time_ms = 1763913600252,
                    .text = exampleText(7)}};
  const LabelExport written = test::writeLabels("jsonl", table, dir.file("a.jsonl"));
  EXPECT_EQ(written.labels, 7);
  EXPECT_THAT(written.notes, IsEmpty());
  const LabelImport read = test::readLabels("jsonl", dir.file("a.jsonl"));
  EXPECT_EQ(read.table.rows, table.rows);
  EXPECT_EQ(read.table.remarks, table.remarks);
  ASSERT_EQ(read.table.classes.size(), table.classes.size());
  for (std::size_t i = 0; i < table.classes.size(); ++i) {
    EXPECT_EQ(read.table.classes[i].id, table.classes[i].id);
    EXPECT_EQ(read.table.classes[i].name, table.classes[i].name);
    EXPECT_EQ(read.table.classes[i].colour, table.classes[i].colour);
    EXPECT_EQ(read.table.classes[i].key, table.classes[i].key);
    EXPECT_EQ(read.table.classes[i].merged_into, table.classes[i].merged_into);
  }
}

TEST(JsonlLabels, ReadsAMissingProbabilityAsNan) {
  const test::TempDir dir;
  LabelTable table;
  table.rows.resize(1);
  table.rows[0].probs = {std::numeric_limits<float>::quiet_NaN(), 1.0F};
  (void)test::writeLabels("jsonl", table, dir.file("a.jsonl"));
  const LabelTable read = test::readLabels("jsonl", dir.file("a.jsonl")).table;
  ASSERT_EQ(read.rows.size(), 1U);
  EXPECT_TRUE(std::isnan(read.rows[0].probs.at(0)));
  EXPECT_EQ(read.rows[0].probs.at(1), 1.0F);
}

TEST(JsonlLabels, RefusesDamagedFiles) {
  const test::TempDir dir;
  const auto error = [&dir](const std::string& text, ErrorCode code = ErrorCode::kMalformed) {
    test::writeBytes(dir.file("a.jsonl"), text);
    return test::readError("jsonl", dir.file("a.jsonl"), code);
  };
  const std::string head = std::string(kHead) + '\n';
  EXPECT_THAT(error(head + R"({"remark":"class","class_id":9,"text":"x"})"),
              HasSubstr("class 9 is not listed"));
  EXPECT_THAT(error(head + R"({"remark":"folder","text":"x"})"), HasSubstr("'remark'"));
  EXPECT_THAT(error(""), HasSubstr("line 1"));
  EXPECT_THAT(error("[1, 2]\n"), HasSubstr("line 1"));
  EXPECT_THAT(error(R"({"format":"dubito-labels","schema_version":2,"classes":[]})",
                    ErrorCode::kUnsupported),
              HasSubstr("version 2"));
  EXPECT_THAT(error(R"({"format":"dubito-labels","schema_version":1})"), HasSubstr("'classes'"));
  EXPECT_THAT(error(head + "\n{\"item\":1}\n{\"item\":"), HasSubstr("line 4, column 9"));
  EXPECT_THAT(error(head + "{\"item\":\"x\"}"), HasSubstr("line 2: 'item' is \"x\""));
  EXPECT_THAT(error(head + "{\"item\":1e400}"), HasSubstr("1e400"));
  EXPECT_THAT(error(head + "{\"class_id\":3}"), HasSubstr("class 3 is not listed"));
  EXPECT_THAT(error(head + "{\"action\":\"dance\"}"), HasSubstr("'action' is \"dance\""));
  EXPECT_THAT(error(head + "{\"probs\":[0.5,\"x\"]}"), HasSubstr("'probs' is \"x\""));
  EXPECT_THAT(error(head + "{\"present\":1}"), HasSubstr("'present' is 1"));
  EXPECT_THAT(error(head + "{\"path\":{\"hex\":\"zz\"}}"), HasSubstr("'path'"));
  EXPECT_THAT(error(head + "[]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(error(head + "{\"a\":" + std::string(100000, '[')), HasSubstr("line 2"));
}

TEST(JsonlLabels, RefusesClassesThatMakeNoSense) {
  const test::TempDir dir;
  const auto error = [&dir](const std::string& classes) {
    test::writeBytes(
        dir.file("a.jsonl"),
        R"({"format":"dubito-labels","schema_version":1,"classes":[)" + classes + "]}\n");
    return test::readError("jsonl", dir.file("a.jsonl"));
  };
  EXPECT_THAT(error(R"({"id":0,"name":"a"},{"id":0,"name":"b"})"), HasSubstr("listed twice"));
  EXPECT_THAT(error(R"({"id":0})"), HasSubstr("no id or no name"));
  EXPECT_THAT(error(R"({"id":0,"name":"a","merged_into":5})"), HasSubstr("does not exist"));
  EXPECT_THAT(error(R"({"id":0,"name":"a","merged_into":0})"), HasSubstr("merged back"));
  EXPECT_THAT(error(R"({"id":0,"name":"a","merged_into":1},{"id":1,"name":"b","merged_into":0})"),
              HasSubstr("merged back"));
  EXPECT_THAT(error(R"({"id":0,"name":7})"), HasSubstr("'name' is 7"));
}

}  // namespace
}  // namespace dubito
