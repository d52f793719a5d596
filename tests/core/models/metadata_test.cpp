// SPDX-License-Identifier: GPL-3.0-or-later
// Metadata as other programs and people write it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/models/foreign_classes.h"
#include "core/models/model.h"
#include "core/models/model_metadata.h"
#include "core/models/program/relaxed_json.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using Names = std::vector<std::string>;
using nlohmann::json;

using ::testing::AllOf;
using ::testing::Contains;

const Names kAnimals{"cat", "dog", "owl"};
constexpr const char* kNone = "none: defaults";

ModelMetadata read(const std::string& text) {
  const auto metadata = parseModelMetadata(text, "m.json");
  EXPECT_OK(metadata);
  return metadata.value_or(ModelMetadata());
}

std::string notesOf(const std::string& text) {
  std::string all;
  for (const std::string& note : read(text).notes) {
    all += note + "\n";
  }
  return all;
}

TEST(ForeignMetadata, ClassesInEveryUsualForm) {
  for (
      const char* const text : {
          R"({"classes": ["cat", "dog", "owl"]})",
          R"({"classes": {"0": "cat", "1": "dog", "2": "owl"}})",
          R"({"classes": {"owl": 2, "cat": 0, "dog": 1}})",
          R"({"class_to_idx": {"owl": 2, "dog": 1, "cat": 0}})",
          R"({"label2id": {"cat": 0, "dog": 1, "owl": 2}, "id2label": {"0": "cat", "1": "dog", "2": "owl"}})",
          R"({"idx_to_class": {"2": "owl", "0": "cat", "1": "dog"}})",
          R"({"label_names": ["cat", "dog", "owl"]})",
          R"({"class_names": ["cat", "dog", "owl"]})",
          R"({"vocab": ["cat", "dog", "owl"]})",
          R"({"names": {"0": "cat", "1": "dog", "2": "owl"}})",
          R"({"categories": [{"id": 1, "name": "dog"}, {"id": 0, "name": "cat"}, {"id": 2, "name": "owl"}]})",
          R"({"pretrained_cfg": {"label_names": ["cat", "dog", "owl"]}})",
          R"({'classes': ['cat', 'dog', 'owl']})",
          R"({'names': {0: 'cat', 1: 'dog', 2: 'owl'}})",
      }) {
    EXPECT_EQ(read(text).class_names, kAnimals) << text;
  }
  // Ten classes in the order of their numbers, not of the text.
  json ten;
  for (int i = 0; i < 12; ++i) {
    ten["id2label"][std::to_string(i)] = "c" + std::to_string(i);
  }
  EXPECT_EQ(read(ten.dump()).class_names.at(2), "c2");
}

TEST(ForeignMetadata, UnclearClassesAreIgnoredAndSaid) {
  for (const char* const text :
       {R"({"class_to_idx": {"cat": 1, "dog": 2}})", R"({"class_to_idx": {"cat": 0, "dog": 0}})",
        R"({"id2label": {"0": "cat", "5": "dog"}})", R"({"names": {"0": 1, "1": 2, "2": 0}})",
        R"({"labels": [[1], [2]]})", R"({"names": []})"}) {
    EXPECT_TRUE(read(text).class_names.empty()) << text;
    EXPECT_THAT(notesOf(text), HasSubstr("it does not name classes 0 to K - 1"));
  }
  EXPECT_THAT(notesOf(R"({"id2label": {"0": "LABEL_0", "1": "LABEL_1"}})"),
              HasSubstr("its names are placeholders"));
  const auto contradiction = parseModelMetadata(
      R"({"classes": ["cat", "dog"], "class_to_idx": {"dog": 0, "cat": 1}})", "m");
  ASSERT_FALSE(contradiction);
  EXPECT_THAT(contradiction.error().message,
              HasSubstr("'classes' and 'class_to_idx' name the classes differently"));
}

