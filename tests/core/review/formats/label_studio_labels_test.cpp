// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/label_studio_labels.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;

TEST(LabelStudioLabels, AreReadAsLabelStudioWritesThem) {
  const LabelImport read =
      test::readLabels("label-studio", test::labelFile("label-studio/tasks.json"));
  EXPECT_THAT(test::pathsAndClasses(read.table),
              ElementsAre("0001.png cat", "set/sub/my image.png cat", "set/sub/my image.png dog",
                          "set/0004.png dog"));
  EXPECT_THAT(
      test::texts(read.notes),
      ElementsAre("tasks without a label: 3 ('set/0003.png', 'set/0005.png', 'set/0006.png')",
                  "cancelled annotations, left out: 1 ('set/0003.png')",
                  "annotations with several classes, left out: 1 ('set/0005.png: cat, dog')",
                  "annotations and predictions without a class, left out: 1 ('set/0006.png')",
                  "tasks with predictions only, taken as labels of the model: 1 "
                  "('set/0004.png')",
                  "boxes, polygons and other shapes, left untouched: only whole images are "
                  "reviewed, and an export from this file writes the shapes back: 1"));
  ASSERT_EQ(read.table.rows.size(), 4U);
  const LabelRow& first = read.table.rows[0];
  EXPECT_EQ(first.annotator, "ann@example.org");
  EXPECT_EQ(first.time_ms, 1615328168728);
  EXPECT_EQ(first.spent_ms, 4288);
  EXPECT_EQ(first.origin, LabelOrigin::kPerson);
  EXPECT_FALSE(first.action);
  EXPECT_EQ(read.table.rows[1].annotator, "1");
  EXPECT_EQ(read.table.rows[2].annotator, "2");
  const LabelRow& predicted = read.table.rows[3];
  EXPECT_EQ(predicted.origin, LabelOrigin::kModel);
  EXPECT_EQ(predicted.probability, 0.875F);
  EXPECT_EQ(predicted.run, "resnet");
}

TEST(LabelStudioLabels, PreferTheGroundTruthToTheNewest) {
  const test::TempDir dir;
  test::writeBytes(dir.file("a.json"), R"([{"data": {"image": "a.png"}, "annotations": [
    {"result": [{"value": {"choices": ["new"]}, "from_name": "c"}],
     "created_at": "2021-03-09T22:16:08Z"},
    {"result": [{"value": {"choices": ["true"]}, "from_name": "c"}],
     "created_at": "2021-03-08T22:16:08Z", "ground_truth": true},
    {"result": [{"value": {"choices": ["old"]}, "from_name": "c"}],
     "created_at": "2021-03-07T22:16:08Z"}]}])");
  const LabelImport read = test::readLabels("label-studio", dir.file("a.json"));
  EXPECT_THAT(test::pathsAndClasses(read.table), ElementsAre("a.png true"));
  EXPECT_THAT(test::texts(read.notes),
              ElementsAre("tasks with a ground truth that differs from other annotations; it "
                          "counts: 1 ('a.png')"));
}

TEST(LabelStudioLabels, HaveTheirLabellingInterfaceNextToThem) {
  const test::TempDir dir;
  (void)test::writeLabels("label-studio", test::exampleLabels(), dir.file("a.json"));
  EXPECT_THAT(test::everythingIn(dir.path()), ElementsAre("a.config.xml", "a.json"));
  EXPECT_EQ(test::readBytes(dir.file("a.config.xml")),
            R"(<View>
  <Image name="image" value="$image" />
  <Choices name="choice" toName="image" choice="single" showInLine="true">
    <Choice value="cat" hotkey="c" background="#0072b2" />
    <Choice value="dog, &quot;big&quot;" />
    <Choice value="bird" />
    <Choice value="../a/b" />
  </Choices>
</View>
)");
}

