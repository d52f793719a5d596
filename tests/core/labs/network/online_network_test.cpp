// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/online_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace dubito {
namespace {

const NetworkShape kShape{
    .inputs = 2, .hidden = {5, 4}, .outputs = 3, .activation = Activation::kRelu};

ObservedBatch someBatch() {
  return {.inputs = {0.5, -1.0, 2.0, 0.1, -0.3, 0.8},
          .outputs = {0, 2, 1},
          .targets = {1.0, -0.5, 2.0},
          .weights = {1.0, 2.0, 0.5}};
}

double lossOf(std::span<const double> parameters, const ObservedBatch& batch) {
  std::vector<double> outputs(9);
  networkOutputs(kShape, parameters, batch.inputs, outputs);
  double loss = 0.0;
  for (std::size_t n = 0; n < 3; ++n) {
    const double error =
        outputs[3 * n + static_cast<std::size_t>(batch.outputs[n])] - batch.targets[n];
    loss += 0.5 * batch.weights[n] * error * error / 3.0;
  }
  return loss;
}

TEST(OnlineNetwork, StepsAgainstTheGradientOfTheObservedOutputs) {
  constexpr double kRate = 1e-4;
  OnlineNetwork network(kShape, kRate, 3, 1);
  const std::vector<double> before = network.parameters();
  const ObservedBatch batch = someBatch();
  EXPECT_NEAR(network.step(batch), lossOf(before, batch), 1e-14);
  EXPECT_EQ(network.steps(), 1U);
  // The first step of Adam is the rate times the sign of the gradient.
  for (std::size_t i = 0; i < before.size(); ++i) {
    std::vector<double> moved = before;
    constexpr double kDistance = 1e-6;
    moved[i] += kDistance;
    const double above = lossOf(moved, batch);
    moved[i] -= 2.0 * kDistance;
    const double slope = (above - lossOf(moved, batch)) / (2.0 * kDistance);
    const double expected = std::abs(slope) < 1e-7 ? 0.0 : -std::copysign(kRate, slope);
    EXPECT_NEAR(network.parameters()[i] - before[i], expected, 0.1 * kRate) << i;
  }
}

TEST(OnlineNetwork, LearnsItsBatch) {
  OnlineNetwork network(kShape, 0.01, 3, 1);
  const ObservedBatch batch = someBatch();
  const double first = network.step(batch);
  double last = first;
  for (int i = 0; i < 500; ++i) {
    last = network.step(batch);
  }
  EXPECT_LT(last, 0.01 * first);
}

TEST(OnlineNetwork, GivesItsLastHiddenLayer) {
  const OnlineNetwork network(kShape, 0.01, 3, 1);
  const std::vector<double> inputs = {0.5, -1.0, 2.0, 0.1};
  std::vector<double> hidden(8);
  lastHiddenLayer(kShape, network.parameters(), inputs, hidden);
  EXPECT_GT(std::ranges::max(hidden), 0.0);
  EXPECT_GE(std::ranges::min(hidden), 0.0);  // ReLU
  // The output layer on top of it gives the outputs.
  std::vector<double> outputs(6);
  network.outputs(inputs, outputs);
  const auto weight = static_cast<std::size_t>(kShape.firstWeightOf(2));
  const auto bias = static_cast<std::size_t>(kShape.firstBiasOf(2));
  for (std::size_t n = 0; n < 2; ++n) {
    for (std::size_t k = 0; k < 3; ++k) {
      double sum = network.parameters()[bias + k];
      for (std::size_t h = 0; h < 4; ++h) {
        sum += network.parameters()[weight + 4 * k + h] * hidden[4 * n + h];
      }
      EXPECT_NEAR(outputs[3 * n + k], sum, 1e-14);
    }
  }
}

}  // namespace
}  // namespace dubito
