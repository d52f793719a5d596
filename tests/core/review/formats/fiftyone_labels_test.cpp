// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/fiftyone_labels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using nlohmann::json;
using testing::ElementsAre;

TEST(FiftyOneLabels, AreReadAsFiftyOneWritesThem) {
  const LabelImport read = test::readLabels("fiftyone", test::labelFile("fiftyone"));
  EXPECT_THAT(test::pathsAndClasses(read.table),
              ElementsAre("data/0001.png cat", "/home/ann/set/sub/0002.png dog"));
  EXPECT_EQ(read.table.rows[0].probability, std::nullopt);
  EXPECT_EQ(read.table.rows[1].probability, 0.5F);
  EXPECT_THAT(test::texts(read.notes),
              ElementsAre("samples without a label: 2 ('data/0003.png', 'data/0004.png')",
                          "samples with several classes, left out: 1 ('data/0005.png: cat, dog')",
                          "samples without a filepath or with another kind of label, left out: 1 "
                          "('data/0006.png')",
                          "boxes, polygons and other shapes, left untouched: only whole images are "
                          "reviewed, and an export from this file writes the shapes back: 1"));
}

TEST(FiftyOneLabels, CanBeInAnotherField) {
  const std::string file = test::labelFile("fiftyone/samples.json");
  const LabelImport read = test::readLabels("fiftyone", file, {.field = "predictions"});
  EXPECT_THAT(test::pathsAndClasses(read.table), ElementsAre("data/0001.png dog"));
  EXPECT_EQ(read.table.rows[0].probability, 0.75F);
  RunContext context;
  const auto none = importLabels(test::labelFormat("fiftyone"), file, {.field = "x"}, context);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("'ground_truth, predictions', but not in 'x'"));
}

TEST(FiftyOneLabels, AreFoundInTheOnlyField) {
  const test::TempDir dir;
  test::writeBytes(dir.file("samples.json"), R"({"samples": [
    {"filepath": "C:\\set\\a.png", "weather": {"_cls": "Classification", "label": "rain"},
     "dubito_id": {"$numberLong": "17"}},
    {"filepath": "b.png", "weather": {"label": "sun", "action": "dance", "time": "noon"}}]})");
  const LabelImport read = test::readLabels("fiftyone", dir.file("samples.json"));
  EXPECT_THAT(test::pathsAndClasses(read.table), ElementsAre("C:/set/a.png rain", "b.png sun"));
  EXPECT_EQ(read.table.rows[0].item, 17);
  EXPECT_THAT(test::texts(read.notes),
              ElementsAre("attributes that were not understood, taken as empty: 2 "
                          "('b.png: action dance', 'b.png: time noon')"));
}

TEST(FiftyOneLabels, AreWrittenForFiftyOne) {
  const test::TempDir dir;
  LabelExportOptions options;
  options.images = "/images";
  LabelTable table = test::exampleLabels();
  (void)test::writeLabels("fiftyone", table, dir.file("samples.json"), options);
  const json samples = json::parse(test::readBytes(dir.file("samples.json"))).at("samples");
  ASSERT_EQ(samples.size(), 5U);
  EXPECT_EQ(samples[0], json::parse(R"({
    "filepath": "/images/sub/0001.png", "tags": [], "metadata": null,
    "dubito_id": 9000000000000000001, "dubito_path": "sub/0001.png",
    "ground_truth": {"_cls": "Classification", "tags": [], "label": "cat", "confidence": 0.625,
      "action": "accept", "annotator": "ann@example.org", "time": "2025-11-23T16:00:00.250Z",
      "origin": "person", "previous_label": "cat", "previous_origin": "model"}})"));
  EXPECT_TRUE(samples[4].at("ground_truth").is_null());
}

TEST(FiftyOneLabels, HaveScoresOfAllClassesIfTheDatasetNamesThem) {
  const test::TempDir dir;
  const auto probs = [&dir](const std::string& classes) {
    test::writeBytes(dir.file("samples.json"), R"({"samples": [{"filepath": "a.png",
      "ground_truth": {"_cls": "Classification", "label": "dog", "logits": [0.0, 1.0986122886681098]},
      "boxes": {"_cls": "Detections", "detections": [{"label": "eye"}, {"label": "ear"}]}},
      {"filepath": "b.png", "ground_truth": {"_cls": "Classification", "label": "cat",
       "logits": {"$binary": {"base64": "eJw="}}}}]})");
    test::writeBytes(dir.file("metadata.json"), classes);
    const LabelImport read = test::readLabels("fiftyone", dir.file("samples.json"));
    EXPECT_EQ(read.shapes, 2);
    const auto notes = test::texts(read.notes);
    const bool left_out = std::ranges::any_of(notes, [](const std::string& note) {
      return note.starts_with("logits without a list") && note.ends_with(": 1");
    });
    EXPECT_EQ(left_out, !read.table.rows[0].probs.empty());
    EXPECT_EQ(ClassNames(read.table.classes).text(read.table.rows[0].class_id), "dog");
    std::vector<float> by_name{-1.0F, -1.0F};
    for (std::size_t k = 0; k < read.table.rows[0].probs.size(); ++k) {
      const std::string name = ClassNames(read.table.classes).text(static_cast<std::int64_t>(k));
      by_name[name == "dog" ? 1 : 0] = read.table.rows[0].probs[k];
    }
    return by_name;
  };
  for (const char* const classes : {R"({"default_classes": ["cat", "dog"]})",
                                    R"({"classes": {"ground_truth": ["cat", "dog"]}})",
                                    R"({"info": {"classes": ["cat", "dog"]}})"}) {
    SCOPED_TRACE(classes);
    const std::vector<float> by_name = probs(classes);
    EXPECT_FLOAT_EQ(by_name[0], 0.25F);
    EXPECT_FLOAT_EQ(by_name[1], 0.75F);
  }
  EXPECT_EQ(probs(R"({"default_classes": ["cat", "dog", "fox"]})")[0], -1.0F);
  EXPECT_EQ(probs(R"({"default_classes": ["cat", "cat"]})")[0], -1.0F);
}

TEST(FiftyOneLabels, RefuseDamagedFiles) {
  const test::TempDir dir;
  const auto error = [&dir](const std::string& text) {
    test::writeBytes(dir.file("samples.json"), text);
    return test::readError("fiftyone", dir.file("samples.json"));
  };
  EXPECT_THAT(error("{\"samples\": [NaN]}"), HasSubstr("line 1, column 14"));
  EXPECT_THAT(error("[]"), HasSubstr("no list 'samples'"));
  EXPECT_THAT(error("{\"samples\": {}}"), HasSubstr("no list 'samples'"));
  for (const char* const text :
       {R"({"samples": [null, 7, [], {}]})", R"({"samples": [{"filepath": 7}]})",
        R"({"samples": [{"filepath": "a", "ground_truth": 7}]})",
        R"({"samples": [{"filepath": "a", "ground_truth": {"_cls": "Classifications",
            "classifications": [null, 7, {"label": 7}]}}]})"}) {
    EXPECT_THAT(error(text), HasSubstr("contains no label"));
  }
}

}  // namespace
}  // namespace dubito