TEST(LabelStudioLabels, CountShapesAndScoresInPerCent) {
  const test::TempDir dir;
  test::writeBytes(dir.file("a.json"), R"([{"data": {"image": "a.png"}, "annotations": [],
    "predictions": [{"score": 93.5, "result": [
      {"from_name": "c", "type": "choices", "value": {"choices": ["cat"]}},
      {"from_name": "b", "type": "rectanglelabels", "value": {"rectanglelabels": ["eye"], "x": 1}},
      {"from_name": "b", "type": "polygonlabels", "value": {"polygonlabels": ["ear"], "points": []}}
    ]}]},
    {"data": {"image": "b.png"}, "predictions": [{"score": null, "result": [
      {"from_name": "c", "value": {"choices": ["dog"]}}]}]}])");
  const LabelImport read = test::readLabels("label-studio", dir.file("a.json"));
  EXPECT_THAT(test::pathsAndClasses(read.table), ElementsAre("a.png cat", "b.png dog"));
  EXPECT_FLOAT_EQ(read.table.rows[0].probability.value_or(0.0F), 0.935F);
  EXPECT_EQ(read.table.rows[1].probability, std::nullopt);
  EXPECT_EQ(read.shapes, 2);
  EXPECT_THAT(test::texts(read.notes), Contains("scores in per cent, divided by 100: 1"));
  EXPECT_THAT(test::texts(read.notes),
              Contains("boxes, polygons and other shapes, left untouched: only whole images are "
                       "reviewed, and an export from this file writes the shapes back: 2"));
}

TEST(LabelStudioLabels, OfAModelDoNotReplaceASkippedAnnotation) {
  const test::TempDir dir;
  test::writeBytes(dir.file("a.json"), R"([{"data": {"image": "a.png"},
    "annotations": [{"result": [], "was_cancelled": true}],
    "predictions": [{"result": [{"value": {"choices": ["cat"]}, "from_name": "c"}]}]},
   {"data": {"image": "b.png"}, "annotations": [],
    "predictions": [{"result": [{"value": {"choices": ["dog"]}, "from_name": "c"}]}]}])");
  const LabelImport read = test::readLabels("label-studio", dir.file("a.json"));
  EXPECT_THAT(test::pathsAndClasses(read.table), ElementsAre("b.png dog"));
}

TEST(LabelStudioLabels, AreWrittenForLabelStudio) {
  const test::TempDir dir;
  const LabelExport written =
      test::writeLabels("label-studio", test::exampleLabels(), dir.file("a.json"));
  EXPECT_EQ(written.labels, 5);
  const json tasks = json::parse(test::readBytes(dir.file("a.json")));
  ASSERT_EQ(tasks.size(), 5U);
  EXPECT_EQ(tasks[0], json::parse(R"({
    "id": 1, "data": {"image": "/data/local-files/?d=sub/0001.png", "dubito_id": 9000000000000000001},
    "annotations": [{
      "id": 1, "result": [{"id": "0000000000", "from_name": "choice", "to_name": "image",
                  "type": "choices", "value": {"choices": ["cat"]}}],
      "was_cancelled": false, "ground_truth": false, "lead_time": 1.5,
      "created_at": "2025-11-23T16:00:00.250Z"}],
    "predictions": []})"));
  EXPECT_EQ(tasks[2].at("annotations").size(), 0U);
  EXPECT_EQ(tasks[2].at("predictions").at(0).at("score").get<float>(), 0.1F);
  EXPECT_EQ(tasks[4].at("annotations").size() + tasks[4].at("predictions").size(), 0U);
}

TEST(LabelStudioLabels, ReportOriginsAndTextsThatChange) {
  const test::TempDir dir;
  LabelTable table = test::exampleLabels();
  table.rows[1].origin = LabelOrigin::kDataset;
  table.rows[2].path = "\xE4.png";
  const LabelExport written = test::writeLabels("label-studio", table, dir.file("a.json"));
  EXPECT_THAT(test::texts(written.notes),
              Contains("labels of neither a person nor a model, written as annotations: 1"));
  EXPECT_THAT(test::texts(written.notes),
              Contains("texts that are not UTF-8, written with replacement characters: 1 "
                       "('?.png')"));
}

