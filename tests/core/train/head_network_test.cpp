// SPDX-License-Identifier: GPL-3.0-or-later
// Heads of several layers and with dropout on a frozen backbone.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include <filesystem>

#include "core/models/model_torch.h"
#include "core/network/stochastic_network_torch.h"
#include "core/train/head/fit_head_network_torch.h"
#include "core/train/head/train_head.h"
#include "tests/core/network/made_network.h"
#include "tests/core/train/memory_dataset.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using torch::jit::Module;

constexpr std::int64_t kHidden = 6;

/// Features [count, 8] with class c = i mod 3: a bump at feature c, and noise.
LabelledFeatures bumps(std::int64_t count, double noise, std::uint64_t seed) {
  at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(seed);
  at::Tensor values = at::randn({count, 8}, generator) * noise + 5.0;
  LabelledFeatures items;
  for (std::int64_t i = 0; i < count; ++i) {
    items.labels.push_back(i % 3);
    values[i][i % 3] += 4.0;
  }
  values = values.to(at::kFloat).contiguous();
  items.features = Array<float>::fromVector(
      {count, 8}, std::vector<float>(values.const_data_ptr<float>(),
                                     values.const_data_ptr<float>() + values.numel()));
  return items;
}

HeadItems itemsOf(double noise) {
  return {
      .train = bumps(300, noise, 1), .ids = {}, .validation = bumps(150, noise, 2), .classes = 3};
}

HeadOptions quick(const std::string& dropout, std::int64_t layers = 2) {
  HeadOptions options;
  options.dropout = dropout;
  options.layers = layers;
  options.units = 24;
  options.epochs = 40;
  options.minibatch = 32;
  options.learning_rate = 0.01;
  return options;
}

std::vector<at::Tensor> tensorsOf(const FittedHeadNetwork& head) {
  std::vector<at::Tensor> tensors;
  for (const at::Tensor& parameter : head.impl->module.parameters()) {
    tensors.push_back(parameter);
  }
  for (const at::Tensor& buffer : head.impl->module.buffers()) {
    tensors.push_back(buffer);
  }
  return tensors;
}

double largestDifference(const FittedHeadNetwork& a, const FittedHeadNetwork& b) {
  const std::vector<at::Tensor> first = tensorsOf(a);
  const std::vector<at::Tensor> second = tensorsOf(b);
  EXPECT_EQ(first.size(), second.size());
  double difference = 0.0;
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    difference = std::max(difference, (first[i] - second[i]).abs().max().item<double>());
  }
  return difference;
}

class HeadNetworks : public testing::TestWithParam<std::tuple<std::string, std::int64_t>> {};

TEST_P(HeadNetworks, LearnAndRepeatBitForBit) {
  const auto& [dropout, layers] = GetParam();
  const HeadItems items = itemsOf(0.5);
  RunContext context;
  context.seed = 3;
  std::vector<HeadEpoch> told;
  const auto fitted = fitHeadNetwork(items, quick(dropout, layers), context,
                                     [&](const HeadEpoch& epoch) { told.push_back(epoch); });
  ASSERT_OK(fitted);
  EXPECT_GT(fitted->validation->accuracy, 0.97);
  EXPECT_GT(fitted->train.accuracy, 0.97);
  ASSERT_EQ(told.size(), fitted->epochs.size());
  EXPECT_EQ(told.front().reliability->total, 150);
  const bool learns = dropout == "concrete" || dropout == "multi";
  EXPECT_EQ(told.back().drop_rates.size(), learns ? static_cast<std::size_t>(layers) : 0U);

  const auto again = fitHeadNetwork(items, quick(dropout, layers), context);
  ASSERT_OK(again);
  EXPECT_EQ(largestDifference(*fitted, *again), 0.0);
  RunContext other;
  other.seed = 4;
  const auto different = fitHeadNetwork(items, quick(dropout, layers), other);
  ASSERT_OK(different);
  EXPECT_GT(largestDifference(*fitted, *different), 0.0);
}

INSTANTIATE_TEST_SUITE_P(Train, HeadNetworks,
                         testing::Values(std::tuple{"none", 2}, std::tuple{"fixed", 1},
                                         std::tuple{"fixed", 3}, std::tuple{"concrete", 1},
                                         std::tuple{"concrete", 2}, std::tuple{"multi", 1},
                                         std::tuple{"multi", 3}),
                         [](const auto& test_case) {
                           return std::get<0>(test_case.param) +
                                  std::to_string(std::get<1>(test_case.param));
                         });

