// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/train/training_batch_torch.h"

namespace dubito {
namespace {

const std::vector<std::vector<double>> kLogits = {{1.5, -0.3, 0.2}, {0.1, 2.0, -1.0}};
const std::vector<std::int64_t> kLabels = {2, 1};

at::Tensor logits() {
  return at::tensor({1.5, -0.3, 0.2, 0.1, 2.0, -1.0}, at::kDouble).view({2, 3});
}

TrainingBatch batch() {
  return {.inputs = at::tensor({1.0, 2.0, 3.0, 5.0, 7.0, 11.0}, at::kDouble).view({2, 3}),
          .labels = at::tensor({2, 1}, at::kLong),
          .partner_labels = {}};
}

double logProbability(std::size_t item, std::size_t label) {
  double sum = 0.0;
  for (const double logit : kLogits[item]) {
    sum += std::exp(logit);
  }
  return kLogits[item][label] - std::log(sum);
}

/// Mean over items of - sum_k target_k log p_k.
double slowLoss(const std::vector<std::vector<double>>& targets) {
  double loss = 0.0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    for (std::size_t k = 0; k < targets[i].size(); ++k) {
      loss -= targets[i][k] * logProbability(i, k) / static_cast<double>(targets.size());
    }
  }
  return loss;
}

TEST(TargetLoss, IsTheCrossEntropyOfTheLabels) {
  EXPECT_NEAR(targetLoss(logits(), batch(), 0.0).item<double>(),
              slowLoss({{0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}}), 1e-14);
}

// (1 - e) CE(label) + e mean over classes of CE(class).
TEST(TargetLoss, SmoothsLabels) {
  const double e = 0.3;
  EXPECT_NEAR(
      targetLoss(logits(), batch(), e).item<double>(),
      slowLoss({{e / 3.0, e / 3.0, 1.0 - e + e / 3.0}, {e / 3.0, 1.0 - e + e / 3.0, e / 3.0}}),
      1e-14);
}

TEST(TargetLoss, MixesInputsAndTargets) {
  TrainingBatch mixed = batch();
  mix(mixed, {.share = 0.75, .partners = {1, 0}});
  const at::Tensor expected =
      at::tensor({0.75 * 1.0 + 0.25 * 5.0, 0.75 * 2.0 + 0.25 * 7.0, 0.75 * 3.0 + 0.25 * 11.0,
                  0.75 * 5.0 + 0.25 * 1.0, 0.75 * 7.0 + 0.25 * 2.0, 0.75 * 11.0 + 0.25 * 3.0},
                 at::kDouble)
          .view({2, 3});
  EXPECT_TRUE(at::allclose(mixed.inputs, expected, 0.0, 1e-14));
  EXPECT_NEAR(targetLoss(logits(), mixed, 0.0).item<double>(),
              slowLoss({{0.0, 0.25, 0.75}, {0.0, 0.75, 0.25}}), 1e-14);
  const double e = 0.3 / 3.0;
  EXPECT_NEAR(targetLoss(logits(), mixed, 0.3).item<double>(),
              slowLoss({{e, 0.7 * 0.25 + e, 0.7 * 0.75 + e}, {e, 0.7 * 0.75 + e, 0.7 * 0.25 + e}}),
              1e-14);
  EXPECT_TRUE(mainLabels(mixed).equal(at::tensor({2, 1}, at::kLong)));
  TrainingBatch others = batch();
  mix(others, {.share = 0.25, .partners = {1, 0}});
  EXPECT_TRUE(mainLabels(others).equal(at::tensor({1, 2}, at::kLong)));
}

}  // namespace
}  // namespace dubito
