// SPDX-License-Identifier: GPL-3.0-or-later
// Gradients pass through keyed dropout with the masks of the values.
#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "core/kernels/torch/keyed_dropout_torch.h"

namespace dubito {
namespace {

constexpr std::int64_t kSeed = 5;
constexpr std::int64_t kSite = 3;
constexpr std::int64_t kItems = 4;

at::Tensor items() {
  return at::arange(kItems, at::kLong);
}
at::Tensor draws() {
  return at::full({kItems}, 2, at::kLong);
}

at::Tensor gradientOf(const at::Tensor& y, const at::Tensor& x, const at::Tensor& direction) {
  return torch::autograd::grad({y}, {x}, {direction}).at(0);
}

struct Case {
  std::vector<std::int64_t> shape;
  KeyedDropoutForm form;
};

class KeyedGradient : public testing::TestWithParam<Case> {};

TEST_P(KeyedGradient, IsTheMaskTimesTheGradientOfTheResult) {
  const auto& [shape, form] = GetParam();
  const auto dropped = [&form = form](const at::Tensor& x) {
    return keyedDropout(x, 0.3, kSeed, items(), draws(), kSite, form);
  };
  at::manual_seed(1);
  const at::Tensor values = at::randn(shape);
  const at::Tensor direction = at::randn(shape);
  const at::Tensor x = values.clone().requires_grad_(true);
  const at::Tensor y = dropped(x);
  ASSERT_TRUE(y.requires_grad());
  EXPECT_TRUE(y.detach().equal(dropped(values)));
  // Dropout is affine in every element.
  const at::Tensor slope = dropped(at::ones(shape)) - dropped(at::zeros(shape));
  EXPECT_TRUE(at::allclose(gradientOf(y, x, direction), slope * direction, 1e-5, 1e-6));
  EXPECT_TRUE((slope == 0.0).any().item<bool>());
}

INSTANTIATE_TEST_SUITE_P(Kernels, KeyedGradient,
                         testing::Values(Case{{kItems, 50}, {}},
                                         Case{{kItems, 6, 5}, {.feature = true}},
                                         Case{{kItems, 50}, {.alpha = true}},
                                         Case{{7, kItems, 5}, {.item_axis = 1}},
                                         Case{{2 * kItems, 20}, {.execution = 3}}));

TEST(KeyedGradients, UsesTheRateOfEachUnit) {
  const at::Tensor rates = at::tensor({0.1F, 0.5F, 0.9F, 0.0F, 0.3F});
  const auto dropped = [&rates](const at::Tensor& x) {
    return keyedUnitDropout(x, rates, kSeed, items(), draws(), kSite, {});
  };
  const at::Tensor x = at::ones({kItems, 6, 5}).requires_grad_(true);
  const at::Tensor y = dropped(x);
  EXPECT_TRUE(gradientOf(y, x, at::ones_like(x)).equal(y.detach()));
}

/// A later operator may write into the result.
TEST(KeyedGradients, AllowsWritingIntoTheResult) {
  for (const std::int64_t axis : {0, 1}) {
    const at::Tensor x = at::ones({kItems, kItems, 3}).requires_grad_(true);
    at::Tensor y = keyedDropout(x, 0.5, kSeed, items(), draws(), kSite, {.item_axis = axis});
    const at::Tensor mask = y.detach().clone();
    y.mul_(3.0);
    EXPECT_TRUE(gradientOf(y, x, at::ones_like(x)).equal(3.0 * mask)) << axis;
  }
}

/// Registered operators, as networks call them: attention against the formula.
TEST(KeyedGradients, PassesThroughTheOperatorsOfNetworks) {
  registerKeyedDropout();
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("dubito::keyed_attention", "");
  at::manual_seed(2);
  const at::Tensor key = at::randn({kItems, 2, 5, 3});
  const at::Tensor value = at::randn({kItems, 2, 5, 3});
  const at::Tensor query = at::randn({kItems, 2, 6, 3}).requires_grad_(true);
  torch::jit::Stack stack = {query, key,   value,   c10::IValue(), 0.3,   false,          1.0,
                             false, kSeed, items(), draws(),       kSite, std::int64_t{0}};
  op.callBoxed(stack);
  const at::Tensor y = stack.at(0).toTensor();
  const at::Tensor weights = at::softmax(at::matmul(query, key.transpose(-1, -2)), -1);
  const at::Tensor mask =
      keyedDropout(at::ones(weights.sizes()), 0.3, kSeed, items(), draws(), kSite, {});
  const at::Tensor expected = at::matmul(weights * mask, value);
  EXPECT_TRUE(at::allclose(y, expected, 1e-5, 1e-6));
  EXPECT_TRUE(at::allclose(gradientOf(y, query, at::ones_like(y)),
                           gradientOf(expected, query, at::ones_like(y)), 1e-4, 1e-5));
}

}  // namespace
}  // namespace dubito
