// SPDX-License-Identifier: GPL-3.0-or-later
// Exported programs compute what torch computes with them, and their layers are found.
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/models/exported/exported_archive_torch.h"
#include "core/models/exported/exported_reader_torch.h"
#include "core/models/graph_torch.h"
#include "core/models/model.h"
#include "core/models/model_torch.h"
#include "core/models/probe_torch.h"
#include "tests/core/models/exported/exported_files.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using test::exportedFixture;

constexpr std::int64_t kItems = 4;

/// What torch computes, by the name of the program.
std::map<std::string, nlohmann::json> expectations() {
  std::ifstream file(test::sourceDir() / "tests/data/models/exported/expected.json");
  return nlohmann::json::parse(file).get<std::map<std::string, nlohmann::json>>();
}

/// The numbers that make_fixtures.py computed with.
at::Tensor items(std::vector<std::int64_t> shape) {
  shape.insert(shape.begin(), kItems);
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    count *= size;
  }
  return at::sin(0.7 * at::arange(1, count + 1, at::kDouble)).to(at::kFloat).view(shape);
}

at::Tensor rowsIn(const nlohmann::json& expected) {
  std::vector<at::Tensor> rows;
  for (const nlohmann::json& row : expected.at("rows")) {
    rows.push_back(at::tensor(row.get<std::vector<double>>(), at::kDouble));
  }
  return at::stack(rows);
}

ModelPtr opened(const std::string& path) {
  RunContext context;
  LoadModelOptions options;
  options.output_key = path.ends_with("dictionary.pt2") ? "logits" : "";
  const auto model = loadModel(path, options, context);
  EXPECT_OK(model) << path;
  return model ? *model : nullptr;
}

at::Tensor inference(const Model& model, const at::Tensor& x) {
  GraphRunner runner(deterministicGraph(*model.impl().network.graph), "test",
                     model.audit().items_per_pass);
  return runner.run(deterministicInputs(model.impl().module, x)).at(0).toTensor().to(at::kDouble);
}

void expectRows(const std::string& name, const ModelPtr& model, const nlohmann::json& expected) {
  ASSERT_TRUE(model) << name;
  const at::Tensor x = items(expected.at("shape").get<std::vector<std::int64_t>>());
  const at::Tensor rows = rowsIn(expected);
  EXPECT_LT((inference(*model, x) - rows).abs().max().item<double>(), 1e-5) << name;
  for (std::int64_t i = 0; i < kItems; ++i) {  // one item alone
    const at::Tensor row = inference(*model, x.slice(0, i, i + 1));
    EXPECT_LT((row - rows.slice(0, i, i + 1)).abs().max().item<double>(), 1e-5) << name << i;
  }
}

TEST(Exported, EveryProgramComputesWhatTorchComputes) {
  for (const auto& [name, expected] : expectations()) {
    expectRows(name, opened(exportedFixture(name)), expected);
  }
}

/// The length of a vector, or height and width of an image.
std::vector<std::int64_t> sizeOf(const nlohmann::json& expected) {
  const auto shape = expected.at("shape").get<std::vector<std::int64_t>>();
  return shape.size() == 1 ? shape : std::vector<std::int64_t>(shape.end() - 2, shape.end());
}

TEST(Exported, AProgramSavedAsTorchScriptIsTheSame) {
  const test::TempDir folder;
  for (const auto& [name, expected] : expectations()) {
    const auto file = readExported(exportedFixture(name));
    ASSERT_OK(file) << name;
    const std::string path = folder.file(name == "dictionary" ? "dictionary.pt2" : name + ".pt");
    const nlohmann::json metadata = {{"input_size", sizeOf(expected)}};
    file->module.save(path, {{"metadata.json", metadata.dump()}});
    expectRows(name, opened(path), expected);
  }
}

/// "features.2 0.25, drop 0.5": the sites that draw by default.
std::string sitesOf(const ModelAudit& audit) {
  std::string sites;
  for (const DropoutSite& site : audit.dropout_sites) {
    if (drawsByDefault(site)) {
      sites += (sites.empty() ? "" : ", ") + site.name + " " +
               (site.is_noise ? std::string("noise") : std::to_string(site.drop_rate).substr(0, 4));
    }
  }
  return sites;
}

