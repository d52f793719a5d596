// SPDX-License-Identifier: GPL-3.0-or-later
// The methods on small made problems, and MC dropout against a slow plain version.
#include "core/labs/uci/uci_methods.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <stdexcept>

#include "core/labs/network/network_shape.h"
#include "core/labs/random/keyed_random.h"
#include "tests/core/labs/uci/small_set.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::closeTo;

/// One hidden layer of ReLU and one output, in plain loops.
struct PlainNetwork {
  std::size_t inputs;
  std::size_t units;
  std::vector<double> q;

  double& w1(std::size_t u, std::size_t i) { return q[u * inputs + i]; }
  double& b1(std::size_t u) { return q[units * inputs + u]; }
  double& w2(std::size_t u) { return q[units * inputs + units + u]; }
  double& b2() { return q.back(); }

  /// Output for one item with masks [inputs] and [units]; adds slope * gradient unless null.
  double pass(const double* x, const double* input_mask, const double* unit_mask, double slope,
              std::vector<double>* gradient) {
    double output = b2();
    for (std::size_t u = 0; u < units; ++u) {
      double sum = b1(u);
      for (std::size_t i = 0; i < inputs; ++i) {
        sum += w1(u, i) * x[i] * input_mask[i];
      }
      const double active = sum > 0.0 ? sum : 0.0;
      output += w2(u) * unit_mask[u] * active;
      if (gradient != nullptr) {
        (*gradient)[units * inputs + units + u] += slope * unit_mask[u] * active;
        if (sum > 0.0) {
          const double delta = slope * w2(u) * unit_mask[u];
          (*gradient)[units * inputs + u] += delta;
          for (std::size_t i = 0; i < inputs; ++i) {
            (*gradient)[u * inputs + i] += delta * x[i] * input_mask[i];
          }
        }
      }
    }
    if (gradient != nullptr) {
      gradient->back() += slope;
    }
    return output;
  }
};

std::vector<double> masks(std::uint64_t seed, LabSite site, std::uint64_t layer, std::uint32_t draw,
                          std::size_t count, double rate) {
  std::vector<double> values(count);
  KeyedRandom(seed, site, layer).uniforms(draw, values);
  for (double& value : values) {
    value = value < rate ? 0.0 : 1.0 / (1.0 - rate);
  }
  return values;
}

UciScore plainMcDropout(const UciFit& fit) {
  const double rate = chosenValue(fit.choice, "drop_rate");
  const double tau = chosenValue(fit.choice, "tau");
  const auto inputs = static_cast<std::size_t>(fit.set.inputs);
  const auto units = static_cast<std::size_t>(fit.set.hidden_units);
  const std::vector<double>& x = fit.problem.train.x;
  const std::vector<double>& y = fit.problem.train.y;
  const std::size_t n = y.size();
  PlainNetwork net{inputs, units, std::vector<double>(units * (inputs + 2) + 1)};
  KeyedRandom(fit.seed, LabSite::kInitialWeights, 0).uniforms(0, net.q);
  for (std::size_t i = 0; i < net.q.size(); ++i) {
    const bool is_first = i < units * inputs;
    const bool is_second = i >= units * inputs + units && i + 1 < net.q.size();
    const double width = static_cast<double>(is_first ? inputs + units : units + 1);
    net.q[i] = is_first || is_second ? std::sqrt(6.0 / width) * (2.0 * net.q[i] - 1.0) : 0.0;
  }
  const double decay = 0.01 * 0.01 * (1.0 - rate) / (2.0 * static_cast<double>(n) * tau);
  std::vector<double> m(net.q.size());
  std::vector<double> v(net.q.size());
  int steps = 0;
  std::vector<std::int64_t> order(n);
  for (std::int64_t epoch = 0; epoch < fit.epochs; ++epoch) {
    if (n > 128) {
      KeyedRandom(fit.seed, LabSite::kShuffle, 0)
          .permutation(static_cast<std::uint32_t>(epoch), order);
    } else {
      for (std::size_t i = 0; i < n; ++i) {
        order[i] = static_cast<std::int64_t>(i);
      }
    }
    for (std::size_t first = 0; first < n; first += 128) {
      const std::size_t count = std::min<std::size_t>(128, n - first);
      const auto step = static_cast<std::uint32_t>(steps);
      const auto input_masks =
          masks(fit.seed, LabSite::kDropoutMask, 0, step, count * inputs, rate);
      const auto unit_masks = masks(fit.seed, LabSite::kDropoutMask, 1, step, count * units, rate);
      std::vector<double> gradient(net.q.size());
      for (std::size_t k = 0; k < count; ++k) {
        const auto row = static_cast<std::size_t>(order[first + k]);
        const double* const input_mask = &input_masks[k * inputs];
        const double* const unit_mask = &unit_masks[k * units];
        const double output = net.pass(&x[row * inputs], input_mask, unit_mask, 0.0, nullptr);
        // d/df of the mean of (y - f)^2.
        const double slope = 2.0 * (output - y[row]) / static_cast<double>(count);
        net.pass(&x[row * inputs], input_mask, unit_mask, slope, &gradient);
      }
      ++steps;
      for (std::size_t i = 0; i < net.q.size(); ++i) {
        const bool is_bias =
            (i >= units * inputs && i < units * inputs + units) || i + 1 == net.q.size();
        const double g = gradient[i] + (is_bias ? 0.0 : 2.0 * decay * net.q[i]);
        m[i] = 0.9 * m[i] + 0.1 * g;
        v[i] = 0.999 * v[i] + 0.001 * g * g;
        net.q[i] -= 0.001 * (m[i] / (1.0 - std::pow(0.9, steps))) /
                    (std::sqrt(v[i] / (1.0 - std::pow(0.999, steps))) + 1e-8);
      }
    }
  }
  const std::size_t tests = fit.problem.test_y.size();
  std::vector<double> means(tests);
  std::vector<double> densities(tests);
  const auto draws = static_cast<double>(fit.draws);
  for (std::int64_t t = 0; t < fit.draws; ++t) {
    const auto draw = static_cast<std::uint32_t>(t);
    const auto input_mask = masks(fit.seed, LabSite::kFunctionDraw, 0, draw, inputs, rate);
    const auto unit_mask = masks(fit.seed, LabSite::kFunctionDraw, 1, draw, units, rate);
    for (std::size_t i = 0; i < tests; ++i) {
      const double f =
          fit.problem.target_mean +
          fit.problem.target_std * net.pass(&fit.problem.test_x[i * inputs], input_mask.data(),
                                            unit_mask.data(), 0.0, nullptr);
      means[i] += f / draws;
      densities[i] += std::exp(-0.5 * tau * std::pow(fit.problem.test_y[i] - f, 2)) *
                      std::sqrt(tau / (2.0 * std::numbers::pi)) / draws;
    }
  }
  UciScore score;
  for (std::size_t i = 0; i < tests; ++i) {
    score.rmse += std::pow(fit.problem.test_y[i] - means[i], 2) / static_cast<double>(tests);
    score.log_likelihood += std::log(densities[i]) / static_cast<double>(tests);
  }
  score.rmse = std::sqrt(score.rmse);
  return score;
}

