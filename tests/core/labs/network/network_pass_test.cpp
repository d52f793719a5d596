// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/network_pass.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/labs/random/keyed_random.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::closeTo;

std::vector<double> normalsOf(std::size_t count, std::uint32_t draw) {
  std::vector<double> values(count);
  KeyedRandom(17, LabSite::kDataInputs).normals(draw, values);
  return values;
}

/// The factor on input `i` of `layer` for item `n`.
double factorOf(const NetworkShape& shape, InputScales scales, std::int64_t layer, std::int64_t n,
                std::int64_t i) {
  if (scales.empty() || scales[static_cast<std::size_t>(layer)].factors.empty()) {
    return 1.0;
  }
  const InputScale& scale = scales[static_cast<std::size_t>(layer)];
  return scale
      .factors[static_cast<std::size_t>((scale.per_item ? n * shape.inputsOf(layer) : 0) + i)];
}

/// Outputs of item `n`, one number after the other.
std::vector<double> slowOutputs(const NetworkShape& shape, const std::vector<double>& q,
                                const std::vector<double>& inputs, std::int64_t n,
                                InputScales scales) {
  std::vector<double> units(inputs.begin() + n * shape.inputs,
                            inputs.begin() + (n + 1) * shape.inputs);
  for (std::int64_t layer = 0; layer < shape.layerCount(); ++layer) {
    std::vector<double> next;
    for (std::int64_t o = 0; o < shape.outputsOf(layer); ++o) {
      double sum = q[static_cast<std::size_t>(shape.firstBiasOf(layer) + o)];
      for (std::int64_t i = 0; i < shape.inputsOf(layer); ++i) {
        const auto weight =
            static_cast<std::size_t>(shape.firstWeightOf(layer) + o * shape.inputsOf(layer) + i);
        sum +=
            q[weight] * units[static_cast<std::size_t>(i)] * factorOf(shape, scales, layer, n, i);
      }
      if (layer + 1 < shape.layerCount()) {
        sum = shape.activation == Activation::kTanh ? std::tanh(sum) : std::max(sum, 0.0);
      }
      next.push_back(sum);
    }
    units = next;
  }
  return units;
}

/// A network, items and factors of several kinds.
struct Example {
  NetworkShape shape;
  std::int64_t count = 0;
  std::vector<double> q;
  std::vector<double> inputs;
  std::vector<std::vector<double>> factors;
  std::vector<InputScale> scales;

  Example(NetworkShape shape_of_network, std::int64_t items, bool with_factors)
      : shape(std::move(shape_of_network)), count(items) {
    q = normalsOf(static_cast<std::size_t>(shape.parameterCount()), 0);
    for (double& parameter : q) {
      parameter *= 0.7;
    }
    inputs = normalsOf(static_cast<std::size_t>(count * shape.inputs), 1);
    if (!with_factors) {
      return;
    }
    for (std::int64_t layer = 0; layer < shape.layerCount(); ++layer) {
      const bool per_item = layer % 2 == 1;
      factors.push_back(
          normalsOf(static_cast<std::size_t>(shape.inputsOf(layer) * (per_item ? count : 1)),
                    static_cast<std::uint32_t>(2 + layer)));
    }
    for (std::size_t layer = 0; layer < factors.size(); ++layer) {
      scales.push_back({.factors = factors[layer], .per_item = layer % 2 == 1});
    }
  }
};

std::vector<Example> examples() {
  std::vector<Example> all;
  for (const bool with_factors : {false, true}) {
    all.emplace_back(NetworkShape{1, {9}, 1, Activation::kTanh}, 1, with_factors);
    all.emplace_back(NetworkShape{1, {50}, 1, Activation::kRelu}, 100, with_factors);
    all.emplace_back(NetworkShape{3, {5, 7}, 2, Activation::kTanh}, 131, with_factors);
    all.emplace_back(NetworkShape{2, {4, 3, 6}, 3, Activation::kTanh}, 66, with_factors);
  }
  return all;
}

TEST(NetworkPass, OutputsAgreeWithASlowNetwork) {
  for (const Example& example : examples()) {
    const NetworkShape& shape = example.shape;
    std::vector<double> outputs(static_cast<std::size_t>(example.count * shape.outputs));
    networkOutputs(shape, example.q, example.inputs, outputs, example.scales);
    for (std::int64_t n = 0; n < example.count; ++n) {
      const auto expected = slowOutputs(shape, example.q, example.inputs, n, example.scales);
      for (std::int64_t k = 0; k < shape.outputs; ++k) {
        EXPECT_TRUE(closeTo(outputs[static_cast<std::size_t>(n * shape.outputs + k)],
                            expected[static_cast<std::size_t>(k)], 1e-12, 1e-13));
      }
    }
  }
}

/// sum_n sum_k weight_nk f_nk and its derivative by central differences.
class WeightedOutputs {
 public:
  explicit WeightedOutputs(Example& example)
      : example_(example),
        weights_(normalsOf(static_cast<std::size_t>(example.count * example.shape.outputs), 20)) {}

  [[nodiscard]] const std::vector<double>& weights() const { return weights_; }

  [[nodiscard]] double value() const {
    double sum = 0.0;
    for (std::int64_t n = 0; n < example_.count; ++n) {
      const auto outputs =
          slowOutputs(example_.shape, example_.q, example_.inputs, n, example_.scales);
      for (std::size_t k = 0; k < outputs.size(); ++k) {
        sum += weights_[static_cast<std::size_t>(n) * outputs.size() + k] * outputs[k];
      }
    }
    return sum;
  }

