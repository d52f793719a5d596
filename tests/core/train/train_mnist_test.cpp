// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/data/images/preprocessing.h"
#include "core/train/train.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

/// Share of right answers of the network in `path` on the first `count` items of `dataset`.
double accuracyOf(const std::string& path, const Dataset& dataset, std::int64_t count) {
  torch::jit::ExtraFilesMap extra{{"metadata.json", ""}};
  torch::jit::Module network = torch::jit::load(path, at::kCPU, extra);
  const auto preprocessing = preprocessingFromJson(nlohmann::json::parse(extra["metadata.json"]));
  std::vector<std::int64_t> indices(static_cast<std::size_t>(count));
  std::iota(indices.begin(), indices.end(), 0);
  const auto batch = loadBatch(dataset, indices, preprocessing.value(), RunContext{});
  const at::NoGradGuard no_grad;
  const at::Tensor inputs =
      at::from_blob(const_cast<float*>(batch.value().inputs.data()), batch->inputs.shape());
  const at::Tensor labels =
      at::tensor(std::vector<std::int64_t>(dataset.labels().begin(), dataset.labels().end()))
          .narrow(0, 0, count);
  const at::Tensor answers = network.forward({inputs}).toTensor().argmax(1);
  return answers.eq(labels).to(at::kDouble).mean().item<double>();
}

DatasetPtr openMnist(const std::string& part, const std::string& options) {
  const std::string stem = (*test::sharedDir() / "datasets" / "mnist" / part).string();
  RunContext context;
  auto dataset = openDataset(
      fmt::format("idx:{0}-images-idx3-ubyte.gz,{0}-labels-idx1-ubyte.gz{1}", stem, options),
      context);
  EXPECT_OK(dataset);
  return dataset.value_or(nullptr);
}

/// Accuracy on 2000 test images after training on the first `items` training images.
double trainedAccuracy(const TrainOptions& options, std::int64_t items) {
  const test::TempDir dir;
  RunContext context;
  const auto training = openMnist("train", fmt::format("?items=0:{}&role=train", items));
  const auto testing = openMnist("t10k", "");
  if (training == nullptr || testing == nullptr) {
    return 0.0;
  }
  const auto report = train(*training, options, dir.file("m.pt"), context);
  EXPECT_OK(report);
  return report ? accuracyOf(dir.file("m.pt"), *testing, 2000) : 0.0;
}

// The full training is too long for a test; a tenth of it reaches 97 %.
TEST(TrainMnist, ATenthOfTheDefaultTrainingGeneralises) {
  DUBITO_NEEDS_SHARED();
  TrainOptions options;
  options.epochs = 3;
  EXPECT_GE(trainedAccuracy(options, 12000), 0.97);
}

TEST(TrainMnist, ANarrowResidualNetworkGeneralisesAfterSeconds) {
  DUBITO_NEEDS_SHARED();
  TrainOptions options;
  options.architecture = "resnet";
  options.epochs = 3;
  options.batch = 32;
  options.width = 0.5;
  EXPECT_GE(trainedAccuracy(options, 3000), 0.9);
}

TEST(Samples, TheDemoNetworkKnowsTheDemoImages) {
  const std::string folder = (test::sourceDir() / "datasets" / "samples").string();
  RunContext context;
  const auto images = openDataset("idx:" + folder + "/mnist-2000-images-idx3-ubyte.gz," + folder +
                                      "/mnist-2000-labels-idx1-ubyte.gz",
                                  context);
  ASSERT_OK(images);
  ASSERT_EQ((*images)->size(), 2000);
  EXPECT_GE(accuracyOf(folder + "/lenet-mnist.pt", **images, 2000), 0.99);
}

// The samples are the first items of the published test sets.
TEST(Samples, AreTheFirstItems) {
  DUBITO_NEEDS_SHARED();
  const std::string samples = (test::sourceDir() / "datasets" / "samples").string();
  RunContext context;
  for (const auto& [name, count] :
       {std::pair{"mnist", 2000}, {"fashion-mnist", 1000}, {"kmnist", 1000}}) {
    const std::string stem = fmt::format("{}/{}-{}", samples, name, count);
    const std::string whole_stem =
        fmt::format("{}/{}/t10k", (*test::sharedDir() / "datasets").string(), name);
    const auto open = [&](const std::string& beginning) {
      return openDataset(
          fmt::format("idx:{0}-images-idx3-ubyte.gz,{0}-labels-idx1-ubyte.gz", beginning), context);
    };
    const auto sample = open(stem);
    const auto whole = open(whole_stem);
    ASSERT_OK(sample);
    ASSERT_OK(whole);
    ASSERT_EQ((*sample)->size(), count);
    for (const std::int64_t i : {0, 1, count / 2, count - 1}) {
      const auto index = static_cast<std::size_t>(i);
      EXPECT_EQ((*sample)->labels()[index], (*whole)->labels()[index]) << name << " " << i;
      const auto pixels = std::get<Image8>((*sample)->read(i).value()).pixels;
      const auto expected = std::get<Image8>((*whole)->read(i).value()).pixels;
      EXPECT_TRUE(std::ranges::equal(pixels.values(), expected.values())) << name << " " << i;
    }
  }
}

}  // namespace
}  // namespace dubito
