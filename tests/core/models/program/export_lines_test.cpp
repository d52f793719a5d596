// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/program/export_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "core/models/model.h"
#include "core/models/program/foreign_file.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ExportLines, NameWhatIsHeldAndTheFileToWrite) {
  EXPECT_THAT(exportLines(HeldNetwork::kStateDict, "weights/best.pt"),
              AllOf(HasSubstr("torch.load(\"weights/best.pt\", map_location=\"cpu\")"),
                    HasSubstr("dynamic_shapes=({0: torch.export.Dim.DYNAMIC},)"),
                    EndsWith("torch.export.save(program, \"best.pt2\")\n")));
  EXPECT_THAT(exportLines(HeldNetwork::kHuggingFace, "hub/vit/"),
              AllOf(HasSubstr("from_pretrained(\"hub/vit/\")"), HasSubstr("id2label")));
  EXPECT_THAT(exportLines(HeldNetwork::kTimm, "hub/resnet18"),
              AllOf(HasSubstr("\"local-dir:\" + \"hub/resnet18\""), HasSubstr("resnet18.pt2")));
  EXPECT_EQ(exportLines(HeldNetwork::kTensorFlow, "saved model"),
            "python -m tf2onnx.convert --saved-model 'saved model' --output saved_model.onnx\n");
}

/// Whoever copies the lines runs them.
TEST(ExportLines, ANameCannotAddLines) {
  const std::string name = "a\"); import os; os.remove('b')\n#'; rm -r ~ #.pt";
  for (const HeldNetwork held : {HeldNetwork::kStateDict, HeldNetwork::kPickledModule,
                                 HeldNetwork::kSafetensors, HeldNetwork::kKeras}) {
    EXPECT_THAT(exportLines(held, name),
                AllOf(HasSubstr("\"a\\\"); import os; os.remove('b')\\n#'; rm -r ~ #.pt\""),
                      HasSubstr("\"a____import_os__os.remove__b_______rm_-r____.")));
  }
  EXPECT_THAT(exportLines(HeldNetwork::kTensorFlowLite, name),
              AllOf(HasSubstr("--tflite 'a\"); import os; os.remove('\\''b'\\'')?#'\\''; rm -r ~ "
                              "#.pt' --output a____import"),
                    Not(HasSubstr("\nrm"))));
  EXPECT_THAT(exportLines(HeldNetwork::kTensorFlowLite, "-o.tflite"), HasSubstr("net.onnx"));
}

TEST(ExportLines, ComeWithTheErrorOfEachKind) {
  const test::TempDir folder;
  RunContext context;
  const auto linesFor = [&](const std::string& name, const std::string& bytes) {
    std::filesystem::create_directories((folder.path() / name).parent_path());
    test::writeBytes(folder.path() / name, bytes);
    const auto model = loadModel(folder.file(name), {}, context);
    return model ? std::string() : model.error().remedy.lines;
  };
  EXPECT_THAT(linesFor("net.safetensors", std::string("@\0\0\0\0\0\0\0{\"w\":", 13)),
              HasSubstr("safetensors.torch"));
  EXPECT_THAT(linesFor("old.pt", "\x80\x02}q"), HasSubstr("weights_only=False"));
  EXPECT_THAT(linesFor("net.keras", "\x89HDF\r\n"), HasSubstr("keras.saving.load_model"));
  EXPECT_THAT(linesFor("net.tflite", std::string("\x1c\0\0\0TFL3....", 12)), HasSubstr("--tflite"));
  EXPECT_THAT(linesFor("net.engine", "ftrt0000"), HasSubstr("before it was converted"));
  // What is no network offers nothing.
  EXPECT_EQ(linesFor("predictions.csv", "a,b\n0.1,0.9\n"), "");

  const auto linesOfFolder = [&](const std::string& name) {
    const auto model = loadModel(folder.file(name), {}, context);
    return model ? std::string() : model.error().remedy.lines;
  };
  linesFor("vit/config.json", R"({"architectures": ["ViTForImageClassification"]})");
  EXPECT_THAT(linesOfFolder("vit"), HasSubstr("AutoModelForImageClassification"));
  linesFor("timm/config.json", R"({"architecture": "resnet18"})");
  EXPECT_THAT(linesOfFolder("timm"), HasSubstr("timm.create_model"));
  linesFor("tf/saved_model.pb", "");
  EXPECT_THAT(linesOfFolder("tf"), HasSubstr("--saved-model"));
  linesFor("images/config.json", R"({"labels": 3})");
  EXPECT_FALSE(isForeignNetwork(folder.file("images")));
  EXPECT_TRUE(isForeignNetwork(folder.file("vit")));
  EXPECT_TRUE(isForeignNetwork("NET.SafeTensors"));
  EXPECT_FALSE(isForeignNetwork("table.csv"));
}

}  // namespace
}  // namespace dubito
