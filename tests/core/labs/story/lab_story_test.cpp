// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/story/lab_story.h"

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;

LabStory twoSteps() {
  return {"Chains",
          {{"Small steps",
            "The chain creeps.",
            {Laboratory::kSampler, {{"seed", 3}, {"place", {0.1, -1e-300}}}}},
           {"Means", "Both are alike.", {Laboratory::kSimplex, {{"mean", {1.0 / 3.0, 0.5}}}}}}};
}

json asJson(const LabStory& story) {
  const test::TempDir folder;
  EXPECT_TRUE(saveLabStory(folder.file("story.json"), story));
  return json::parse(test::readBytes(folder.file("story.json")));
}

std::string errorOf(const json& object) {
  const auto story = parseLabStory(object.dump(), "story.json");
  return story ? "no error" : story.error().message;
}

TEST(LabStory, ARoundTripKeepsTextsAndPresets) {
  const test::TempDir folder;
  const LabStory story = twoSteps();
  ASSERT_TRUE(saveLabStory(folder.file("story.json"), story));
  const auto read = openLabStory(folder.file("story.json"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->title, "Chains");
  ASSERT_EQ(read->steps.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(read->steps[i].title, story.steps[i].title);
    EXPECT_EQ(read->steps[i].text, story.steps[i].text);
    EXPECT_EQ(read->steps[i].preset.laboratory, story.steps[i].preset.laboratory);
    EXPECT_EQ(labPresetToJson(read->steps[i].preset), labPresetToJson(story.steps[i].preset));
  }
}

TEST(LabStory, AStepIsThatOfTheFile) {
  const LabStory story = twoSteps();
  EXPECT_EQ(asJson(story).at("steps").at(1), storyStepToJson(story.steps[1]));
}

TEST(LabStory, ErrorsNameTheFileTheStepAndTheReason) {
  const json good = asJson(twoSteps());
  EXPECT_EQ(errorOf(good), "no error");
  const auto changed = [&good](const char* pointer, const json& value) {
    json object = good;
    object[json::json_pointer(pointer)] = value;
    return errorOf(object);
  };
  EXPECT_NE(changed("/format", "dubito-lab").find("story.json: is no story"), std::string::npos);
  EXPECT_NE(changed("/schema_version", 2).find("newer version"), std::string::npos);
  EXPECT_NE(changed("/title", "").find("the story has no title"), std::string::npos);
  EXPECT_NE(changed("/steps", json::array()).find("no steps"), std::string::npos);
  EXPECT_NE(changed("/steps/1/text", "").find("step 2 has no text"), std::string::npos);
  EXPECT_NE(changed("/steps/0/title", "").find("step 1 has no title"), std::string::npos);
  EXPECT_NE(changed("/steps/0/title", 4).find("is no story"), std::string::npos);
  EXPECT_NE(changed("/steps/1/preset/laboratory", "alchemy")
                .find("story.json, step 2: is no preset of a laboratory"),
            std::string::npos);
  json without = good;
  without["steps"][0].erase("preset");
  EXPECT_NE(errorOf(without).find("preset"), std::string::npos);
  const auto text = parseLabStory("hello", "story.json");
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().message.find("not JSON"), std::string::npos);
  const auto missing = openLabStory("missing.json");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("missing.json: cannot be read"), std::string::npos);
}

TEST(LabStory, AnIncompleteStoryIsNotWritten) {
  const test::TempDir folder;
  LabStory story = twoSteps();
  story.steps[1].title.clear();
  const Status saved = saveLabStory(folder.file("story.json"), story);
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().message, "step 2 has no title; write one");
  EXPECT_FALSE(std::filesystem::exists(folder.file("story.json")));
}

TEST(LabStory, AStepIsCompletedByTheDefaults) {
  const json defaults = {{"seed", 0},
                         {"data", "sine"},
                         {"axes", nullptr},
                         {"options", {{"points", 100}, {"scale", true}}}};
  const json completed = completedSetUp(
      defaults, {{"options", {{"points", 20}}}, {"data", {{"x", {1.0}}}}, {"axes", {{"x", 1}}}});
  EXPECT_EQ(completed, (json{{"seed", 0},
                             {"data", {{"x", {1.0}}}},
                             {"axes", {{"x", 1}}},
                             {"options", {{"points", 20}, {"scale", true}}}}));
}

TEST(LabFileKind, IsThatOfTheContent) {
  const test::TempDir folder;
  const auto kindOf = [&folder](const std::string& text) {
    test::writeBytes(folder.path() / "file.json", text);
    return labFileKind(folder.file("file.json"));
  };
  EXPECT_EQ(kindOf(asJson(twoSteps()).dump()), LabFileKind::kStory);
  EXPECT_EQ(kindOf(labPresetToJson(twoSteps().steps[0].preset).dump()), LabFileKind::kPreset);
  // Labels that only have the word.
  EXPECT_EQ(kindOf(R"({"categories": ["dubito-lab"], "annotations": []})"), LabFileKind::kNone);
  EXPECT_EQ(kindOf(R"({"info": {"format": "dubito-story"}})"), LabFileKind::kNone);
  EXPECT_EQ(kindOf("[\"dubito-story\"]"), LabFileKind::kNone);
  EXPECT_EQ(kindOf("dubito-story"), LabFileKind::kNone);
  EXPECT_EQ(labFileKind(folder.file("missing.json")), LabFileKind::kNone);
  EXPECT_EQ(labFileKind(folder.path().string()), LabFileKind::kNone);
}

}  // namespace
}  // namespace dubito