TEST(ForeignMetadata, PreprocessingOfOtherPrograms) {
  const ModelMetadata timm = read(R"({"input_size": [3, 224, 224], "interpolation": "bicubic",
      "mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225], "crop_pct": 0.875,
      "crop_mode": "center", "num_classes": 2})");
  EXPECT_EQ(timm.preprocessing.resize, "shorter-side");
  EXPECT_EQ(timm.preprocessing.resize_to, 256);
  EXPECT_EQ(timm.preprocessing.height, 224);
  EXPECT_EQ(timm.preprocessing.channels, 3);
  EXPECT_EQ(timm.preprocessing.interpolation, "bicubic");
  ASSERT_EQ(timm.notes.size(), 2U);
  EXPECT_EQ(timm.notes[0], "m.json: read resize from crop_pct, resize_to from crop_pct");
  EXPECT_EQ(timm.notes[1], "m.json: the unknown key 'num_classes' was ignored");

  const ModelMetadata hugging_face = read(R"({"do_center_crop": true, "do_normalize": true,
      "do_rescale": true, "image_mean": [0.5, 0.4, 0.3], "image_std": [0.2, 0.2, 0.2],
      "rescale_factor": 0.00392156862745098, "resample": 3, "size": {"shortest_edge": 256},
      "crop_size": {"height": 224, "width": 192}})");
  EXPECT_EQ(hugging_face.preprocessing.mean, (std::vector<double>{0.5, 0.4, 0.3}));
  EXPECT_EQ(hugging_face.preprocessing.std, (std::vector<double>{0.2, 0.2, 0.2}));
  EXPECT_EQ(hugging_face.preprocessing.width, 192);
  EXPECT_EQ(hugging_face.preprocessing.resize_to, 256);
  EXPECT_EQ(hugging_face.preprocessing.interpolation, "bicubic");
  EXPECT_TRUE(hugging_face.scale_declared);

  const ModelMetadata exact = read(R"({"do_center_crop": false, "crop_size": 512,
      "size": {"height": 64, "width": 48}, "do_rescale": false, "do_normalize": false,
      "image_mean": [0.5], "resample": 2})");
  EXPECT_EQ(exact.preprocessing.height, 64);
  EXPECT_EQ(exact.preprocessing.resize, "exact");
  EXPECT_EQ(exact.preprocessing.scale, 1.0);
  EXPECT_TRUE(exact.preprocessing.mean.empty());

  const ModelMetadata torchvision = read(R"({"crop_size": [224], "resize_size": [232],
      "mean": [0.485, 0.456, 0.406], "interpolation": "InterpolationMode.BILINEAR"})");
  EXPECT_EQ(torchvision.preprocessing.resize_to, 232);
  EXPECT_EQ(torchvision.preprocessing.height, 224);
  EXPECT_EQ(torchvision.preprocessing.interpolation, "bilinear");

  const ModelMetadata yolo = read(R"({"imgsz": 32, "in_channels": 1, "input_space": "BGR"})");
  EXPECT_EQ(yolo.preprocessing.width, 32);
  EXPECT_EQ(yolo.preprocessing.channels, 1);
  EXPECT_EQ(yolo.preprocessing.channel_order, "bgr");

  const ModelMetadata convnext = read(R"({"size": {"shortest_edge": 224}, "crop_pct": 0.875})");
  EXPECT_EQ(convnext.preprocessing.resize_to, 256);
  EXPECT_EQ(convnext.preprocessing.height, 224);
  const ModelMetadata large = read(R"({"size": {"shortest_edge": 384}, "crop_pct": 0.875})");
  EXPECT_EQ(large.preprocessing.resize, "exact");
  EXPECT_EQ(large.preprocessing.height, 384);
  EXPECT_EQ(read(R"({"do_flip_channel_order": true})").preprocessing.channel_order, "bgr");

  // Keys of our own win.
  const ModelMetadata own = read(R"({"input_size": [8, 8], "image_size": 32, "resize": "exact",
      "crop_pct": 0.5, "mean": 0.1, "image_mean": 0.9})");
  EXPECT_EQ(own.preprocessing.height, 8);
  EXPECT_EQ(own.preprocessing.resize, "exact");
  EXPECT_EQ(own.preprocessing.mean, std::vector<double>{0.1});
  EXPECT_THAT(notesOf(R"({"input_size": [8, 8], "interpolation": "lanczos"})"),
              HasSubstr("'interpolation' (\"lanczos\" is not supported, bilinear is used)"));
  EXPECT_FALSE(parseModelMetadata(R"({"interpolation": "cubicle"})", "m"));
}

TEST(ForeignMetadata, MeansOfBytesAreNotDividedBy255) {
  const std::string text = R"({"mean": [123.675, 116.28, 103.53], "std": [58.395, 57.12, 57.375])";
  const ModelMetadata corrected = read(text + "}");
  EXPECT_EQ(corrected.preprocessing.scale, 1.0);
  ASSERT_EQ(corrected.notes.size(), 1U);
  EXPECT_THAT(corrected.notes[0], HasSubstr("mean and std are for values from 0 to 255"));
  const ModelMetadata stated = read(text + R"(, "scale": 0.00392156862745098})");
  EXPECT_NEAR(stated.preprocessing.scale, 1.0 / 255.0, 1e-12);
  EXPECT_TRUE(stated.notes.empty());
  EXPECT_EQ(read(R"({"mean": [0, 0, 0], "std": [255, 255, 255]})").preprocessing.scale, 1.0);
  EXPECT_NEAR(read(R"({"mean": 0.13, "std": 0.3})").preprocessing.scale, 1.0 / 255.0, 1e-12);
}