TEST(Exported, DropoutFollowsTrainingInWhicheverModeItWasExported) {
  const std::map<std::string, std::string> sites = {
      {"plain", "features.2 0.25, drop 0.50"},
      {"fixed_batch", "features.2 0.25, drop 0.50"},
      {"training", "features.2 0.25, drop 0.50"},
      {"decomposed", ""},
      {"drop_path", "features.2 0.25"},
      {"drop_path_training", "features.2 0.25, functional 0.40"},
      {"attention", "drop 0.20"},
      {"gru", "gru 0.30"},
      {"decomposed_training", "features.2 0.25, drop 0.50"},
      {"torch_2_5", "drop 0.50"},
      {"torch_2_5_training", "features.2 0.25, drop 0.50"},
      {"torch_2_5_attention", "drop 0.20"},
      {"three_pickles", "features.2 0.25, drop 0.50"}};
  for (const auto& [name, expected] : sites) {
    const ModelPtr model = opened(exportedFixture(name));
    ASSERT_TRUE(model);
    EXPECT_EQ(sitesOf(model->audit()), expected) << name;
  }
}

TEST(Exported, HeadsOfDecomposedLayersAreFound) {
  for (const auto& [name, expected] : expectations()) {
    const ModelPtr model = opened(exportedFixture(name));
    ASSERT_TRUE(model) << name;
    EXPECT_TRUE(model->audit().head.found) << name << ": " << model->audit().head.reason;
    EXPECT_LT(model->audit().head.reconstruction_error, 1e-5) << name;
  }
}

TEST(Exported, TheFileTellsShapeBatchAndVersion) {
  const auto plain = readExported(exportedFixture("plain"));
  ASSERT_OK(plain);
  EXPECT_EQ(plain->input.item_shape, (std::vector<std::int64_t>{1, 10, 10}));
  EXPECT_EQ(plain->input.batch, 0);
  EXPECT_EQ(plain->written_by.substr(0, 14), "by torch 2.11.");
  EXPECT_EQ(nlohmann::json::parse(plain->metadata_json), (nlohmann::json{{"name", "plain"}}));
  const ModelPtr model = opened(exportedFixture("plain"));
  ASSERT_TRUE(model);
  EXPECT_EQ(model->audit().format, "exported program");
  EXPECT_EQ(model->metadata().name, "plain");
  EXPECT_EQ(model->audit().input_shape, (std::vector<std::int64_t>{1, 10, 10}));
  ASSERT_EQ(model->audit().inputs.size(), 1U);
  EXPECT_EQ(model->audit().inputs[0].name, "x");
  EXPECT_EQ(model->audit().inputs[0].shape, (std::vector<std::int64_t>{0, 1, 10, 10}));
  EXPECT_EQ(model->audit().inputs[0].type, "Float");
  for (const std::string& note : textsOf(model->audit().notes)) {
    EXPECT_THAT(note, Not(HasSubstr("input size"))) << "the size is not guessed";
  }
  const auto old = readExported(exportedFixture("three_pickles"));
  ASSERT_OK(old);
  EXPECT_EQ(nlohmann::json::parse(old->metadata_json), (nlohmann::json{{"name", "from 2.5"}}));
}

TEST(Exported, AFixedBatchIsFilledUpAndSaidInEveryRun) {
  const ModelPtr model = opened(exportedFixture("fixed_batch"));
  ASSERT_TRUE(model);
  EXPECT_EQ(model->audit().items_per_pass.min, 3);
  EXPECT_EQ(model->audit().items_per_pass.max, 3);
  ASSERT_FALSE(model->audit().run_notes.empty());
  EXPECT_THAT(model->audit().run_notes.back(), HasSubstr("batches of exactly 3 only"));
  EXPECT_THAT(model->audit().run_notes.back(), HasSubstr("torch.export.Dim.DYNAMIC"));
}

