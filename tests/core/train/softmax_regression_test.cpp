// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/softmax_regression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/train/head/lbfgs.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

constexpr std::int64_t kWidth = 3;
constexpr std::int64_t kClasses = 4;

/// Noisy items of four classes, whose features overlap.
LabelledFeatures someItems(std::int64_t count, std::uint32_t state = 5) {
  std::vector<float> values;
  LabelledFeatures items;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t label = i % kClasses;
    for (std::int64_t q = 0; q < kWidth; ++q) {
      state = state * 1664525U + 1013904223U;
      const float noise = static_cast<float>(state >> 8) / static_cast<float>(1U << 24) - 0.5F;
      values.push_back((q == label ? 1.0F : 0.0F) + 2.0F * noise);
    }
    items.labels.push_back(label);
  }
  items.features = Array<float>::fromVector({count, kWidth}, std::move(values));
  return items;
}

LabelledFeatures repeated(const LabelledFeatures& items, int times) {
  LabelledFeatures all;
  std::vector<float> values;
  for (int time = 0; time < times; ++time) {
    values.insert(values.end(), items.features.values().begin(), items.features.values().end());
    all.labels.insert(all.labels.end(), items.labels.begin(), items.labels.end());
  }
  all.features = Array<float>::fromVector({all.size(), kWidth}, std::move(values));
  return all;
}

/// [K, Q + 1], the bias last.
using Matrix = std::vector<std::vector<double>>;

Matrix matrixOf(const LinearHead& head) {
  Matrix matrix;
  for (std::int64_t k = 0; k < head.weight.extent(0); ++k) {
    const auto row = head.weight.row(k);
    matrix.emplace_back(row.begin(), row.end());
    matrix.back().push_back(head.bias.empty() ? 0.0 : head.bias[static_cast<std::size_t>(k)]);
  }
  return matrix;
}

std::vector<double> probsOf(const Matrix& weights, std::span<const float> features) {
  std::vector<double> probs;
  for (const std::vector<double>& row : weights) {
    double logit = row.back();
    for (std::size_t q = 0; q < features.size(); ++q) {
      logit += row[q] * double{features[q]};
    }
    probs.push_back(std::exp(logit));
  }
  const double sum = std::accumulate(probs.begin(), probs.end(), 0.0);
  for (double& prob : probs) {
    prob /= sum;
  }
  return probs;
}

HeadQuality qualityOf(const Matrix& weights, const LabelledFeatures& items) {
  HeadQuality quality;
  for (std::int64_t i = 0; i < items.size(); ++i) {
    const std::vector<double> probs = probsOf(weights, items.features.row(i));
    const auto label = static_cast<std::size_t>(items.labels[static_cast<std::size_t>(i)]);
    quality.loss -= std::log(probs[label]) / static_cast<double>(items.size());
    const auto best = std::max_element(probs.begin(), probs.end()) - probs.begin();
    quality.accuracy +=
        static_cast<std::size_t>(best) == label ? 1.0 / static_cast<double>(items.size()) : 0.0;
  }
  return quality;
}

/// Plain gradient descent in double.
Matrix descended(const LabelledFeatures& items, double l2, bool has_bias) {
  Matrix weights(kClasses, std::vector<double>(kWidth + 1));
  for (int step = 0; step < 20'000; ++step) {
    Matrix gradient(kClasses, std::vector<double>(kWidth + 1));
    for (std::int64_t i = 0; i < items.size(); ++i) {
      const auto features = items.features.row(i);
      const std::vector<double> probs = probsOf(weights, features);
      for (std::size_t k = 0; k < kClasses; ++k) {
        const bool is_label =
            items.labels[static_cast<std::size_t>(i)] == static_cast<std::int64_t>(k);
        const double residual =
            (probs[k] - (is_label ? 1.0 : 0.0)) / static_cast<double>(items.size());
        for (std::size_t q = 0; q < kWidth; ++q) {
          gradient[k][q] += residual * double{features[q]};
        }
        gradient[k][kWidth] += has_bias ? residual : 0.0;
      }
    }
    for (std::size_t k = 0; k < kClasses; ++k) {
      for (std::size_t q = 0; q <= kWidth; ++q) {
        weights[k][q] -= 0.5 * (gradient[k][q] + l2 * weights[k][q]);
      }
    }
  }
  return weights;
}

void expectSame(const Matrix& actual, const Matrix& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t k = 0; k < actual.size(); ++k) {
    for (std::size_t q = 0; q < actual[k].size(); ++q) {
      EXPECT_NEAR(actual[k][q], expected[k][q], tolerance) << k << ' ' << q;
    }
  }
}

TEST(SoftmaxRegression, IsThatOfPlainGradientDescent) {
  const LabelledFeatures items = someItems(40);
  for (const bool has_bias : {true, false}) {
    for (const double l2 : {0.02, 0.3}) {
      RunContext context;
      const auto fitted = fitSoftmaxRegression(items, {},
                                               {.classes = kClasses,
                                                .has_bias = has_bias,
                                                .l2 = l2,
                                                .max_iterations = 500,
                                                .tolerance = 1e-11},
                                               context);
      ASSERT_OK(fitted);
      EXPECT_TRUE(fitted->converged);
      EXPECT_EQ(fitted->head.bias.empty(), !has_bias);
      const Matrix expected = descended(items, l2, has_bias);
      expectSame(matrixOf(fitted->head), expected, 1e-8);
      const HeadQuality quality = qualityOf(expected, items);
      EXPECT_NEAR(fitted->train.loss, quality.loss, 1e-9);
      EXPECT_NEAR(fitted->train.accuracy, quality.accuracy, 1e-12);
      EXPECT_FALSE(fitted->validation);
    }
  }
}

