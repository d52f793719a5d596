// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/serialization/import.h>

#include "core/train/train.h"
#include "tests/core/train/memory_dataset.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

TEST(ResidualNetwork, LearnsAndItsRunningStatisticsAreThoseOfTheData) {
  const test::TempDir dir;
  RunContext context;
  context.seed = 2;
  TrainOptions options;
  options.architecture = "resnet";
  options.width = 0.5;
  options.batch = 32;
  options.epochs = 4;
  options.shift = 0;
  options.drop_rate = 0.2;
  const auto dataset = test::barImages(600, 12);
  const auto report = train(dataset, options, dir.file("r.pt"), context);
  ASSERT_OK(report);
  EXPECT_GT(report->epochs.back().train_accuracy, 0.9);
  EXPECT_LT(report->epochs.back().train_loss, 0.5 * report->epochs.front().train_loss);

  torch::jit::Module network = torch::jit::load(dir.file("r.pt"));
  EXPECT_FALSE(network.is_training());
  const at::Tensor mean = network.attr("norm1").toModule().attr("running_mean").toTensor();
  const at::Tensor variance = network.attr("norm1").toModule().attr("running_var").toTensor();
  EXPECT_FALSE(mean.equal(at::zeros_like(mean)));
  EXPECT_FALSE(variance.equal(at::ones_like(variance)));

  // What the file was trained on, as the network saw it.
  std::vector<at::Tensor> images;
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    const auto sample = dataset.read(i);
    const Image8& image = std::get<Image8>(*sample);
    images.push_back(
        at::from_blob(const_cast<std::uint8_t*>(image.pixels.data()), {1, 12, 12}, at::kByte)
            .to(at::kFloat));
  }
  at::Tensor x = at::stack(images);
  x = (x - x.mean()) / x.std(false);
  const at::Tensor labels = at::tensor(
      std::vector<std::int64_t>(dataset.labels().begin(), dataset.labels().end()), at::kLong);
  const at::NoGradGuard no_gradients;
  const at::Tensor maps = network.attr("conv1").toModule().forward({x}).toTensor();
  // Each batch of 32 has a weight of 0.1, so that the running statistics are those of about 19
  // batches = 608 items, which the 600 items are, but drawn anew each epoch and with weights that
  // still moved a little: the standard error of a mean is 1/sqrt(19) = 0.23 of its spread between
  // batches, itself 1/sqrt(32) of that between images. Of values near 1 that is 0.04, and the
  // tolerance of the mean is twice to three times as much. A variance has twice the relative error.
  EXPECT_TRUE(at::allclose(mean, maps.mean({0, 2, 3}), 0.1, 0.1));
  EXPECT_TRUE(at::allclose(variance, maps.transpose(0, 1).flatten(1).var(1), 0.2, 0.05));
  const at::Tensor together = network.forward({x}).toTensor();
  EXPECT_GT(together.argmax(1).eq(labels).to(at::kFloat).mean().item<double>(), 0.95);
  // An item alone gets what it gets in a batch.
  EXPECT_TRUE(at::allclose(network.forward({x.slice(0, 7, 8)}).toTensor(), together.slice(0, 7, 8),
                           1e-4, 1e-5));
}

TEST(ResidualNetwork, RefusesVectorsAndTinyImages) {
  const test::TempDir dir;
  TrainOptions options;
  options.architecture = "resnet";
  const auto reason = [&](const Dataset& dataset) {
    RunContext context;
    const auto report = train(dataset, options, dir.file("r.pt"), context);
    return report ? std::string() : report.error().message;
  };
  EXPECT_THAT(reason(test::blobs(30)), HasSubstr("a resnet needs images"));
  EXPECT_THAT(reason(test::barImages(30, 7)), HasSubstr("8 x 8"));
}

}  // namespace
}  // namespace dubito