TEST(Exported, SharedWeightsStayShared) {
  const auto file = readExported(exportedFixture("shared"));
  ASSERT_OK(file);
  const torch::jit::Module& module = file->module;
  const at::Tensor first = module.attr("first").toModule().attr("weight").toTensor();
  const at::Tensor second = module.attr("second").toModule().attr("weight").toTensor();
  EXPECT_TRUE(first.is_alias_of(second));
}

/// Without it, torch multiplies transposed inputs row by row, which takes three times as long.
TEST(Exported, ParametersCanBeTrained) {
  for (const char* const name : {"plain", "torch_2_5"}) {
    const auto file = readExported(exportedFixture(name));
    ASSERT_OK(file);
    for (const at::Tensor& parameter : file->module.parameters()) {
      EXPECT_TRUE(parameter.requires_grad());
    }
    EXPECT_EQ(file->module.parameters().size(), 8U);
    for (const at::Tensor& buffer : file->module.buffers()) {
      EXPECT_FALSE(buffer.requires_grad());
    }
  }
}

TEST(Exported, HalfPrecisionIsSaidAndComputedWider) {
  for (const auto& [name, type] : {std::pair("half", "Half"), std::pair("bfloat16", "BFloat16")}) {
    const ModelPtr model = opened(exportedFixture(name));
    ASSERT_TRUE(model);
    EXPECT_EQ(model->audit().number_type, type);
    EXPECT_EQ(inference(*model, items({6})).sizes(), (std::vector<std::int64_t>{kItems, 5}));
  }
}

TEST(Exported, InputsThatAreNoItemsAreNamed) {
  for (const auto& [name, text] :
       {std::pair("two_inputs", "2 tensors ('x' [4, 6] Float, 'mask' [4, 6] Float) instead of one"),
        std::pair("tokens",
                  "numbers of type Long, such as words by number, instead of real "
                  "numbers ('tokens' [2, 3] Long)")}) {
    const auto file = readExported(exportedFixture(name));
    ASSERT_FALSE(file) << name;
    EXPECT_EQ(file.error().code, ErrorCode::kUnsupported);
    EXPECT_THAT(file.error().message, HasSubstr(text));
  }
}

TEST(Exported, LaterVersionsOfTheFormatAreTriedWithANote) {
  const test::TempDir folder;
  const std::string path = folder.file("later.pt2");
  test::writeChangedProgram("plain", path, [](nlohmann::json& program) {
    program["schema_version"]["major"] = 9;
    program["added_in_9"] = {{"anything", 1}};
  });
  const auto file = readExported(path);
  ASSERT_OK(file);
  ASSERT_EQ(file->run_notes.size(), 1U);
  EXPECT_THAT(file->run_notes.front(), HasSubstr("version 9 of its format, newer than the 8"));
}

TEST(Exported, PackagesWithoutAGraphAreRefusedByWhatTheyAre) {
  const test::TempDir folder;
  const std::string compiled = folder.file("compiled.pt2");
  test::writeChanged("plain", compiled, [](test::Records& records) {
    records.erase("models/model.json");
    records["data/aotinductor/model/code.wrapper.so"] = "ELF";
  });
  const std::string several = folder.file("several.pt2");
  test::writeChanged("plain", several, [](test::Records& records) {
    records["models/student.json"] = records.at("models/model.json");
    records["models/teacher.json"] = records.at("models/model.json");
    records.erase("models/model.json");
  });
  for (const auto& [path, text] : {std::pair(compiled, "compiled for one kind of machine"),
                                   std::pair(several, "several programs ('student', 'teacher')")}) {
    EXPECT_TRUE(isExportedArchive(path));
    RunContext context;
    const auto model = loadModel(path, {}, context);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, ErrorCode::kUnsupported);
    EXPECT_THAT(model.error().message, HasSubstr(text));
    EXPECT_THAT(model.error().message, HasSubstr("torch.export.save"));
  }
  EXPECT_FALSE(isExportedArchive((test::sourceDir() / "datasets/samples/lenet-mnist.pt").string()));
}

}  // namespace
}  // namespace dubito
