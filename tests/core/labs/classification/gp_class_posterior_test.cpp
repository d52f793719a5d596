// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/gp_class_posterior.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "core/labs/data/class_sets.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

ClassProblem problemOf(const std::string& set, std::int64_t points, std::int64_t arms = 3) {
  RunContext context;
  const ClassData data = openClassData(set, {.points = points, .arms = arms}, 2, context).value();
  ClassProblem problem{{}, data.train.classes, data.classes()};
  for (std::size_t i = 0; i < data.train.x1.size(); ++i) {
    problem.inputs.push_back(data.train.x1[i]);
    problem.inputs.push_back(data.train.x2[i]);
  }
  return problem;
}

/// The posterior by dense matrices of size K N, in the plain form f = K a: Newton's method on all
/// latent values at once, then covariances with (K^-1 + W)^-1.
struct DenseGp {
  std::int64_t n;
  std::int64_t k;
  const ClassProblem& problem;
  GpClassKernel kernel;
  MatrixXd prior;  ///< block diagonal
  VectorXd f;      ///< class by class
  VectorXd p;
  MatrixXd w;
  VectorXd y;

  DenseGp(const ClassProblem& given, GpClassKernel given_kernel)
      : n(given.size()), k(given.class_count), problem(given), kernel(given_kernel) {
    prior = MatrixXd::Zero(n * k, n * k);
    y = VectorXd::Zero(n * k);
    for (std::int64_t i = 0; i < n; ++i) {
      y[problem.classes[static_cast<std::size_t>(i)] * n + i] = 1.0;
      for (std::int64_t j = 0; j < n; ++j) {
        for (std::int64_t c = 0; c < k; ++c) {
          prior(c * n + i, c * n + j) =
              covarianceOf(problem.inputs.data() + 2 * i, problem.inputs.data() + 2 * j);
        }
      }
    }
    f = VectorXd::Zero(n * k);
    for (int step = 0; step < 100; ++step) {
      linearise();
      const MatrixXd b = MatrixXd::Identity(n * k, n * k) + prior * w;
      f = b.partialPivLu().solve(prior * (w * f + y - p));
    }
    linearise();
  }

