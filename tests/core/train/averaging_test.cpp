// SPDX-License-Identifier: GPL-3.0-or-later
// Networks of a training besides the last weights: averages, samples, snapshots.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/serialization/import.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "core/train/augment.h"
#include "core/train/batch_norm_torch.h"
#include "core/train/network_torch.h"
#include "core/train/torch_state_torch.h"
#include "core/train/train.h"
#include "core/train/training_loop_torch.h"
#include "tests/core/train/memory_dataset.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using torch::jit::Module;

constexpr std::uint64_t kSeed = 4;

TrainOptions quick(const std::string& architecture) {
  TrainOptions options;
  options.architecture = architecture;
  options.epochs = 4;
  options.batch = 64;
  options.width = 0.2;
  options.shift = 1;
  return options;
}

test::MemoryDataset items() {
  return test::barImages(200, 20);
}

Expected<TrainReport> trainTo(const std::string& path, const TrainOptions& options,
                              std::int64_t cancel_at_batch = -1) {
  RunContext context;
  context.seed = kSeed;
  std::int64_t batch = 0;
  context.on_progress = [&](const Progress& progress) {
    const bool counts = progress.stage.starts_with("epoch") || progress.stage.starts_with("batch");
    if (cancel_at_batch < 0 || !counts) {
      return;
    }
    if (batch++ == cancel_at_batch) {
      context.control()->requestCancel();
    }
    // Longer than the pause between two reports, so that every batch is reported.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  };
  return train(items(), options, path, context);
}

std::vector<at::Tensor> weightsOf(const Module& network) {
  std::vector<at::Tensor> weights;
  for (const at::Tensor& parameter : network.parameters()) {
    weights.push_back(parameter.detach().clone());
  }
  return weights;
}

std::vector<at::Tensor> weightsOf(const std::string& path) {
  return weightsOf(torch::jit::load(path));
}

nlohmann::json metadataOf(const std::string& path) {
  torch::jit::ExtraFilesMap extra{{"metadata.json", ""}};
  (void)torch::jit::load(path, at::kCPU, extra);
  return nlohmann::json::parse(extra["metadata.json"]);
}

bool allEqual(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  bool equal = a.size() == b.size();
  for (std::size_t i = 0; equal && i < a.size(); ++i) {
    equal = a[i].equal(b[i]);
  }
  return equal;
}

/// The weights after every epoch of a training, without writing anything.
std::vector<std::vector<at::Tensor>> weightsByEpoch(const TrainOptions& options) {
  RunContext context;
  context.seed = kSeed;
  const TorchState state(context.threads, context.seed, at::kCPU);
  const test::MemoryDataset dataset = items();
  const auto set = readTrainingSet(dataset, context);
  DropoutDesign dropout = dropoutDesign(options);
  auto network = buildNetwork(options, set->input_shape, set->classes, state.generator(), dropout);
  TrainingLoop loop(*set, options, *network, dropout.places(), context);
  TrainingPosition position;
  std::vector<std::vector<at::Tensor>> all;
  for (std::int64_t epoch = 0; epoch < options.epochs; ++epoch) {
    EpochReport report;
    EXPECT_OK(loop.runEpoch(position, report));
    all.push_back(weightsOf(*network));
  }
  return all;
}

TEST(Averaging, SwaWritesThePlainMeanOfTheLastEpochs) {
  const test::TempDir dir;
  TrainOptions options = quick("lenet");
  options.averaging.swa = true;
  options.averaging.swa_share = 0.75;
  const auto report = trainTo(dir.file("m.pt"), options);
  ASSERT_OK(report);
  EXPECT_EQ(report->averaged_epochs, 3);
  EXPECT_EQ(report->networks, std::vector<std::string>{dir.file("m.pt")});
  EXPECT_EQ(metadataOf(dir.file("m.pt"))["training"]["averaged_epochs"], 3);
  const auto by_epoch = weightsByEpoch(options);
  const auto found = weightsOf(dir.file("m.pt"));
  ASSERT_EQ(found.size(), by_epoch[0].size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const at::Tensor mean =
        ((by_epoch[1][i].to(at::kDouble) + by_epoch[2][i] + by_epoch[3][i]) / 3.0).to(at::kFloat);
    EXPECT_TRUE(at::allclose(found[i], mean, 1e-6, 1e-9)) << i;
    EXPECT_FALSE(found[i].equal(by_epoch[3][i])) << i;
  }
}

TEST(Averaging, TheFileIsANetworkLikeAnyOther) {
  const test::TempDir dir;
  TrainOptions options = quick("lenet");
  ASSERT_OK(trainTo(dir.file("plain.pt"), options));
  options.averaging.swa = true;
  ASSERT_OK(trainTo(dir.file("swa.pt"), options));
  for (const char* const name : {"plain.pt", "swa.pt"}) {
    const Module network = torch::jit::load(dir.file(name));
    EXPECT_FALSE(network.is_training()) << name;
    for (const at::Tensor& parameter : network.parameters()) {
      EXPECT_TRUE(parameter.requires_grad()) << name;
    }
  }
}

/// Statistics of a map [B, C, H, W] per channel: mean and unbiased variance.
std::pair<at::Tensor, at::Tensor> channelStatistics(const at::Tensor& maps) {
  const at::Tensor rows = maps.transpose(0, 1).reshape({maps.size(1), -1}).to(at::kDouble);
  return {rows.mean(1), rows.var(1, /*unbiased=*/true)};
}

// The first two layers recomputed by hand, batch by batch.
TEST(Averaging, BatchNormHasTheStatisticsOfTheTrainingSet) {
  TrainOptions options = quick("resnet");
  RunContext context;
  context.seed = kSeed;
  const TorchState state(1, context.seed, at::kCPU);
  const test::MemoryDataset dataset = items();
  const auto set = readTrainingSet(dataset, context);
  ASSERT_OK(set);
  DropoutDesign dropout = dropoutDesign(options);
  auto network = buildNetwork(options, set->input_shape, set->classes, state.generator(), dropout);
  ASSERT_OK(network);
  ASSERT_OK(refreshBatchNorm(*network, *set, options, context));
  EXPECT_FALSE(network->is_training());

  const at::NoGradGuard no_gradients;
  const auto child = [](const Module& module, const char* name) {
    return module.attr(name).toModule();
  };
  Module conv1 = child(*network, "conv1");
  Module norm1 = child(*network, "norm1");
  const Module block1 = child(*network, "block1");
  Module conv2 = child(block1, "conv1");
  const Module norm2 = child(block1, "norm1");
  const auto buffer = [](const Module& module, const char* name) {
    return module.attr(name).toTensor().to(at::kDouble);
  };
  const std::int64_t channels = conv1.attr("weight").toTensor().size(0);
  std::vector<at::Tensor> sums(4, at::zeros({channels}, at::kDouble));
  const auto order = epochOrder(set->size(), kSeed, options.epochs);
  for (std::int64_t begin = 0; begin < set->size(); begin += options.batch) {
    const std::int64_t end = std::min(begin + options.batch, set->size());
    std::vector<std::int64_t> rows(order.begin() + begin, order.begin() + end);
    const auto batch = loadBatch(dataset, rows, set->preprocessing, context);
    ASSERT_OK(batch);
    const at::Tensor inputs =
        at::from_blob(const_cast<float*>(batch->inputs.data()), batch->inputs.shape());
    const at::Tensor first = conv1.forward({inputs}).toTensor();
    const at::Tensor normalised = at::batch_norm(
        first, norm1.attr("weight").toTensor(), norm1.attr("bias").toTensor(), {}, {},
        /*training=*/true, 0.0, 1e-5, /*cudnn_enabled=*/false);
    const at::Tensor second = conv2.forward({normalised.relu()}).toTensor();
    const auto [mean1, variance1] = channelStatistics(first);
    const auto [mean2, variance2] = channelStatistics(second);
    const std::vector<at::Tensor> statistics{mean1, variance1, mean2, variance2};
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] = sums[i] + statistics[i] * static_cast<double>(end - begin);
    }
  }
  const std::vector<at::Tensor> found{buffer(norm1, "running_mean"), buffer(norm1, "running_var"),
                                      buffer(norm2, "running_mean"), buffer(norm2, "running_var")};
  for (std::size_t i = 0; i < sums.size(); ++i) {
    EXPECT_TRUE(at::allclose(found[i], sums[i] / 200.0, 1e-5, 1e-6)) << i;
  }
}