TEST(SoftmaxRegression, AddsUpManyRowsInParts) {
  const LabelledFeatures items = someItems(40);
  const SoftmaxRegressionOptions options{
      .classes = kClasses, .l2 = 0.1, .max_iterations = 500, .tolerance = 1e-10};
  RunContext context;
  const auto few = fitSoftmaxRegression(items, {}, options, context);
  const auto many = fitSoftmaxRegression(repeated(items, 1000), {}, options, context);
  ASSERT_OK(few);
  ASSERT_OK(many);
  expectSame(matrixOf(many->head), matrixOf(few->head), 1e-8);
  EXPECT_NEAR(many->train.loss, few->train.loss, 1e-9);
}

TEST(SoftmaxRegression, AClassWithoutItemsKeepsSomeProbability) {
  LabelledFeatures items = someItems(20);
  for (std::int64_t& label : items.labels) {
    label = label == 3 ? 0 : label;
  }
  RunContext context;
  const auto fitted = fitSoftmaxRegression(
      items, {}, {.classes = kClasses, .l2 = 1.0 / 20.0, .tolerance = 1e-9}, context);
  ASSERT_OK(fitted);
  EXPECT_TRUE(fitted->converged);
  const Matrix weights = matrixOf(fitted->head);
  double mean = 0.0;
  for (std::int64_t i = 0; i < items.size(); ++i) {
    mean += probsOf(weights, items.features.row(i))[3] / static_cast<double>(items.size());
  }
  // At the optimum the penalty's gradient balances the mean probability.
  EXPECT_NEAR(mean, -weights[3].back() / 20.0, 1e-6);
  EXPECT_GT(mean, 0.02);
}

TEST(SoftmaxRegression, StopsWhereTheValidationLossIsLowest) {
  const LabelledFeatures train = someItems(12, 7);
  const LabelledFeatures held_out = someItems(200, 99);
  const SoftmaxRegressionOptions options{
      .classes = kClasses, .l2 = 0.0, .max_iterations = 1000, .tolerance = 1e-12, .patience = 4};
  RunContext context;
  const auto fitted = fitSoftmaxRegression(train, held_out, options, context);
  const auto to_the_end = fitSoftmaxRegression(train, {}, options, context);
  ASSERT_OK(fitted);
  ASSERT_OK(to_the_end);
  EXPECT_LT(fitted->iterations, to_the_end->iterations);
  ASSERT_TRUE(fitted->validation);
  const HeadQuality quality = qualityOf(matrixOf(fitted->head), held_out);
  EXPECT_NEAR(fitted->validation->loss, quality.loss, 1e-9);
  EXPECT_NEAR(fitted->validation->accuracy, quality.accuracy, 1e-12);
  EXPECT_LT(quality.loss, qualityOf(matrixOf(to_the_end->head), held_out).loss);
  EXPECT_LT(quality.loss, std::log(4.0));
}

TEST(SoftmaxRegression, CanBeCancelledAndStopped) {
  const LabelledFeatures items = someItems(40);
  const SoftmaxRegressionOptions options{.classes = kClasses, .l2 = 0.01, .tolerance = 1e-11};
  RunContext full;
  const auto whole = fitSoftmaxRegression(items, {}, options, full);
  ASSERT_OK(whole);
  RunContext stopped;
  stopped.control()->requestStopEarly();
  const auto part = fitSoftmaxRegression(items, {}, options, stopped);
  ASSERT_OK(part);
  EXPECT_EQ(part->iterations, 1);
  EXPECT_GT(part->train.loss, whole->train.loss);
  RunContext cancelled_context;
  cancelled_context.control()->requestCancel();
  const auto none = fitSoftmaxRegression(items, {}, options, cancelled_context);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kCancelled);
}

TEST(SoftmaxRegression, RefusesWhatDoesNotFit) {
  LabelledFeatures items = someItems(8);
  items.labels.back() = kClasses;
  RunContext context;
  EXPECT_THROW((void)fitSoftmaxRegression(items, {}, {.classes = kClasses}, context),
               std::invalid_argument);
  EXPECT_THROW((void)fitSoftmaxRegression({}, {}, {.classes = kClasses}, context),
               std::invalid_argument);
}

TEST(Lbfgs, FindsTheMinimumOfACurvedValley) {
  // Rosenbrock's function.
  const Objective objective = [](std::span<const double> x, std::span<double> gradient) {
    const double valley = x[1] - x[0] * x[0];
    gradient[0] = -400.0 * x[0] * valley - 2.0 * (1.0 - x[0]);
    gradient[1] = 200.0 * valley;
    return 100.0 * valley * valley + (1.0 - x[0]) * (1.0 - x[0]);
  };
  std::vector<double> point{-1.2, 1.0};
  double last = INFINITY;
  const LbfgsStep step = minimise(objective, point, {.max_iterations = 200, .tolerance = 1e-10},
                                  [&last](const LbfgsStep& now, std::span<const double>) {
                                    EXPECT_LE(now.value, last * (1.0 + 1e-12));
                                    last = now.value;
                                    return true;
                                  });
  EXPECT_LE(step.largest_gradient, 1e-10);
  EXPECT_LT(step.iteration, 60);
  EXPECT_NEAR(point[0], 1.0, 1e-9);
  EXPECT_NEAR(point[1], 1.0, 1e-9);
}

}  // namespace
}  // namespace dubito