  [[nodiscard]] double covarianceOf(const double* a, const double* b) const {
    const double squared = (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
    return kernel.amplitude * kernel.amplitude *
           std::exp(-squared / (2.0 * kernel.length_scale * kernel.length_scale));
  }

  void linearise() {
    p = VectorXd::Zero(n * k);
    w = MatrixXd::Zero(n * k, n * k);
    for (std::int64_t i = 0; i < n; ++i) {
      double sum = 0.0;
      for (std::int64_t c = 0; c < k; ++c) {
        sum += std::exp(f[c * n + i]);
      }
      for (std::int64_t c = 0; c < k; ++c) {
        p[c * n + i] = std::exp(f[c * n + i]) / sum;
      }
      for (std::int64_t c = 0; c < k; ++c) {
        for (std::int64_t d = 0; d < k; ++d) {
          w(c * n + i, d * n + i) = (c == d ? p[c * n + i] : 0.0) - p[c * n + i] * p[d * n + i];
        }
      }
    }
  }

  [[nodiscard]] double logEvidence() const {
    double value = -0.5 * f.dot(y - p) + y.dot(f);
    for (std::int64_t i = 0; i < n; ++i) {
      double sum = 0.0;
      for (std::int64_t c = 0; c < k; ++c) {
        sum += std::exp(f[c * n + i]);
      }
      value -= std::log(sum);
    }
    const MatrixXd b = MatrixXd::Identity(n * k, n * k) + prior * w;
    return value - 0.5 * b.partialPivLu().matrixLU().diagonal().cwiseAbs().array().log().sum();
  }

  /// Mean [K] and covariance [K, K] at one input.
  void predict(const double* input, VectorXd& mean, MatrixXd& covariance) const {
    MatrixXd cross = MatrixXd::Zero(n * k, k);
    for (std::int64_t c = 0; c < k; ++c) {
      for (std::int64_t i = 0; i < n; ++i) {
        cross(c * n + i, c) = covarianceOf(problem.inputs.data() + 2 * i, input);
      }
    }
    mean = cross.transpose() * (y - p);
    // K^-1 - K^-1 (K^-1 + W)^-1 K^-1 = (I + W K)^-1 W.
    const MatrixXd inner = (MatrixXd::Identity(n * k, n * k) + w * prior).partialPivLu().solve(w);
    covariance = kernel.amplitude * kernel.amplitude * MatrixXd::Identity(k, k) -
                 cross.transpose() * inner * cross;
  }
};

GpClassPosterior fitted(const ClassProblem& problem, const GpClassKernel& kernel) {
  RunContext context;
  GpClassPosterior posterior(problem, kernel, context);
  for (int step = 0; step < 100 && !posterior.converged(); ++step) {
    EXPECT_TRUE(posterior.step(context));
  }
  EXPECT_TRUE(posterior.converged());
  return posterior;
}

TEST(GpClassPosterior, MatchesDenseMatrices) {
  for (const auto& [set, kernel] :
       {std::pair{"moons", GpClassKernel{1.5, 1.0}}, std::pair{"spiral", GpClassKernel{2.0, 0.8}},
        std::pair{"blobs", GpClassKernel{0.7, 2.5}}}) {
    const ClassProblem problem = problemOf(set, 24);
    const DenseGp dense(problem, kernel);
    const GpClassPosterior posterior = fitted(problem, kernel);
    const Array<double> latent = posterior.latent();
    for (std::int64_t i = 0; i < latent.size(); ++i) {
      EXPECT_TRUE(test::closeTo(latent.data()[i], dense.f[i], 1e-8, 1e-8)) << set;
    }
    EXPECT_TRUE(test::closeTo(posterior.logEvidence(), dense.logEvidence(), 1e-9)) << set;
    const std::vector<double> inputs{0.0, 0.0, -2.0, 1.5, 4.0, -5.0, 40.0, 30.0};
    RunContext context;
    const LatentGaussians found = posterior.predict(inputs, context);
    for (std::int64_t m = 0; m < found.mean.extent(0); ++m) {
      VectorXd mean;
      MatrixXd covariance;
      dense.predict(inputs.data() + 2 * m, mean, covariance);
      for (std::int64_t c = 0; c < dense.k; ++c) {
        EXPECT_TRUE(
            test::closeTo(found.mean.row(m)[static_cast<std::size_t>(c)], mean[c], 1e-8, 1e-9));
        for (std::int64_t d = 0; d < dense.k; ++d) {
          EXPECT_TRUE(
              test::closeTo(found.covariance.row(m)[static_cast<std::size_t>(c * dense.k + d)],
                            covariance(c, d), 1e-8, 1e-9));
        }
      }
    }
  }
}

TEST(GpClassPosterior, ReturnsToThePriorFarAway) {
  const GpClassPosterior posterior = fitted(problemOf("blobs", 40), {2.0, 1.0});
  RunContext context;
  const LatentGaussians far = posterior.predict(std::vector<double>{60.0, 0.0}, context);
  EXPECT_NEAR(far.mean.row(0)[0], 0.0, 1e-12);
  EXPECT_NEAR(far.covariance.row(0)[0], 4.0, 1e-12);
  EXPECT_NEAR(far.covariance.row(0)[1], 0.0, 1e-12);
}

TEST(GpClassPosterior, IsAtTheModeAndTakesDuplicates) {
  // The same point with both classes.
  const ClassProblem problem{{0.0, 0.0, 0.0, 0.0, 1.0, 1.0}, {0, 1, 1}, 2};
  const GpClassPosterior posterior = fitted(problem, {3.0, 1.0});
  const Array<double> f = posterior.latent();
  EXPECT_NEAR(f.row(0)[0], f.row(0)[1], 1e-12);
  EXPECT_NEAR(f.row(0)[0], -f.row(1)[0], 1e-9);
}

}  // namespace
}  // namespace dubito