TEST(Averaging, SwagWritesTheMeanAndSamplesAroundIt) {
  const test::TempDir dir;
  TrainOptions options = quick("resnet");
  options.averaging.swag = 3;
  options.averaging.swa_share = 0.75;
  const auto report = trainTo(dir.file("m.pt"), options);
  ASSERT_OK(report);
  EXPECT_EQ(report->networks, (std::vector<std::string>{dir.file("m.pt"), dir.file("m-1.pt"),
                                                        dir.file("m-2.pt"), dir.file("m-3.pt")}));
  const auto mean = weightsOf(dir.file("m.pt"));
  double previous = 0.0;
  for (int sample = 1; sample <= 3; ++sample) {
    const std::string path = dir.file("m-" + std::to_string(sample) + ".pt");
    const auto weights = weightsOf(path);
    double distance = 0.0;
    for (std::size_t i = 0; i < mean.size(); ++i) {
      distance += (weights[i] - mean[i]).square().sum().item<double>();
    }
    EXPECT_GT(distance, 0.0);
    EXPECT_NE(distance, previous);
    previous = distance;
    EXPECT_EQ(metadataOf(path)["training"]["swag_sample"], sample);
    // Each has batch statistics of its own.
    const Module network = torch::jit::load(path);
    const Module other = torch::jit::load(dir.file("m.pt"));
    EXPECT_FALSE(network.attr("norm1")
                     .toModule()
                     .attr("running_var")
                     .toTensor()
                     .equal(other.attr("norm1").toModule().attr("running_var").toTensor()));
  }
}

