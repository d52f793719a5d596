// SPDX-License-Identifier: GPL-3.0-or-later
// The gradients of a head without a graph against those that autograd computes of its network.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/jit/api/module.h>

#include <string>
#include <tuple>

#include "core/train/dropout_layers_torch.h"
#include "core/train/head/head_network_torch.h"
#include "core/train/head/head_pass_torch.h"
#include "core/train/learned_dropout_torch.h"
#include "tests/core/train/keyed_head.h"

namespace dubito {
namespace {

constexpr std::int64_t kRows = 37;
constexpr std::int64_t kFeatures = 20;
constexpr std::int64_t kClasses = 5;
constexpr std::int64_t kItems = 90;
constexpr std::int64_t kSeed = 11;

struct Batch {
  at::Tensor features = at::randn({kRows, kFeatures}) * 2.0 + 1.0;
  at::Tensor labels = at::randint(kClasses, {kRows}, at::kLong);
  RowKeys keys{kSeed, at::arange(kRows, at::kLong) * 7 + 2, at::full({kRows}, 4, at::kLong)};
};

HeadFrame someFrame() {
  HeadFrame frame{.mean = {}, .scale = 2.5F};
  for (std::int64_t i = 0; i < kFeatures; ++i) {
    frame.mean.push_back(0.1F * static_cast<float>(i));
  }
  return frame;
}

double relativeDifference(const at::Tensor& a, const at::Tensor& b) {
  return ((a - b).norm() / b.norm()).item<double>();
}

class HeadPasses : public testing::TestWithParam<std::tuple<const char*, std::int64_t>> {};

TEST_P(HeadPasses, AgreeWithAutograd) {
  const auto& [dropout, layers] = GetParam();
  at::manual_seed(3);
  HeadOptions options;
  options.layers = layers;
  options.units = 30;
  DropoutDesign design(dropoutKindOf(dropout), 0.4);
  at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(5);
  torch::jit::Module network = buildHeadNetwork(options, someFrame(), kClasses, generator, design);
  const LearnedDropout learned(network, design.places(), 1.0, kItems);
  for (const at::Tensor& logits : learned.logits()) {
    const at::NoGradGuard no_gradients;
    logits.add_(at::randn_like(logits) * 0.5);  // a rate of its own for each unit
  }
  const Batch batch;

  const HeadPass pass(network, design.places());
  const HeadPass::Gradients gradients = pass.run(batch.features, batch.labels, batch.keys, kItems);

  const at::Tensor logits = test::keyedLogits(network, design.places(), batch.features, batch.keys);
  const at::Tensor loss = at::cross_entropy_loss(logits, batch.labels, {}, at::Reduction::Sum);
  EXPECT_NEAR(gradients.loss, loss.item<double>(), 1e-4);
  std::vector<at::Tensor> by = pass.parameters();
  ASSERT_EQ(by.size(), static_cast<std::size_t>(2 * layers));
  const std::vector<at::Tensor> rates = learned.logits();
  by.insert(by.end(), rates.begin(), rates.end());
  const auto expected = torch::autograd::grad({loss / static_cast<double>(kItems)}, by);
  std::vector<at::Tensor> computed = gradients.weights;
  computed.insert(computed.end(), gradients.rates.begin(), gradients.rates.end());
  ASSERT_EQ(computed.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(computed[i].sizes(), expected[i].sizes()) << i;
    EXPECT_TRUE(computed[i].is_contiguous()) << i;
    EXPECT_FALSE(computed[i].requires_grad()) << i;
    EXPECT_GT(expected[i].norm().item<double>(), 0.0) << i;
    EXPECT_LT(relativeDifference(computed[i], expected[i]), 2e-6) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Train, HeadPasses,
                         testing::Combine(testing::Values("none", "fixed", "concrete", "multi"),
                                          testing::Values(1, 2, 3)),
                         [](const auto& test_case) {
                           return std::string(std::get<0>(test_case.param)) +
                                  std::to_string(std::get<1>(test_case.param));
                         });

}  // namespace
}  // namespace dubito
