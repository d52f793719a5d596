// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/class_task.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/labs/classification/laplace_posterior.h"
#include "core/labs/network/ensemble_learner.h"
#include "core/labs/random/keyed_random.h"
#include "core/measures/measures.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

ClassProblem randomProblem(std::int64_t points, std::int64_t classes) {
  ClassProblem problem{.inputs = std::vector<double>(2 * static_cast<std::size_t>(points)),
                       .classes = {},
                       .class_count = classes};
  KeyedRandom(5, LabSite::kDataInputs).normals(0, problem.inputs);
  for (std::int64_t n = 0; n < points; ++n) {
    problem.classes.push_back((n * n) % classes);
  }
  return problem;
}

NetworkShape smallShape(std::int64_t classes) {
  return {.inputs = 2, .hidden = {5, 4}, .outputs = classes, .activation = Activation::kTanh};
}

std::vector<double> parametersOf(const NetworkShape& shape) {
  return initialParameters(shape, 11, 0);
}

std::vector<std::int64_t> firstItems(std::int64_t count) {
  std::vector<std::int64_t> items(static_cast<std::size_t>(count));
  std::iota(items.begin(), items.end(), std::int64_t{0});
  return items;
}

TEST(ClassNetwork, LikelihoodIsThatOfSoftmax) {
  const ClassProblem problem = randomProblem(150, 3);
  const NetworkShape shape = smallShape(3);
  const std::vector<double> q = parametersOf(shape);
  const std::vector<std::int64_t> items{7, 3, 149};
  double expected = 0.0;
  for (const std::int64_t item : items) {
    std::vector<double> logits(3);
    networkOutputs(
        shape, q, std::span(problem.inputs).subspan(2 * static_cast<std::size_t>(item), 2), logits);
    expected += logSoftmax(
        logits)[static_cast<std::size_t>(problem.classes[static_cast<std::size_t>(item)])];
  }
  std::vector<double> gradient(q.size());
  EXPECT_TRUE(
      test::closeTo(classLogLikelihood(problem, items, shape, q, 1.0, {}), expected, 1e-12));
  EXPECT_TRUE(
      test::closeTo(classLogLikelihood(problem, items, shape, q, 1.0, gradient), expected, 1e-12));
}

TEST(ClassNetwork, GradientMatchesFiniteDifferences) {
  const ClassProblem problem = randomProblem(150, 3);
  const NetworkShape shape = smallShape(3);
  std::vector<double> q = parametersOf(shape);
  const std::vector<std::int64_t> items = firstItems(problem.size());
  std::vector<double> gradient(q.size());
  std::vector<double> unused(q.size());
  posteriorLoss<ClassTask>(problem, items, shape, 0.7, q, gradient);
  for (std::size_t i = 0; i < q.size(); ++i) {
    constexpr double kStep = 1e-5;
    const double before = q[i];
    q[i] = before + kStep;
    const double above = posteriorLoss<ClassTask>(problem, items, shape, 0.7, q, unused);
    q[i] = before - kStep;
    const double below = posteriorLoss<ClassTask>(problem, items, shape, 0.7, q, unused);
    q[i] = before;
    EXPECT_TRUE(test::closeTo(gradient[i], (above - below) / (2.0 * kStep), 1e-6, 1e-9)) << i;
  }
}

TEST(ClassNetwork, SquaredGradientsAreThoseOfTheItems) {
  const ClassProblem problem = randomProblem(12, 3);
  const NetworkShape shape = smallShape(3);
  const std::vector<double> q = parametersOf(shape);
  const ClassLikelihood likelihood(problem, shape);
  std::vector<double> gradient(q.size());
  std::vector<double> squared(q.size());
  std::vector<double> expected(q.size());
  std::vector<double> sum(q.size());
  for (std::int64_t n = 0; n < problem.size(); ++n) {
    std::vector<double> of_item(q.size());
    classLogLikelihood(problem, std::vector<std::int64_t>{n}, shape, q, 1.0, of_item);
    for (std::size_t i = 0; i < q.size(); ++i) {
      sum[i] += of_item[i];
      expected[i] += of_item[i] * of_item[i];
    }
  }
  likelihood.evaluate(q, firstItems(problem.size()), gradient, squared);
  for (std::size_t i = 0; i < q.size(); ++i) {
    EXPECT_TRUE(test::closeTo(squared[i], expected[i], 1e-12));
    EXPECT_TRUE(test::closeTo(gradient[i], sum[i], 1e-10, 1e-12));
  }
}