TEST(RelaxedJson, WhatIsAlmostJson) {
  const auto object = [](const std::string& text) {
    const auto parsed = parseRelaxed(text);
    EXPECT_TRUE(parsed) << text;
    return parsed ? parsed->object : json();
  };
  EXPECT_EQ(parseRelaxed(R"({"a": 1})")->deviation, "");
  EXPECT_EQ(parseRelaxed(R"({"a": [1, 2,],})")->deviation, "it has trailing commas");
  EXPECT_EQ(object(R"({"a": [1, 2 , ] , })"), json::parse(R"({"a": [1, 2]})"));
  EXPECT_EQ(object("{'a': (1, 2,), 'b': True, 'c': None, \"d\": 'it\\'s \"x\"'}"),
            json::parse(R"({"a": [1, 2], "b": true, "c": null, "d": "it's \"x\""})"));
  EXPECT_EQ(object("# comment, 'with' {signs}\n{0: 'a', -1: u'b', // more\n 'x': .5, 'y': 1.}"),
            json::parse(R"({"0": "a", "-1": "b", "x": 0.5, "y": 1.0})"));
  EXPECT_EQ(object(R"({'a': 'caf\xe9 \u20ac', /* "b": 1 */ 'c': 'x # y'})"),
            json::parse(R"({"a": "caf\u00e9 \u20ac", "c": "x # y"})"));
  for (const char* const text :
       {"", "[1, 2]", "'x'", "{'a': np.float64(1)}", "{'a': OrderedDict()}", "{'a': 'x", "{'a': 1",
        "{a: 1}", "{'a': {1, 2}}", "{'a': nan}", "{'a': '\\N{DEGREE SIGN}'}", "{'a' 1}", "/*"}) {
    EXPECT_FALSE(parseRelaxed(text)) << text;
  }
  EXPECT_EQ(firstJsonError("{\"a\": 1,\n \"b\": x}"), "line 2, column 7");
  EXPECT_EQ(firstJsonError("{\"a\": 1e999}"), "a number that is too large");
  EXPECT_FALSE(parseModelMetadata("{\"mean\": 1e999}", "m.json"));
  const auto refused = parseModelMetadata("{\"classes\": [\"a\"\n \"b\"]}", "m.json");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("this is not a JSON object (see line 2"));
}

TEST(FoundMetadata, FilesBesideTheModelInOtherForms) {
  const test::TempDir folder;
  test::writeBytes(folder.file("net.json"), "{'classes': ['cat', 'dog', 'owl'],}");
  const auto found = findModelMetadata(folder.file("net.pt"), "", "");
  ASSERT_OK(found);
  EXPECT_EQ(found->metadata.class_names, kAnimals);
  EXPECT_FALSE(found->declares_values);
  EXPECT_TRUE(found->metadata.preprocessing.scale_guessed);
  EXPECT_THAT(found->metadata.notes.at(0), HasSubstr("is not JSON (it has single quotes"));
  // Written again it is JSON, with everything that was in it.
  ModelMetadata changed = found->metadata;
  changed.preprocessing.scale = 1.0;
  ASSERT_OK(writeModelMetadata(folder.file("net.pt"), changed));
  const auto again = findModelMetadata(folder.file("net.pt"), "", "");
  ASSERT_OK(again);
  EXPECT_EQ(again->metadata.class_names, kAnimals);
  EXPECT_FALSE(again->metadata.preprocessing.scale_guessed);

  test::writeBytes(folder.file("net.json"), R"({"image_mean": [0.5], "image_std": [0.5]})");
  EXPECT_TRUE(findModelMetadata(folder.file("net.pt"), "", "")->declares_values);
  test::writeBytes(folder.file("net.json"), "{\"classes\": [\"a\" \"b\"]}");
  const auto broken = findModelMetadata(folder.file("net.pt"), "", "");
  ASSERT_OK(broken);
  EXPECT_THAT(broken->metadata.notes.at(0),
              HasSubstr("net.json is next to the model but is not JSON (line 1"));
  // Over the metadata of the archive, key by key.
  test::writeBytes(folder.file("net.json"), R"({"class_to_idx": {"owl": 0, "cat": 1, "dog": 2}})");
  const auto both = findModelMetadata(folder.file("net.pt"), "",
                                      R"({"classes": ["a", "b", "c"], "input_size": 8})");
  ASSERT_OK(both);
  EXPECT_EQ(both->metadata.class_names, (Names{"owl", "cat", "dog"}));
  EXPECT_EQ(both->metadata.preprocessing.height, 8);
  EXPECT_THAT(both->metadata.notes.back(),
              HasSubstr("overrides the metadata inside the archive: classes"));
}

TEST(FoundMetadata, FilesOfHuggingFaceBesideTheModel) {
  const test::TempDir folder;
  test::writeBytes(folder.file("config.json"),
                   R"({"model_type": "vit", "hidden_size": 8, "image_size": 16,
                       "id2label": {"0": "cat", "1": "dog", "2": "owl"}})");
  const auto of_network = findModelMetadata(folder.file("model.onnx"), "", "");
  ASSERT_OK(of_network);
  EXPECT_EQ(of_network->metadata.class_names, kAnimals);
  EXPECT_EQ(of_network->metadata.preprocessing.height, 16);
  EXPECT_EQ(of_network->metadata.source, "config.json");

  test::writeBytes(folder.file("preprocessor_config.json"),
                   R"({"do_resize": true, "size": {"height": 24, "width": 24}, "resample": 2,
                       "image_mean": [0.5, 0.5, 0.5], "image_std": [0.5, 0.5, 0.5],
                       "image_processor_type": "ViTImageProcessor", "rescale_offset": true})");
  std::filesystem::create_directory(folder.path() / "onnx");
  for (const char* const name : {"model.pt2", "model_fp16.onnx", "onnx/model_quantized.onnx"}) {
    const auto found = findModelMetadata(folder.file(name), "", "");
    ASSERT_OK(found);
    EXPECT_EQ(found->metadata.class_names, kAnimals) << name;
    EXPECT_EQ(found->metadata.preprocessing.height, 24);
    EXPECT_EQ(found->metadata.preprocessing.mean, (std::vector<double>{0.5, 0.5, 0.5}));
    EXPECT_TRUE(found->declares_values);
    EXPECT_THAT(found->metadata.notes.back(),
                AllOf(HasSubstr("config.json and preprocessor_config.json"),
                      HasSubstr("the unknown key 'rescale_offset' was ignored")));
  }
  // Of other networks there, nobody knows whether they are meant.
  EXPECT_EQ(findModelMetadata(folder.file("net.onnx"), "", "")->metadata.source, kNone);
  // Metadata of the model itself comes first.
  const auto inside = findModelMetadata(folder.file("model.onnx"), "", R"({"mean": 0.25})");
  ASSERT_OK(inside);
  EXPECT_TRUE(inside->metadata.class_names.empty());
  test::writeBytes(folder.file("model.json"), R"({"input_size": 8})");
  EXPECT_EQ(findModelMetadata(folder.file("model.onnx"), "", "")->metadata.preprocessing.height, 8);
  std::filesystem::remove(folder.path() / "model.json");

  test::writeBytes(folder.file("config.json"),
                   R"({"architecture": "resnet18", "num_classes": 3, "pooling": true,
                       "label_names": ["cat", "dog", "owl"],
                       "pretrained_cfg": {"input_size": [3, 16, 16], "mean": [0.1, 0.2, 0.3],
                                          "crop_pct": 0.5, "url": "x"}})");
  std::filesystem::remove(folder.path() / "preprocessor_config.json");
  const auto timm = findModelMetadata(folder.file("model.pt"), "", "");
  ASSERT_OK(timm);
  EXPECT_EQ(timm->metadata.class_names, kAnimals);
  EXPECT_EQ(timm->metadata.preprocessing.resize_to, 32);
  EXPECT_EQ(timm->metadata.preprocessing.mean, (std::vector<double>{0.1, 0.2, 0.3}));

  // A network with other classes than those described there keeps numbers.
  test::writeBytes(folder.file("config.json"),
                   R"({"model_type": "vit", "label_names": ["a", "b", "c", "d", "e", "f", "g"]})");
  std::filesystem::copy_file(test::sourceDir() / "tests/data/models/scripted_functional.pt",
                             folder.path() / "model.pt");
  RunContext context;
  const auto other = loadModel(folder.file("model.pt"), {}, context);
  ASSERT_OK(other);
  EXPECT_TRUE((*other)->metadata().class_names.empty());
  EXPECT_THAT((*other)->metadata().notes,
              Contains(HasSubstr("config.json: names 7 classes, but the network returns")));

  // What is of no network changes nothing; what is wrong is said.
  test::writeBytes(folder.file("config.json"), R"({"image_size": 99})");
  EXPECT_EQ(findModelMetadata(folder.file("model.pt"), "", "")->metadata.source, kNone);
  test::writeBytes(folder.file("config.json"), R"({"model_type": "vit", "image_size": 16})");
  test::writeBytes(folder.file("preprocessor_config.json"), R"({"mean": "large"})");
  const auto wrong = findModelMetadata(folder.file("model.pt"), "", "");
  ASSERT_OK(wrong);
  EXPECT_THAT(wrong->metadata.notes.at(0), HasSubstr("it was ignored"));
}

}  // namespace
}  // namespace dubito
