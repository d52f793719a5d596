// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/concrete_layers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/labs/network/dropout_masks.h"
#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using test::closeTo;

double logitOfRate(double p) {
  return std::log(p) - std::log1p(-p);
}

TEST(ConcreteDropout, MasksAgreeWithTheReference) {
  const auto rows = test::readVectors("labs").at("concrete").at("rows");
  ASSERT_GT(rows.size(), 10U);
  for (const auto& row : rows) {
    const ConcreteRate rate(logitOfRate(row[0]));
    EXPECT_TRUE(closeTo(rate.dropped, row[0], 1e-12));
    const ConcreteMask mask = rate.mask(row[1]);
    EXPECT_TRUE(closeTo(mask.dropped, row[2], 1e-9)) << row;
    EXPECT_TRUE(closeTo(mask.factor, row[3], 1e-9)) << row;
    EXPECT_TRUE(closeTo(mask.slope_of_dropped, row[4], 1e-9)) << row;
  }
}

TEST(ConcreteDropout, TheSlopeOfAFactorAgreesWithDifferences) {
  for (const double p : {0.02, 0.3, 0.8}) {
    for (const double u : {0.1, 0.4, 0.55, 0.7, 0.95}) {
      constexpr double kStep = 1e-5;
      const double logit = logitOfRate(p);
      const double above = ConcreteRate(logit + kStep).mask(u).factor;
      const double below = ConcreteRate(logit - kStep).mask(u).factor;
      EXPECT_TRUE(closeTo(ConcreteRate(logit).mask(u).slope_of_factor,
                          (above - below) / (2.0 * kStep), 1e-6, 1e-8));
    }
  }
}

TEST(ConcreteDropout, PenaltiesAgreeWithTheReference) {
  const auto reference = test::readVectors("labs").at("penalty");
  std::vector<double> weights;
  for (const auto& row : reference.at("weights")) {
    for (const double weight : row) {
      weights.push_back(weight);
    }
  }
  const ConcretePenalty penalty{reference.at("length_scale"), reference.at("n")};
  for (const auto& row : reference.at("rows")) {
    const std::vector<double> logits(3, logitOfRate(row[0]));
    std::vector<double> weight_gradient(weights.size());
    std::vector<double> logit_gradient(3);
    const double value = penalty.add(weights, logits, weight_gradient, logit_gradient);
    EXPECT_TRUE(closeTo(value, row[1], 1e-9));
    EXPECT_TRUE(
        closeTo(logit_gradient[0] + logit_gradient[1] + logit_gradient[2], row[2], 1e-9, 1e-15));
    for (std::size_t i = 0; i < weights.size(); ++i) {
      constexpr double kStep = 1e-4;
      std::vector<double> moved = weights;
      std::vector<double> unused(weights.size());
      moved[i] += kStep;
      const double above = penalty.add(moved, logits, unused, logit_gradient);
      moved[i] -= 2.0 * kStep;
      const double below = penalty.add(moved, logits, unused, logit_gradient);
      EXPECT_TRUE(closeTo(weight_gradient[i], (above - below) / (2.0 * kStep), 1e-7, 1e-10));
    }
  }
  const auto multi = reference.at("multi_drop");
  std::vector<double> logits;
  for (const double p : multi.at("p")) {
    logits.push_back(logitOfRate(p));
  }
  std::vector<double> weight_gradient(weights.size());
  std::vector<double> logit_gradient(3);
  EXPECT_TRUE(closeTo(penalty.add(weights, logits, weight_gradient, logit_gradient),
                      multi.at("value"), 1e-9));
}

TEST(DropoutWeightDecay, AgreesWithTheReference) {
  for (const auto& row : test::readVectors("labs").at("weight_decay")) {
    const DropoutWeightDecay decay = dropoutWeightDecay(row[0], row[1], row[2], row[3]);
    EXPECT_TRUE(closeTo(decay.of_unscaled, row[4], 1e-9));
    EXPECT_TRUE(closeTo(decay.of_stored, row[5], 1e-9));
  }
}

TEST(DropoutMasks, DropTheGivenShareOfHiddenUnits) {
  const NetworkShape shape{1, {100, 50}, 1, Activation::kRelu};
  DropoutMasks masks(shape, 3);
  const InputScales scales = masks.ofStep(0.2, 7, 200);
  ASSERT_EQ(scales.size(), 3U);
  EXPECT_TRUE(scales[0].factors.empty());
  for (const std::size_t layer : {1U, 2U}) {
    EXPECT_TRUE(scales[layer].per_item);
    double dropped = 0.0;
    for (const double factor : scales[layer].factors) {
      ASSERT_TRUE(factor == 0.0 || factor == 1.0 / 0.8);
      dropped += factor == 0.0 ? 1.0 : 0.0;
    }
    const auto size = static_cast<double>(scales[layer].factors.size());
    // Five standard errors.
    EXPECT_NEAR(dropped / size, 0.2, 5.0 * std::sqrt(0.16 / size));
  }
  const std::vector<double> step(scales[1].factors.begin(), scales[1].factors.begin() + 100);
  const InputScales of_function = masks.ofFunction(0.2, 7);
  EXPECT_FALSE(of_function[1].per_item);
  EXPECT_EQ(of_function[1].factors.size(), 100U);
  EXPECT_NE(std::vector<double>(of_function[1].factors.begin(), of_function[1].factors.end()),
            step);
}

}  // namespace
}  // namespace dubito
