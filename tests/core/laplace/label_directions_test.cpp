// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/laplace/posterior/label_directions_torch.h"

#include <gtest/gtest.h>

#include "tests/core/laplace/made_layers.h"

namespace dubito {
namespace {

/// sum_c s_c s_c^T of each item, [B, K, K].
at::Tensor productsOf(const at::Tensor& directions) {
  return at::einsum("cbk,cbl->bkl", {directions, directions});
}

at::Tensor madeProbs(std::int64_t items, std::int64_t classes) {
  return at::softmax(test::madeNumbers({items, classes}, 3) * 2.0, 1);
}

at::Tensor covarianceOf(const at::Tensor& probs) {
  return at::diag_embed(probs) - probs.unsqueeze(2) * probs.unsqueeze(1);
}

TEST(LabelDirections, MakeTheCovarianceOfLabels) {
  const at::Tensor probs = madeProbs(5, 7);
  EXPECT_TRUE(
      test::tensorsClose(productsOf(labelDirections(probs)), covarianceOf(probs), 1e-12, 1e-15));
}

/// Classes that never occur, before and after the one that always does.
TEST(LabelDirections, KnowOfCertainLabels) {
  const at::Tensor probs = at::tensor({0.0,    0.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 1e-300, 1.0,
                                       1e-300, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,    1.0},
                                      at::kDouble)
                               .view({5, 4});
  const at::Tensor directions = labelDirections(probs);
  EXPECT_EQ(directions.sizes(), at::IntArrayRef({3, 5, 4}));
  EXPECT_TRUE(test::tensorsClose(productsOf(directions), covarianceOf(probs), 1e-12, 1e-290));
}

TEST(LabelDirections, SampledOnesMakeItOnAverage) {
  const at::Tensor probs = madeProbs(3, 4);
  const std::vector<std::int64_t> ids = {11, -2, 5'000'000'000};
  constexpr std::int64_t kSamples = 200'000;
  const at::Tensor products = productsOf(sampledLabelDirections(probs, ids, kSamples, 9));
  // (e - p)_k (e - p)_l lies within [-1, 1].
  EXPECT_TRUE(test::tensorsClose(products, covarianceOf(probs), 0.0, 5.0 / std::sqrt(kSamples)));
}

TEST(LabelDirections, SampledOnesAreKeyedByItem) {
  const at::Tensor probs = madeProbs(1, 6).repeat({3, 1});
  const std::vector<std::int64_t> ids = {1, 2, 3};
  const at::Tensor together = sampledLabelDirections(probs, ids, 32, 4);
  const std::vector<std::int64_t> second = {2};
  const at::Tensor alone = sampledLabelDirections(probs.slice(0, 1, 2), second, 32, 4);
  EXPECT_TRUE(at::equal(together.slice(1, 1, 2), alone));
  EXPECT_FALSE(at::equal(together.select(1, 0), together.select(1, 1)));
  EXPECT_FALSE(at::equal(alone, sampledLabelDirections(probs.slice(0, 1, 2), second, 32, 5)));
  EXPECT_THROW(static_cast<void>(sampledLabelDirections(probs, second, 32, 4)),
               std::invalid_argument);
}

}  // namespace
}  // namespace dubito