TEST(UciMethods, McDropoutIsThePublishedCodeInPlainLoops) {
  const test::SmallSet small(/*items=*/180);
  const RunContext context;
  for (const double rate : {0.05, 0.3}) {
    const UciFit fit{.set = small.set,
                     .problem = small.problem,
                     .choice = {{"drop_rate", rate}, {"tau", 0.4}},
                     .epochs = 7,
                     .draws = 40,
                     .seed = 11,
                     .context = context};
    const auto score = evaluateMcDropout(fit);
    ASSERT_OK(score);
    const UciScore plain = plainMcDropout(fit);
    EXPECT_TRUE(closeTo(score->rmse, plain.rmse, 1e-9)) << rate;
    EXPECT_TRUE(closeTo(score->log_likelihood, plain.log_likelihood, 1e-9)) << rate;
  }
}

TEST(UciMethods, EveryMethodLearnsASmoothFunctionAndItsNoise) {
  const test::SmallSet small(/*items=*/600);
  const RunContext context;
  std::set<Expected<UciScore> (*)(const UciFit&)> seen;
  for (const UciMethodInfo& method : uciMethods()) {
    // Some differ in their epochs alone.
    if (!seen.insert(method.evaluate).second) {
      continue;
    }
    UciScore best{.log_likelihood = -1e9};
    for (UciChoice choice : method.candidates(small.set)) {
      if (choice.front().first == "epochs" && choice.front().second != 400.0) {
        continue;
      }
      const auto score = method.evaluate({.set = small.set,
                                          .problem = small.problem,
                                          .choice = choice,
                                          .epochs = 1200,
                                          .draws = 300,
                                          .seed = 5,
                                          .context = context});
      ASSERT_OK(score);
      best = score->log_likelihood > best.log_likelihood ? *score : best;
    }
    // Noise of 0.5 alone gives this; a constant prediction gives an RMSE of 4.5.
    const double ideal = -0.5 * std::log(2.0 * std::numbers::pi * std::numbers::e * 0.25);
    EXPECT_LT(best.rmse, 0.85) << method.key;
    EXPECT_GT(best.log_likelihood, ideal - 0.45) << method.key;
    EXPECT_LT(best.log_likelihood, ideal + 0.1) << method.key;
  }
}

TEST(UciMethods, StopWhenCancelled) {
  const test::SmallSet small(/*items=*/180);
  RunContext context;
  context.control()->requestCancel();
  for (const UciMethodInfo& method : uciMethods()) {
    const auto score = method.evaluate({.set = small.set,
                                        .problem = small.problem,
                                        .choice = method.candidates(small.set).front(),
                                        .epochs = 1000000,
                                        .draws = 10,
                                        .seed = 1,
                                        .context = context});
    ASSERT_FALSE(score) << method.key;
    EXPECT_EQ(score.error().code, ErrorCode::kCancelled) << method.key;
  }
}

TEST(UciMethods, TheGridIsThePublishedOne) {
  const UciSetInfo& kin8nm = *findUciSet("kin8nm");
  const std::vector<UciChoice> grid = findUciMethod("mc-dropout-1x")->candidates(kin8nm);
  ASSERT_EQ(grid.size(), 12U);
  EXPECT_EQ(chosenValue(grid.front(), "drop_rate"), 0.005);
  EXPECT_EQ(chosenValue(grid.front(), "tau"), 150.0);
  EXPECT_EQ(chosenValue(grid.back(), "drop_rate"), 0.1);
  EXPECT_EQ(chosenValue(grid.back(), "tau"), 250.0);
  EXPECT_THROW((void)chosenValue(grid.back(), "epochs"), std::out_of_range);
}

}  // namespace
}  // namespace dubito
