// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/train.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/serialization/import.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "core/data/images/preprocessing.h"
#include "tests/core/train/memory_dataset.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

struct LoadedFile {
  torch::jit::Module network;
  nlohmann::json metadata;
};

LoadedFile load(const std::string& path) {
  torch::jit::ExtraFilesMap extra{{"metadata.json", ""}};
  LoadedFile file{torch::jit::load(path, at::kCPU, extra), {}};
  file.metadata = nlohmann::json::parse(extra["metadata.json"]);
  return file;
}

TrainOptions quickLenet() {
  TrainOptions options;
  options.epochs = 3;
  options.batch = 32;
  options.width = 0.2;
  options.shift = 1;
  return options;
}

std::vector<at::Tensor> weightsAfter(std::uint64_t seed, const TrainOptions& options) {
  const test::TempDir dir;
  RunContext context;
  context.seed = seed;
  const auto report = train(test::barImages(90, 20), options, dir.file("m.pt"), context);
  EXPECT_OK(report);
  std::vector<at::Tensor> weights;
  for (const at::Tensor& parameter : load(dir.file("m.pt")).network.parameters()) {
    weights.push_back(parameter.detach().clone());
  }
  return weights;
}

bool allEqual(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  bool equal = a.size() == b.size();
  for (std::size_t i = 0; equal && i < a.size(); ++i) {
    equal = a[i].equal(b[i]);
  }
  return equal;
}

TEST(Train, LenetLearnsAndItsFileSaysWhatItIs) {
  const test::TempDir dir;
  RunContext context;
  context.seed = 5;
  const auto dataset = test::barImages(600, 20);
  std::vector<EpochReport> epochs;
  const auto report = train(
      dataset, quickLenet(), dir.file("bars.pt"), context,
      {.on_epoch = [&](const EpochReport& epoch) { epochs.push_back(epoch); }, .on_note = {}});
  ASSERT_OK(report);
  ASSERT_EQ(report->epochs.size(), 3U);
  ASSERT_EQ(epochs.size(), 3U);
  EXPECT_EQ(epochs[2].epoch, 3);
  EXPECT_LT(epochs[2].train_loss, 0.5 * epochs[0].train_loss);
  EXPECT_FALSE(report->stopped_early);

  LoadedFile file = load(dir.file("bars.pt"));
  EXPECT_EQ(file.metadata["name"], "bars");
  EXPECT_EQ(file.metadata["classes"], (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_EQ(file.metadata["output"], "logits");
  EXPECT_EQ(file.metadata["training"]["seed"], 5);
  EXPECT_EQ(file.metadata["training"]["role"], "train");
  EXPECT_EQ(file.metadata["training"]["options"]["epochs"], 3);
  EXPECT_EQ(file.metadata["training"]["options"]["learning_rate"], 0.05);
  const auto preprocessing = preprocessingFromJson(file.metadata);
  ASSERT_TRUE(preprocessing.has_value());
  EXPECT_EQ(preprocessing->height, 20);
  EXPECT_EQ(preprocessing->channels, 1);

  std::set<std::string> names;
  for (const auto& child : file.network.named_children()) {
    names.insert(child.name);
  }
  EXPECT_EQ(names, (std::set<std::string>{"conv1", "conv2", "dropout1", "fc1", "dropout2", "fc2"}));
  std::int64_t parameters = 0;
  for (const at::Tensor& parameter : file.network.parameters()) {
    parameters += parameter.numel();
  }
  EXPECT_EQ(parameters, report->parameter_count);

  EXPECT_FALSE(file.network.is_training());
  std::vector<std::int64_t> indices(600);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    indices[i] = static_cast<std::int64_t>(i);
  }
  const auto batch = loadBatch(dataset, indices, *preprocessing, context);
  ASSERT_TRUE(batch.has_value());
  const at::Tensor inputs =
      at::from_blob(const_cast<float*>(batch->inputs.data()), {600, 1, 20, 20});
  const at::Tensor logits = file.network.forward({inputs}).toTensor();
  EXPECT_TRUE(logits.equal(file.network.forward({inputs}).toTensor()));
  const at::Tensor right = logits.argmax(1).eq(at::arange(600) % 3);
  EXPECT_GT(right.sum().item<std::int64_t>(), 590);
  file.network.train();
  EXPECT_FALSE(logits.equal(file.network.forward({inputs}).toTensor()));
}

TEST(Train, MlpLearnsVectors) {
  const test::TempDir dir;
  RunContext context;
  TrainOptions options;
  options.architecture = "mlp";
  options.optimiser = "adam";
  options.epochs = 5;
  options.batch = 16;
  options.width = 0.125;
  options.drop_rate = 0.1;
  const auto report = train(test::blobs(300), options, dir.file("m.pt"), context);
  ASSERT_OK(report);
  EXPECT_GT(report->epochs.back().train_accuracy, 0.95);
  EXPECT_EQ(report->parameter_count, 32 * 2 + 32 + 32 * 32 + 32 + 3 * 32 + 3);
  EXPECT_EQ(load(dir.file("m.pt")).metadata["training"]["options"]["learning_rate"], 0.001);
}

TEST(Train, MlpTakesImages) {
  const test::TempDir dir;
  RunContext context;
  TrainOptions options = quickLenet();
  options.architecture = "mlp";
  const auto report = train(test::barImages(300, 12), options, dir.file("m.pt"), context);
  ASSERT_OK(report);
  EXPECT_LT(report->epochs.back().train_loss, report->epochs.front().train_loss);
}

TEST(Train, TheSameSeedGivesTheSameWeights) {
  TrainOptions options = quickLenet();
  options.epochs = 1;
  at::manual_seed(1);
  const auto first = weightsAfter(3, options);
  at::manual_seed(2);
  EXPECT_TRUE(allEqual(first, weightsAfter(3, options)));
  EXPECT_FALSE(allEqual(first, weightsAfter(4, options)));
}

TEST(Train, LeavesTorchAsItWas) {
  at::manual_seed(42);
  const at::Tensor expected = at::rand({4});
  at::manual_seed(42);
  TrainOptions options = quickLenet();
  options.epochs = 1;
  (void)weightsAfter(3, options);
  EXPECT_TRUE(at::rand({4}).equal(expected));
}

TEST(Train, CancelledBetweenBatchesLeavesTheOlderModelAndItsState) {
  const test::TempDir dir;
  test::writeBytes(dir.file("old.pt"), "an older model");
  RunContext context;
  context.on_progress = [&](const Progress& progress) {
    if (progress.stage == "epoch 2 of 3") {
      context.control()->requestCancel();
    }
  };
  const auto report = train(test::barImages(200, 20), quickLenet(), dir.file("old.pt"), context);
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(test::readBytes(dir.file("old.pt")), "an older model");
  EXPECT_TRUE(std::filesystem::exists(checkpointPath(dir.file("old.pt"))));
  EXPECT_THAT(report.error().message, HasSubstr("old.pt.part"));
  EXPECT_THAT(report.error().message, HasSubstr("or start over"));
  EXPECT_THAT(report.error().remedy.settings, testing::ElementsAre(setting("restart")));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 2);
}