TEST(Averaging, SnapshotsAreTheNetworksAtTheEndOfTheirCycles) {
  const test::TempDir dir;
  TrainOptions options = quick("lenet");
  options.averaging.snapshots = 2;
  const auto report = trainTo(dir.file("m.pt"), options);
  ASSERT_OK(report);
  EXPECT_EQ(report->networks, (std::vector<std::string>{dir.file("m-1.pt"), dir.file("m-2.pt")}));
  EXPECT_FALSE(std::filesystem::exists(dir.file("m.pt")));
  const auto by_epoch = weightsByEpoch(options);
  EXPECT_TRUE(allEqual(weightsOf(dir.file("m-1.pt")), by_epoch[1]));
  EXPECT_TRUE(allEqual(weightsOf(dir.file("m-2.pt")), by_epoch[3]));
  EXPECT_EQ(metadataOf(dir.file("m-1.pt"))["training"]["epochs_finished"], 2);
  EXPECT_EQ(metadataOf(dir.file("m-1.pt"))["training"]["snapshot"], 1);
}

TEST(Averaging, SnapshotsOfTheLastLayerShareTheirFeatures) {
  for (const char* const architecture : {"lenet", "resnet", "mlp"}) {
    const test::TempDir dir;
    TrainOptions options = quick(architecture);
    options.averaging.snapshots = 2;
    options.averaging.snapshot_layers = "last";
    ASSERT_OK(trainTo(dir.file("m.pt"), options));
    const Module first = torch::jit::load(dir.file("m-1.pt"));
    const Module second = torch::jit::load(dir.file("m-2.pt"));
    const std::string last = std::string(architecture) == "lenet" ? "fc2"
                             : std::string(architecture) == "mlp" ? "fc3"
                                                                  : "fc";
    std::set<std::string> changed;
    auto other = second.named_parameters().begin();
    for (const auto& parameter : first.named_parameters()) {
      EXPECT_TRUE(parameter.value.requires_grad());
      if (!parameter.value.equal((*other).value)) {
        changed.insert(parameter.name);
      }
      ++other;
    }
    EXPECT_EQ(changed, (std::set<std::string>{last + ".weight", last + ".bias"}));
    auto buffer = second.named_buffers().begin();
    for (const auto& statistic : first.named_buffers()) {
      EXPECT_TRUE(statistic.value.equal((*buffer).value)) << statistic.name;
      ++buffer;
    }
  }
}

/// All files under `folder` with the names that they have there.
std::map<std::string, std::string> contentsOf(const std::filesystem::path& folder) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    contents[entry.path().filename().string()] = test::readBytes(entry.path().string());
  }
  return contents;
}

struct Recipe {
  std::string name;
  std::string architecture;
  std::function<void(TrainOptions&)> change;
};

class ResumedRecipe : public testing::TestWithParam<Recipe> {};

TEST_P(ResumedRecipe, EndsWithTheSameFiles) {
  const test::TempDir whole;
  const test::TempDir resumed;
  TrainOptions options = quick(GetParam().architecture);
  options.epochs = 6;
  GetParam().change(options);
  ASSERT_OK(trainTo(whole.file("m.pt"), options));
  const std::string path = resumed.file("m.pt");
  // 24 batches: amid the first epoch, the fourth, the last; then amid what follows the last, if
  // anything does.
  for (const std::int64_t batches : {1, 12, 7, 6}) {
    const auto cancelled = trainTo(path, options, batches);
    if (cancelled) {
      break;
    }
    EXPECT_EQ(cancelled.error().code, ErrorCode::kCancelled);
    EXPECT_TRUE(std::filesystem::exists(checkpointPath(path)));
  }
  ASSERT_OK(trainTo(path, options));
  EXPECT_EQ(contentsOf(resumed.path()), contentsOf(whole.path()));
}