// The kept head is that of the epoch that is said, which has the lowest validation loss.
TEST(HeadNetwork, KeepsTheEpochWithTheLowestValidationLoss) {
  RunContext context;
  HeadOptions options = quick("none");
  options.epochs = 200;
  options.patience = 5;
  const HeadItems items = itemsOf(3.0);  // can be learned by heart, so that the loss rises again
  const auto fitted = fitHeadNetwork(items, options, context);
  ASSERT_OK(fitted);
  ASSERT_LT(fitted->epochs.size(), 200U);
  EXPECT_EQ(static_cast<std::int64_t>(fitted->epochs.size()), fitted->best_epoch + 5);
  for (const HeadEpoch& epoch : fitted->epochs) {
    EXPECT_GE(epoch.validation->loss, fitted->validation->loss) << epoch.epoch;
    EXPECT_EQ(epoch.validation->loss == fitted->validation->loss,
              epoch.epoch == fitted->best_epoch);
  }
  Module head = fitted->impl->module;
  const at::Tensor features =
      at::from_blob(const_cast<float*>(items.validation.features.data()), {150, 8}, at::kFloat);
  const at::Tensor labels = at::tensor(items.validation.labels, at::kLong);
  const at::NoGradGuard no_gradients;
  EXPECT_NEAR(at::cross_entropy_loss(head.forward({features}).toTensor(), labels).item<double>(),
              fitted->validation->loss, 1e-6);
}

TEST(HeadNetwork, StoppedEarlyKeepsTheBestAndCancelledNothing) {
  const HeadItems items = itemsOf(0.5);
  RunContext stopped;
  const auto fitted =
      fitHeadNetwork(items, quick("concrete"), stopped, [&](const HeadEpoch& epoch) {
        if (epoch.epoch == 3) {
          stopped.control()->requestStopEarly();
        }
      });
  ASSERT_OK(fitted);
  EXPECT_TRUE(fitted->stopped_early);
  EXPECT_EQ(fitted->epochs.size(), 3U);
  RunContext cancelling;
  const auto none = fitHeadNetwork(items, quick("multi"), cancelling, [&](const HeadEpoch&) {
    cancelling.control()->requestCancel();
  });
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kCancelled);
}

TEST(HeadNetwork, SaysThatItDiverges) {
  RunContext context;
  HeadOptions options = quick("none");
  HeadItems items = itemsOf(0.5);
  items.train.features.mutableRow(0)[0] = std::numeric_limits<float>::infinity();
  const auto fitted = fitHeadNetwork(items, options, context);
  ASSERT_FALSE(fitted);
  EXPECT_THAT(fitted.error().message, HasSubstr("use a learning rate below 0.01"));
  EXPECT_THAT(fitted.error().remedy.settings, testing::ElementsAre(setting("learning_rate")));
}

/// A backbone of images with dropout of its own, opened from a file.
class HeadOnBackbone : public testing::Test {
 protected:
  void SetUp() override {
    Module module("images");
    module.register_attribute("training", c10::BoolType::get(), false);
    module.register_parameter("first",
                              test::spreadNumbers({kHidden, 400}, 0.3).to(at::kFloat) * 0.1, false);
    module.register_parameter("last", test::spreadNumbers({3, kHidden}, 1.1).to(at::kFloat), false);
    module.define(R"(
def forward(self, x):
    h = torch.dropout(torch.tanh(torch.linear(x.flatten(1), self.first, None)), 0.5, self.training)
    return torch.softmax(torch.linear(h, self.last, None), 1)
)");
    module.save(path("backbone.pt"),
                {{"metadata.json", R"({"input_size": [20, 20], "channels": 1, "std": [0.3],)"
                                   R"( "classes": ["a", "b", "c"]})"}});
    auto loaded = loadModel(path("backbone.pt"), {}, context_);
    ASSERT_OK(loaded);
    backbone_ = *loaded;
    items_.mutableInfo().class_names = {"a", "b", "c"};
  }

  std::string path(const std::string& name) { return folder_.file(name); }
  HeadOptions options(const std::string& dropout, std::int64_t layers) {
    HeadOptions options = quick(dropout, layers);
    options.feature_cache = path("features");
    options.validation_share = 0.3;
    return options;
  }

  test::TempDir folder_;
  RunContext context_;
  ModelPtr backbone_;
  test::MemoryDataset items_ = test::barImages(240, 20);
};

