// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/serialization/import.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/data/preprocessing.h"
#include "core/train/train.h"
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

// The full training is too long for a test; a tenth of it reaches 97 %.
TEST(TrainMnist, ATenthOfTheDefaultTrainingGeneralises) {
  DUBITO_NEEDS_SHARED();
  const std::string folder = (*test::sharedDir() / "datasets" / "mnist").string();
  const test::TempDir dir;
  RunContext context;
  const auto training = openDataset("idx:" + folder + "/train-images-idx3-ubyte.gz," + folder +
                                        "/train-labels-idx1-ubyte.gz?items=0:12000&role=train",
                                    context);
  ASSERT_TRUE(training.has_value()) << training.error().message;
  TrainOptions options;
  options.epochs = 3;
  const auto report = train(**training, options, dir.file("m.pt"), context, {});
  ASSERT_TRUE(report.has_value()) << report.error().message;
  const auto testing = openDataset(
      "idx:" + folder + "/t10k-images-idx3-ubyte.gz," + folder + "/t10k-labels-idx1-ubyte.gz",
      context);
  ASSERT_TRUE(testing.has_value()) << testing.error().message;
  EXPECT_GE(accuracyOf(dir.file("m.pt"), **testing, 2000), 0.97);
}

}  // namespace
}  // namespace dubito