/// Outputs of the last hidden layer and a 1, by plain loops.
std::vector<double> plainFeatures(const NetworkShape& shape, std::span<const double> q,
                                  std::span<const double> input) {
  std::vector<double> units(input.begin(), input.end());
  for (std::int64_t layer = 0; layer + 1 < shape.layerCount(); ++layer) {
    std::vector<double> next;
    for (std::int64_t o = 0; o < shape.outputsOf(layer); ++o) {
      double sum = q[static_cast<std::size_t>(shape.firstBiasOf(layer) + o)];
      for (std::size_t i = 0; i < units.size(); ++i) {
        sum +=
            units[i] *
            q[static_cast<std::size_t>(shape.firstWeightOf(layer) + o * shape.inputsOf(layer)) + i];
      }
      next.push_back(std::tanh(sum));
    }
    units = next;
  }
  units.push_back(1.0);
  return units;
}

TEST(LastLayerPosterior, PrecisionIsTheHessianOfTheLoss) {
  // The last layer is linear, so the generalised Gauss-Newton matrix is the exact Hessian, which
  // differences of gradients give as well.
  const ClassProblem problem = randomProblem(40, 3);
  const NetworkShape shape = smallShape(3);
  std::vector<double> q = parametersOf(shape);
  const std::vector<std::int64_t> items = firstItems(problem.size());
  constexpr double kTau = 0.8;
  constexpr std::int64_t kClasses = 3;
  constexpr std::int64_t kWidth = 5;
  // Position of weight (k, q~) among the parameters; the bias is the last feature.
  const auto place = [&](std::int64_t index) {
    const std::int64_t k = index / kWidth;
    const std::int64_t f = index % kWidth;
    return static_cast<std::size_t>(f + 1 == kWidth ? shape.firstBiasOf(2) + k
                                                    : shape.firstWeightOf(2) + k * 4 + f);
  };
  Eigen::MatrixXd hessian = kTau * Eigen::MatrixXd::Identity(15, 15);
  for (std::int64_t i = 0; i < 15; ++i) {
    constexpr double kStep = 1e-5;
    std::vector<double> above(q.size());
    std::vector<double> below(q.size());
    const double before = q[place(i)];
    q[place(i)] = before + kStep;
    classLogLikelihood(problem, items, shape, q, -1.0, above);
    q[place(i)] = before - kStep;
    classLogLikelihood(problem, items, shape, q, -1.0, below);
    q[place(i)] = before;
    for (std::int64_t j = 0; j < 15; ++j) {
      hessian(j, i) += (above[place(j)] - below[place(j)]) / (2.0 * kStep);
    }
  }
  auto features = Array<double>::zeros({problem.size(), kWidth});
  auto probs = Array<double>::zeros({problem.size(), kClasses});
  for (std::int64_t n = 0; n < problem.size(); ++n) {
    const auto input = std::span(problem.inputs).subspan(2 * static_cast<std::size_t>(n), 2);
    std::ranges::copy(plainFeatures(shape, q, input), features.mutableRow(n).begin());
    std::vector<double> logits(3);
    networkOutputs(shape, q, input, logits);
    std::ranges::copy(softmax(logits), probs.mutableRow(n).begin());
  }
  const LastLayerPosterior posterior(LaplaceStructure::kFull, features, probs, kTau);
  const std::vector<double> phi = plainFeatures(shape, q, std::vector<double>{3.0, -2.0});
  Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(kClasses, 15);
  for (std::int64_t k = 0; k < kClasses; ++k) {
    for (std::int64_t f = 0; f < kWidth; ++f) {
      jacobian(k, k * kWidth + f) = phi[static_cast<std::size_t>(f)];
    }
  }
  const Eigen::MatrixXd expected = jacobian * hessian.inverse() * jacobian.transpose();
  std::vector<double> covariance(9);
  posterior.covariance(phi, covariance);
  for (std::int64_t k = 0; k < kClasses; ++k) {
    for (std::int64_t l = 0; l < kClasses; ++l) {
      EXPECT_TRUE(test::closeTo(covariance[static_cast<std::size_t>(k * kClasses + l)],
                                expected(k, l), 1e-6));
    }
  }
}

}  // namespace
}  // namespace dubito