INSTANTIATE_TEST_SUITE_P(Train, ResumedRecipe,
                         testing::Values(Recipe{"swa", "resnet",
                                                [](TrainOptions& o) {
                                                  o.averaging.swa = true,
                                                  o.averaging.swa_share = 0.7;
                                                }},
                                         Recipe{"swag", "resnet",
                                                [](TrainOptions& o) {
                                                  o.averaging.swag = 2;
                                                  o.averaging.swag_rank = 2;
                                                  o.averaging.swa_share = 0.7;
                                                }},
                                         Recipe{"snapshots", "lenet",
                                                [](TrainOptions& o) { o.averaging.snapshots = 3; }},
                                         Recipe{"last_layer", "resnet",
                                                [](TrainOptions& o) {
                                                  o.averaging.snapshots = 3;
                                                  o.averaging.snapshot_layers = "last";
                                                }},
                                         Recipe{"mixup", "lenet",
                                                [](TrainOptions& o) {
                                                  o.augmentation.mixup = 0.4;
                                                  o.augmentation.label_smoothing = 0.1;
                                                  o.augmentation.flip = true;
                                                  o.augmentation.rotation = 15.0;
                                                  o.schedule = {.schedule = "one-cycle"};
                                                }}),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(Averaging, StoppedEarlyKeepsWhatThereIs) {
  const auto stoppedIn = [](const std::string& stage, const std::string& path,
                            const TrainOptions& options) {
    RunContext context;
    context.seed = kSeed;
    context.on_progress = [&](const Progress& progress) {
      if (progress.stage == stage) {
        context.control()->requestStopEarly();
      }
    };
    return train(items(), options, path, context);
  };
  const test::TempDir dir;
  TrainOptions options = quick("lenet");
  options.averaging.swag = 2;
  options.averaging.swa_share = 0.5;
  // Before anything is averaged: the weights so far.
  auto report = stoppedIn("epoch 2 of 4", dir.file("a.pt"), options);
  ASSERT_OK(report);
  EXPECT_EQ(report->networks, std::vector<std::string>{dir.file("a.pt")});
  EXPECT_EQ(report->averaged_epochs, 0);
  // One averaged epoch has a mean, but no spread.
  report = stoppedIn("epoch 4 of 4", dir.file("b.pt"), options);
  ASSERT_OK(report);
  EXPECT_EQ(report->networks, std::vector<std::string>{dir.file("b.pt")});
  EXPECT_EQ(report->averaged_epochs, 1);
  options.averaging = {.snapshots = 2};
  report = stoppedIn("epoch 1 of 4", dir.file("c.pt"), options);
  ASSERT_OK(report);
  EXPECT_EQ(report->networks, std::vector<std::string>{dir.file("c-1.pt")});
  report = stoppedIn("epoch 4 of 4", dir.file("d.pt"), options);
  ASSERT_OK(report);
  EXPECT_EQ(report->networks, (std::vector<std::string>{dir.file("d-1.pt"), dir.file("d-2.pt")}));
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(dir.path())) {
    names.insert(entry.path().filename().string());
  }
  EXPECT_EQ(names, (std::set<std::string>{"a.pt", "b.pt", "c-1.pt", "d-1.pt", "d-2.pt"}));
}

TEST(Averaging, VectorsAreNeitherMirroredNorRotated) {
  const test::TempDir dir;
  RunContext context;
  TrainOptions options = quick("mlp");
  options.augmentation.flip = true;
  auto refused = train(test::blobs(30), options, dir.file("m.pt"), context);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("cannot be mirrored; train without mirroring"));
  EXPECT_THAT(refused.error().remedy.settings, testing::ElementsAre(omitted("flip")));
  options.augmentation = {.rotation = 5.0};
  refused = train(test::blobs(30), options, dir.file("m.pt"), context);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("cannot be rotated; train without rotation"));
  EXPECT_THAT(refused.error().remedy.settings, testing::ElementsAre(omitted("rotation")));
}

}  // namespace
}  // namespace dubito