TEST_F(HeadOnBackbone, IsSavedAsOneNetworkThatOnlyTheHeadMakesStochastic) {
  for (const auto& [dropout, layers] :
       {std::pair{"multi", 2}, {"concrete", 3}, {"none", 2}, {"fixed", 2}}) {
    SCOPED_TRACE(dropout);
    const auto report =
        trainHead(*backbone_, items_, options(dropout, layers), 32, path("head.pt"), context_);
    ASSERT_OK(report);
    EXPECT_GT(report->validation_items, 40);
    EXPECT_GT(report->best_epoch, 0);
    const auto loaded = loadModel(path("head.pt"), {}, context_);
    ASSERT_OK(loaded);
    const ModelAudit& audit = (*loaded)->audit();
    EXPECT_EQ((*loaded)->metadata().class_names, (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ((*loaded)->metadata().preprocessing.describe(),
              backbone_->metadata().preprocessing.describe());
    EXPECT_EQ(audit.output, OutputKind::kProbabilities);
    EXPECT_TRUE(audit.head.found) << audit.head.reason;
    ASSERT_EQ(audit.dropout_sites.size(),
              std::string(dropout) == "none" ? 0U : static_cast<std::size_t>(layers));
    for (std::size_t i = 0; i < audit.dropout_sites.size(); ++i) {
      EXPECT_EQ(audit.dropout_sites[i].name, "head.dropout" + std::to_string(i + 1));
      EXPECT_EQ(audit.dropout_sites[i].place, "before head.fc" + std::to_string(i + 1));
      EXPECT_EQ(audit.dropout_sites[i].refused, "");
    }

    // In training mode, too, the backbone is as it was in inference.
    Module network = (*loaded)->impl().module;
    Module head = network.attr("head").toModule();
    const at::Tensor x = at::sin(at::arange(0, 4 * 400, at::kFloat)).reshape({4, 1, 20, 20});
    const at::Tensor hidden =
        at::tanh(at::linear(x.flatten(1), backbone_->impl().module.attr("first").toTensor()));
    const at::NoGradGuard no_gradients;
    EXPECT_TRUE(at::allclose(network.forward({x}).toTensor(),
                             at::softmax(head.forward({hidden}).toTensor(), 1), 1e-5, 1e-6));
    network.train();
    at::manual_seed(5);
    const at::Tensor sampled = network.forward({x}).toTensor();
    at::manual_seed(5);
    EXPECT_TRUE(
        at::allclose(sampled, at::softmax(head.forward({hidden}).toTensor(), 1), 1e-5, 1e-6));
    network.eval();
  }
}

// Features that do not fit into memory are mapped from a file.
TEST_F(HeadOnBackbone, IsTheSameWithFeaturesLargerThanMemory) {
  RunContext context;
  const auto points = openDataset("synthetic:glyphs?characters=3&n=200&seed=3&role=train", context);
  ASSERT_OK(points);
  const auto bytesOf = [&](const std::string& name, std::int64_t budget) {
    context_.memory_budget_bytes = budget;
    // In the budget below, batches have one item. On some processors, products round differently in
    // larger ones.
    const auto report =
        trainHead(*backbone_, **points, options("concrete", 2), 1, path("same.pt"), context_);
    EXPECT_OK(report);
    EXPECT_EQ(report ? report->from_cache : -1, name == "cached" ? 200 : 0);
    return test::readBytes(path("same.pt"));
  };
  const std::string expected = bytesOf("in memory", 0);
  std::filesystem::remove_all(path("features"));
  // The pixels of an item fit, the features of all items do not.
  const std::int64_t budget = 3 * 200 * kHidden * 4 - 1;
  EXPECT_TRUE(bytesOf("in files", budget) == expected);
  EXPECT_TRUE(bytesOf("cached", budget) == expected);
}

TEST_F(HeadOnBackbone, TakesFeaturesFromTheCacheAndRefusesOtherBackbones) {
  ASSERT_OK(trainHead(*backbone_, items_, options("fixed", 1), 32, path("a.pt"), context_));
  // Features of a data set in memory cannot be recognised later.
  RunContext context;
  const auto points = openDataset("synthetic:blobs?blobs=3&n=90&seed=3", context);
  ASSERT_OK(points);
  const auto refused =
      trainHead(*backbone_, **points, options("fixed", 1), 32, path("b.pt"), context);
  EXPECT_FALSE(refused);
  EXPECT_FALSE(std::filesystem::exists(path("b.pt")));
}

}  // namespace
}  // namespace dubito