TEST(LabelStudioLabels, WithSeveralControlsNeedAField) {
  const test::TempDir dir;
  test::writeBytes(dir.file("a.json"), R"([{"data": {"image": "a.png"}, "annotations": [{"result": [
    {"from_name": "animal", "value": {"choices": ["cat"]}},
    {"from_name": "quality", "value": {"choices": ["sharp"]}}]}]}])");
  const std::string message =
      test::readError("label-studio", dir.file("a.json"), ErrorCode::kInvalidArgument);
  EXPECT_THAT(message, HasSubstr("'animal, quality'"));
  const LabelImport read =
      test::readLabels("label-studio", dir.file("a.json"), {.field = "animal"});
  EXPECT_THAT(test::pathsAndClasses(read.table), ElementsAre("a.png cat"));
  RunContext context;
  const auto other =
      importLabels(test::labelFormat("label-studio"), dir.file("a.json"), {.field = "x"}, context);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("but not 'x'"));
}

TEST(LabelStudioLabels, AreReadFromJsonMin) {
  const test::TempDir dir;
  test::writeBytes(
      dir.file("a.json"),
      R"([{"id": 1, "image": "/data/local-files/?d=a.png", "kind": {"choices": ["cat"]},
                        "annotator": 3, "updated_at": "1970-01-01T00:00:01Z"},
                       {"id": 2, "image": "b.png", "kind": {"choices": ["cat", "dog"]}},
                       {"id": 3, "image": "c.png"}])");
  const LabelImport read = test::readLabels("label-studio", dir.file("a.json"));
  EXPECT_THAT(test::pathsAndClasses(read.table), testing::ElementsAre("a.png cat"));
  EXPECT_EQ(read.table.rows.front().annotator, "3");
  EXPECT_EQ(read.table.rows.front().time_ms, 1000);
  EXPECT_THAT(test::texts(read.notes),
              testing::ElementsAre("tasks without a label: 1 ('c.png')",
                                   "annotations with several classes, left out: 1 ('b.png: cat, "
                                   "dog')"));
}

TEST(LabelStudioLabels, RefuseDamagedFiles) {
  const test::TempDir dir;
  const auto error = [&dir](const std::string& text) {
    test::writeBytes(dir.file("a.json"), text);
    return test::readError("label-studio", dir.file("a.json"));
  };
  EXPECT_THAT(error(""), HasSubstr("line 1, column 1"));
  EXPECT_THAT(error("[{\"data\":\n {\"image\": \"a\" x"), HasSubstr("line 2, column 16"));
  EXPECT_THAT(error("7"), HasSubstr("not a list of tasks"));
  EXPECT_THAT(error(std::string(1000000, '[')), HasSubstr("line 1"));
  EXPECT_THAT(error(std::string(100, '[') + std::string(100, ']')), HasSubstr("64 levels"));
  // Nothing of the expected type.
  for (const char* const text :
       {R"([null, 1, "x", [], {}])", R"([{"data": {}}])", R"([{"data": {"image": 7}}])",
        R"([{"data": {"image": "a"}, "annotations": 7, "predictions": {}}])",
        R"([{"data": {"image": "a"}, "annotations": [null, {"result": 1}, {"result": [null]},
           {"result": [{"value": {"choices": [null, 7]}}], "completed_by": [], "lead_time": "x",
            "was_cancelled": "no", "created_at": 7}]}])"}) {
    EXPECT_THAT(error(text), HasSubstr("contains no label"));
  }
}

TEST(LabelStudioLabels, OfOneTaskNeedNoList) {
  const test::TempDir dir;
  test::writeBytes(dir.file("a.json"), R"({"data": {"photo": "a.png"}, "completions": [{"result": [
    {"value": {"choices": "cat"}}], "completed_by": "ann", "lead_time": 1e300}]})");
  const LabelImport read = test::readLabels("label-studio", dir.file("a.json"));
  EXPECT_THAT(test::pathsAndClasses(read.table), ElementsAre("a.png cat"));
  EXPECT_EQ(read.table.rows[0].annotator, "ann");
  EXPECT_EQ(read.table.rows[0].spent_ms, 0);
}

}  // namespace
}  // namespace dubito