  /// Fourth-order central differences.
  [[nodiscard]] double derivative(double& variable) const {
    constexpr double kStep = 1e-3;
    const double at = variable;
    const auto valueAt = [&](double x) {
      variable = x;
      return value();
    };
    const double near = valueAt(at + kStep) - valueAt(at - kStep);
    const double far = valueAt(at + 2 * kStep) - valueAt(at - 2 * kStep);
    variable = at;
    return (8.0 * near - far) / (12.0 * kStep);
  }

 private:
  Example& example_;
  std::vector<double> weights_;
};

TEST(NetworkPass, GradientsAgreeWithDifferences) {
  for (Example& example : examples()) {
    if (example.shape.activation == Activation::kRelu) {
      continue;  // differences across a kink
    }
    const WeightedOutputs weighted(example);
    std::vector<std::vector<double>> factor_gradients = example.factors;
    for (std::size_t layer = 0; layer < factor_gradients.size(); ++layer) {
      example.scales[layer].gradient = factor_gradients[layer];
    }
    std::vector<double> gradient(example.q.size());
    networkGradient(example.shape, example.q, example.inputs, weighted.weights(), gradient,
                    example.scales);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      EXPECT_TRUE(closeTo(gradient[i], weighted.derivative(example.q[i]), 1e-7, 1e-7))
          << "parameter " << i;
    }
    for (std::size_t layer = 0; layer < factor_gradients.size(); ++layer) {
      for (std::size_t i = 0; i < factor_gradients[layer].size(); i += 5) {
        EXPECT_TRUE(closeTo(factor_gradients[layer][i],
                            weighted.derivative(example.factors[layer][i]), 1e-7, 1e-7))
            << "factor " << i << " of layer " << layer;
      }
    }
  }
}

TEST(NetworkPass, JacobiansSumToTheGradient) {
  for (const Example& example : examples()) {
    const auto outputs = static_cast<std::size_t>(example.count * example.shape.outputs);
    const std::size_t parameters = example.q.size();
    const std::vector<double> weights = normalsOf(outputs, 21);
    std::vector<double> gradient(parameters);
    networkGradient(example.shape, example.q, example.inputs, weights, gradient, example.scales);
    std::vector<double> jacobians(outputs * parameters);
    networkJacobians(example.shape, example.q, example.inputs, jacobians, example.scales);
    for (std::size_t p = 0; p < parameters; ++p) {
      double sum = 0.0;
      for (std::size_t o = 0; o < outputs; ++o) {
        sum += weights[o] * jacobians[o * parameters + p];
      }
      EXPECT_TRUE(closeTo(gradient[p], sum, 1e-11, 1e-11));
    }
  }
}

TEST(NetworkPass, TheLossSeesTheOutputsOfItsItems) {
  const Example example(NetworkShape{1, {9}, 2, Activation::kRelu}, 150, false);
  std::vector<double> outputs(300);
  networkOutputs(example.shape, example.q, example.inputs, outputs);
  std::vector<double> seen;
  const auto loss = [&](std::int64_t first, std::span<const double> of_items,
                        std::span<double> gradient) {
    EXPECT_EQ(static_cast<std::size_t>(2 * first), seen.size());
    seen.insert(seen.end(), of_items.begin(), of_items.end());
    std::ranges::copy(of_items, gradient.begin());
  };
  std::vector<double> gradient(example.q.size());
  networkGradient(example.shape, example.q, example.inputs, loss, gradient);
  EXPECT_EQ(seen, outputs);
  std::vector<double> expected(example.q.size());
  networkGradient(example.shape, example.q, example.inputs, outputs, expected);
  EXPECT_EQ(gradient, expected);
}

TEST(NetworkPass, RefusesSpansOfWrongLength) {
  const NetworkShape shape{2, {3}, 1, Activation::kTanh};
  std::vector<double> q(static_cast<std::size_t>(shape.parameterCount()));
  std::vector<double> outputs(2);
  EXPECT_THROW(networkOutputs(shape, q, std::vector<double>(3), outputs), std::invalid_argument);
  EXPECT_THROW(networkOutputs(shape, q, std::vector<double>(2), outputs), std::invalid_argument);
  q.pop_back();
  EXPECT_THROW(networkOutputs(shape, q, std::vector<double>(4), outputs), std::invalid_argument);
}

TEST(NetworkShape, ChecksItsWidths) {
  EXPECT_OK((NetworkShape{1, {1024, 3, 1}, 2, Activation::kTanh}.check()));
  EXPECT_FALSE((NetworkShape{1, {}, 1, Activation::kTanh}.check()));
  EXPECT_FALSE((NetworkShape{1, {2, 2, 2, 2}, 1, Activation::kTanh}.check()));
  EXPECT_FALSE((NetworkShape{0, {2}, 1, Activation::kTanh}.check()));
  const Status status = NetworkShape{1, {4, 1025}, 1, Activation::kTanh}.check();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "a hidden layer has 1025 units; use 1 to 1024");
}

TEST(NetworkShape, CountsParameters) {
  const NetworkShape shape{2, {3, 4}, 5, Activation::kTanh};
  EXPECT_EQ(shape.parameterCount(), 2 * 3 + 3 + 3 * 4 + 4 + 4 * 5 + 5);
  EXPECT_EQ(shape.firstWeightOf(1), 9);
  EXPECT_EQ(shape.firstBiasOf(1), 21);
}

}  // namespace
}  // namespace dubito
