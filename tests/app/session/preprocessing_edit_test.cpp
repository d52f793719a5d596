// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/preprocessing_edit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/files/save_metadata.h"
#include "core/models/guessed_preprocessing.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

/// A copy of the small network, whose archive has metadata.
std::string networkIn(const test::TempDir& dir) {
  fs::copy_file(test::sourceDir() / "tests/data/models/scripted.pt", dir.path() / "net.pt");
  return dir.file("net.pt");
}

ModelPtr load(const std::string& path) {
  RunContext context;
  const auto model = loadModel(path, {}, context);
  if (!model) {
    throw std::runtime_error(model.error().message);
  }
  return *model;
}

std::string contentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(PreprocessingEdit, AnUnchangedEditIsTheSamePreprocessing) {
  const test::TempDir dir;
  const ModelPtr model = load(networkIn(dir));
  const auto edited = PreprocessingEdit::of(*model).metadata(model->metadata());
  ASSERT_OK(edited);
  EXPECT_EQ(edited->preprocessing.describe(), model->metadata().preprocessing.describe());
  EXPECT_EQ(edited->preprocessing.scale, model->metadata().preprocessing.scale);
  EXPECT_EQ(edited->preprocessing.mean, model->metadata().preprocessing.mean);
  EXPECT_EQ(edited->class_names, model->metadata().class_names);
}

/// The audit has tried a size; images are used as stored all the same, and saving keeps that.
TEST(PreprocessingEdit, ASizeThatIsNotStatedStaysOpen) {
  const test::TempDir dir;
  const std::string path = dir.file("net.pt");
  fs::copy_file(test::sourceDir() / "tests/data/models/any_size.pt", path);
  const ModelPtr model = load(path);
  ASSERT_EQ(model->metadata().preprocessing.height, 0);
  ASSERT_EQ(model->audit().input_shape.size(), 3U);
  const PreprocessingEdit edit = PreprocessingEdit::of(*model);
  EXPECT_EQ(edit.height, 0);
  EXPECT_EQ(edit.width, 0);
  const auto edited = edit.metadata(model->metadata());
  ASSERT_OK(edited);
  EXPECT_EQ(edited->preprocessing.describe(), model->metadata().preprocessing.describe());
  EXPECT_THAT(edited->preprocessing.describe(), HasSubstr("size as stored"));
}

TEST(PreprocessingEdit, KeepsTheLengthOfVectors) {
  ModelMetadata metadata;
  metadata.preprocessing.length = 10;
  PreprocessingEdit edit;
  edit.length = 10;
  edit.name = "renamed";
  const auto edited = edit.metadata(metadata);
  ASSERT_OK(edited);
  EXPECT_EQ(edited->preprocessing.length, 10);
  edit.height = edit.width = 28;
  EXPECT_EQ(edit.metadata(metadata)->preprocessing.length, 0);
}

TEST(PreprocessingEdit, OffersTheTensorsOfANetworkThatReturnsSeveral) {
  const test::TempDir dir;
  const std::string path = dir.file("net.pt");
  fs::copy_file(test::sourceDir() / "tests/data/models/two_scores.pt", path);
  RunContext context;
  const auto opened = saveOutputKey(path, "auxiliary", context);
  ASSERT_OK(opened);
  PreprocessingEdit edit = PreprocessingEdit::of(**opened);
  const auto choiceOf = [](const std::vector<Field>& fields) {
    const auto found = std::ranges::find_if(
        fields, [](const Field& field) { return field.info.name == "output_tensor"; });
    return found == fields.end() ? std::vector<std::string>() : found->info.choices;
  };
  EXPECT_EQ(choiceOf(edit.fields()),
            (std::vector<std::string>{"automatic", "0 'map' [N, 4, 2, 2]", "1 'logits' [N, 4]",
                                      "2 'auxiliary' [N, 4]"}));
  EXPECT_EQ(edit.output_tensor, "2 'auxiliary' [N, 4]");
  EXPECT_EQ(edit.metadata((*opened)->metadata())->output_key, "auxiliary");
  edit.output_tensor = "1 'logits' [N, 4]";
  EXPECT_EQ(edit.metadata((*opened)->metadata())->output_key, "logits");
  edit.output_tensor = "automatic";
  EXPECT_EQ(edit.metadata((*opened)->metadata())->output_key, "");
  // A network that returns one tensor has no choice.
  const test::TempDir other;
  const ModelPtr one = load(networkIn(other));
  EXPECT_TRUE(choiceOf(PreprocessingEdit::of(*one).fields()).empty());
}

