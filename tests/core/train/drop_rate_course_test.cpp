// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/drop_rate_course.h"

#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/train/layers_torch.h"
#include "core/train/train.h"
#include "tests/core/train/memory_dataset.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using test::TempDir;

void writeArchive(const std::string& path, const std::string& metadata) {
  torch::jit::Module network = emptyModule("nothing");
  network.define("def forward(self, x):\n  return x\n");
  network.save(path, {{"metadata.json", metadata}});
}

LayerDropRates layer(const std::string& name, double mean, std::vector<double> units = {}) {
  return {.layer = name, .mean = mean, .smallest = 0.1, .largest = 0.5, .units = std::move(units)};
}

TEST(DropRateCourse, IsReadFromTheFileOfATrainedNetwork) {
  for (const char* const dropout : {"concrete", "multi", "fixed"}) {
    const TempDir dir;
    RunContext context;
    TrainOptions options;
    options.architecture = "mlp";
    options.epochs = 3;
    options.dropout = dropout;
    const auto report = train(test::barImages(60, 12), options, dir.file("m.pt"), context);
    ASSERT_OK(report);
    const auto course = readDropRateCourse(dir.file("m.pt"));
    ASSERT_OK(course);
    ASSERT_EQ(course->size(), std::string(dropout) == "fixed" ? 0U : 3U);
    for (std::size_t epoch = 0; epoch < course->size(); ++epoch) {
      const std::vector<LayerDropRates>& told = report->epochs[epoch].drop_rates;
      ASSERT_EQ((*course)[epoch].size(), told.size());
      for (std::size_t i = 0; i < told.size(); ++i) {
        EXPECT_EQ((*course)[epoch][i].layer, told[i].layer);
        EXPECT_EQ((*course)[epoch][i].mean, told[i].mean);
        EXPECT_EQ((*course)[epoch][i].smallest, told[i].smallest);
        EXPECT_EQ((*course)[epoch][i].largest, told[i].largest);
        EXPECT_EQ((*course)[epoch][i].units, told[i].units);
      }
    }
  }
}

TEST(DropRateCourse, IsEmptyWithoutMetadataOrRates) {
  const TempDir dir;
  for (const char* const metadata : {"{}", R"({"training": {}})", R"({"name": "net"})"}) {
    writeArchive(dir.file("m.pt"), metadata);
    const auto course = readDropRateCourse(dir.file("m.pt"));
    ASSERT_OK(course) << metadata;
    EXPECT_TRUE(course->empty());
  }
}

TEST(DropRateCourse, ThatIsDamagedNamesTheFile) {
  const TempDir dir;
  nlohmann::json training;
  addDropRateCourse({{layer("a", 0.1)}, {layer("b", 0.1)}}, training);
  const std::string other_layers = nlohmann::json{{"training", training}}.dump();
  training.clear();
  addDropRateCourse({{layer("a", 0.1, {0.1, 0.2})}, {layer("a", 0.1, {0.1})}}, training);
  const std::string other_units = nlohmann::json{{"training", training}}.dump();
  for (const std::string& metadata :
       {std::string("{"), std::string(R"({"training": {"drop_rates": [[{"layer": 1}]]}})"),
        std::string(R"({"training": {"drop_rates": 3}})"), other_layers, other_units}) {
    writeArchive(dir.file("m.pt"), metadata);
    const auto course = readDropRateCourse(dir.file("m.pt"));
    ASSERT_FALSE(course.has_value()) << metadata;
    EXPECT_EQ(course.error().code, ErrorCode::kMalformed);
    EXPECT_EQ(course.error().message.find(dir.file("m.pt") + ": "), 0U) << course.error().message;
  }
  std::ofstream(dir.file("text.pt")) << "no archive";
  EXPECT_EQ(readDropRateCourse(dir.file("text.pt")).error().code, ErrorCode::kMalformed);
  EXPECT_EQ(readDropRateCourse(dir.file("absent.pt")).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace dubito