TEST(Train, StoppedEarlyKeepsTheWeightsSoFar) {
  const test::TempDir dir;
  RunContext context;
  context.on_progress = [&](const Progress& progress) {
    if (progress.stage == "epoch 2 of 3") {
      context.control()->requestStopEarly();
    }
  };
  const auto report = train(test::barImages(200, 20), quickLenet(), dir.file("m.pt"), context);
  ASSERT_OK(report);
  EXPECT_TRUE(report->stopped_early);
  EXPECT_EQ(report->epochs.size(), 1U);
  EXPECT_EQ(load(dir.file("m.pt")).metadata["training"]["epochs_finished"], 1);
}

TEST(Train, RefusesWithAReason) {
  const test::TempDir dir;
  const auto errorOf = [&](const Dataset& dataset, const TrainOptions& options,
                           const std::string& path) {
    RunContext context;
    const auto report = train(dataset, options, path, context);
    EXPECT_FALSE(report.has_value());
    return report.has_value() ? Error() : report.error();
  };
  const auto refusal = [&](const Dataset& dataset, const TrainOptions& options,
                           const std::string& path) {
    return errorOf(dataset, options, path).message;
  };
  EXPECT_THAT(refusal(test::blobs(30), TrainOptions{}, dir.file("m.pt")),
              HasSubstr("train an mlp"));
  EXPECT_THAT(refusal(test::barImages(30, 15), TrainOptions{}, dir.file("m.pt")),
              HasSubstr("16 x 16"));
  EXPECT_NE(refusal(test::barImages(30, 20), TrainOptions{}, dir.file("no/such/m.pt")), "");
  auto unknown = test::barImages(30, 20);
  unknown.mutableInfo().role = Role::kOod;
  const Error role = errorOf(unknown, TrainOptions{}, dir.file("m.pt"));
  EXPECT_THAT(role.message, HasSubstr("give it the role train"));
  EXPECT_THAT(role.remedy.settings, testing::ElementsAre(datasetSetting("role", "train")));
  TrainOptions wild = quickLenet();
  wild.learning_rate = 10.0;
  wild.epochs = 40;
  const Error diverged = errorOf(test::barImages(200, 20), wild, dir.file("m.pt"));
  EXPECT_THAT(diverged.message, HasSubstr("use a learning rate below 10"));
  EXPECT_THAT(diverged.remedy.settings, testing::ElementsAre(setting("learning_rate")));
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

}  // namespace
}  // namespace dubito