TEST(PreprocessingEdit, AChoiceThatDoesNotLoadIsTakenBack) {
  const test::TempDir dir;
  const std::string path = dir.file("two.pt");
  fs::copy_file(test::sourceDir() / "tests/data/models/two_scores.pt", path);
  RunContext context;
  const auto refused = saveOutputKey(path, "map", context);
  ASSERT_FALSE(refused);
  EXPECT_FALSE(fs::exists(dir.file("two.json")));
}

TEST(PreprocessingEdit, ReadsNumbersAsPapersWriteThem) {
  PreprocessingEdit edit;
  edit.channels = "colour";
  edit.scale = " 1 / 255 ";
  edit.mean = "[0.485; 0.456, 0.406]";
  edit.std = "1/2";
  const auto read = edit.preprocessing();
  ASSERT_OK(read);
  EXPECT_EQ(read->scale, 1.0 / 255.0);
  EXPECT_EQ(read->mean, (std::vector<double>{0.485, 0.456, 0.406}));
  EXPECT_EQ(read->std, std::vector<double>{0.5});
  EXPECT_EQ(read->channels, 3);
}

TEST(PreprocessingEdit, NamesTheFieldThatIsWrong) {
  const auto refusal = [](auto change) {
    PreprocessingEdit edit;
    change(edit);
    const auto read = edit.preprocessing();
    return read ? std::string() : read.error().message;
  };
  using Edit = PreprocessingEdit;
  EXPECT_THAT(refusal([](Edit& edit) { edit.scale = "255th"; }), HasSubstr("Scale"));
  EXPECT_THAT(refusal([](Edit& edit) { edit.scale = "1/0"; }), HasSubstr("Scale"));
  EXPECT_THAT(refusal([](Edit& edit) { edit.mean = "grey"; }), HasSubstr("Mean"));
  EXPECT_THAT(refusal([](Edit& edit) { edit.std = "0"; }), HasSubstr("std"));
  EXPECT_THAT(refusal([](Edit& edit) { edit.height = 28; }), HasSubstr("28 x 0"));
}

TEST(PreprocessingEdit, PresetsCanBeUsed) {
  for (const ValuePreset& preset : valuePresets()) {
    PreprocessingEdit edit;
    edit.channels = "colour";
    edit.scale = preset.scale;
    edit.mean = preset.mean;
    edit.std = preset.std;
    EXPECT_TRUE(edit.preprocessing()) << preset.name;
  }
}

TEST(SaveMetadata, TheModelIsOpenedWithWhatWasWritten) {
  const test::TempDir dir;
  const std::string path = networkIn(dir);
  const ModelPtr before = load(path);
  PreprocessingEdit edit = PreprocessingEdit::of(*before);
  edit.scale = "1";
  edit.mean = "33";
  edit.std = "78.5";
  RunContext context;
  const auto model = saveMetadata(path, *edit.metadata(before->metadata()), context);
  ASSERT_OK(model);
  EXPECT_EQ((*model)->metadata().preprocessing.mean, std::vector<double>{33.0});
  EXPECT_TRUE(guessedPreprocessing((*model)->audit().notes).empty());
  EXPECT_EQ(load(path)->metadata().preprocessing.scale, 1.0);
}

TEST(SaveMetadata, WhatTheModelRefusesIsNotLeftBehind) {
  const test::TempDir dir;
  const std::string path = networkIn(dir);
  ModelMetadata metadata = load(path)->metadata();
  metadata.class_names = {"one", "class", "too", "few"};
  RunContext context;
  EXPECT_FALSE(saveMetadata(path, metadata, context));
  EXPECT_FALSE(fs::exists(dir.path() / "net.json"));
  const std::string mine = R"({"mean": 0.25, "author": "us"})";
  std::ofstream(dir.path() / "net.json") << mine;
  EXPECT_FALSE(saveMetadata(path, metadata, context));
  EXPECT_EQ(contentOf(dir.file("net.json")), mine);
}

}  // namespace
}  // namespace dubito
