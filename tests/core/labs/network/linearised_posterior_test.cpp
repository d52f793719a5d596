// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/linearised_posterior.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/labs/random/keyed_random.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using test::closeTo;
using Matrix = std::vector<std::vector<double>>;

Matrix precisionOf(const std::vector<double>& jacobian, std::size_t parameters, double noise_std,
                   double tau) {
  Matrix h(parameters, std::vector<double>(parameters));
  for (std::size_t i = 0; i < parameters; ++i) {
    h[i][i] = tau;
    for (std::size_t j = 0; j < parameters; ++j) {
      for (std::size_t n = 0; n < jacobian.size(); n += parameters) {
        h[i][j] += jacobian[n + i] * jacobian[n + j] / (noise_std * noise_std);
      }
    }
  }
  return h;
}

struct Inverse {
  Matrix matrix;
  double log_determinant = 0.0;
};

/// Gauss-Jordan elimination of a positive definite matrix.
Inverse inverseOf(Matrix h) {
  const std::size_t n = h.size();
  Inverse result{Matrix(n, std::vector<double>(n)), 0.0};
  for (std::size_t i = 0; i < n; ++i) {
    result.matrix[i][i] = 1.0;
  }
  for (std::size_t k = 0; k < n; ++k) {
    const double pivot = h[k][k];
    result.log_determinant += std::log(pivot);
    for (std::size_t j = 0; j < n; ++j) {
      h[k][j] /= pivot;
      result.matrix[k][j] /= pivot;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = h[i][k];
      for (std::size_t j = 0; j < n && i != k; ++j) {
        h[i][j] -= factor * h[k][j];
        result.matrix[i][j] -= factor * result.matrix[k][j];
      }
    }
  }
  return result;
}

std::vector<double> randomJacobian(std::size_t size) {
  std::vector<double> values(size);
  KeyedRandom(4, LabSite::kDataInputs).normals(0, values);
  return values;
}

TEST(LinearisedPosterior, AgreesWithTheInverse) {
  constexpr std::size_t kParameters = 7;
  // More items than parameters, as many, and fewer.
  for (const std::size_t items : {20, 7, 3, 1}) {
    const std::vector<double> jacobian = randomJacobian(items * kParameters);
    LinearisedPosterior posterior(jacobian, kParameters, 0.3, 1.0);
    for (const double tau : {1.0, 0.02, 50.0}) {
      posterior.setTau(tau);
      const Inverse inverse = inverseOf(precisionOf(jacobian, kParameters, 0.3, tau));
      EXPECT_TRUE(closeTo(posterior.logDeterminant(), inverse.log_determinant, 1e-9, 1e-9));
      const std::vector<double> probe = randomJacobian(kParameters + 3);
      double expected = 0.0;
      for (std::size_t i = 0; i < kParameters; ++i) {
        for (std::size_t j = 0; j < kParameters; ++j) {
          expected += probe[i + 3] * inverse.matrix[i][j] * probe[j + 3];
        }
      }
      EXPECT_TRUE(closeTo(posterior.variance(std::span(probe).subspan(3)), expected, 1e-9));
      // draw() is linear: its matrix times its transpose is the covariance.
      Matrix root;
      for (std::size_t i = 0; i < kParameters; ++i) {
        std::vector<double> unit(kParameters, 0.0);
        unit[i] = 1.0;
        posterior.draw(unit);
        root.push_back(unit);
      }
      for (std::size_t i = 0; i < kParameters; ++i) {
        for (std::size_t j = 0; j < kParameters; ++j) {
          double covariance = 0.0;
          for (const std::vector<double>& column : root) {
            covariance += column[i] * column[j];
          }
          EXPECT_TRUE(closeTo(covariance, inverse.matrix[i][j], 1e-9, 1e-9));
        }
      }
    }
  }
}

TEST(LinearisedPosterior, OfALinearModelIsItsPosterior) {
  const auto model = test::readVectors("labs").at("linear_model");
  std::vector<double> phi;
  for (const auto& row : model.at("phi")) {
    phi.insert(phi.end(), row.begin(), row.end());
  }
  const double noise_std = std::sqrt(model.at("noise_variance").get<double>());
  const double tau = model.at("prior_precision");
  const Inverse inverse = inverseOf(precisionOf(phi, 3, noise_std, tau));
  const LinearisedPosterior posterior(phi, 3, noise_std, tau);
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<double> unit(3, 0.0);
    unit[i] = 1.0;
    EXPECT_TRUE(closeTo(posterior.variance(unit), inverse.matrix[i][i], 1e-9));
  }
}

TEST(LinearisedPosterior, TauIsTheMaximumOfTheEvidence) {
  for (const std::int64_t items : {3, 30}) {
    const std::vector<double> jacobian = randomJacobian(static_cast<std::size_t>(items) * 7);
    LinearisedPosterior posterior(jacobian, 7, 0.5, 1.0);
    posterior.maximiseEvidence(2.5);
    const double tau = posterior.tau();
    const double best = posterior.evidenceTerms(2.5);
    const Inverse inverse = inverseOf(precisionOf(jacobian, 7, 0.5, tau));
    EXPECT_TRUE(closeTo(
        best, -0.5 * tau * 2.5 + 3.5 * std::log(tau) - 0.5 * inverse.log_determinant, 1e-9));
    for (const double factor : {0.5, 0.99, 1.01, 2.0}) {
      posterior.setTau(tau * factor);
      EXPECT_LT(posterior.evidenceTerms(2.5), best);
    }
  }
}

TEST(LinearisedPosterior, RefusesTooLargeProblems) {
  EXPECT_OK(LinearisedPosterior::checkSize(10000, 151));
  EXPECT_OK(LinearisedPosterior::checkSize(100, 17000));
  const Status status = LinearisedPosterior::checkSize(5000, 2701);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            "a Laplace posterior of 2701 parameters from 5000 points is too large; use the last "
            "layer only, fewer hidden units, or fewer points");
}

}  // namespace
}  // namespace dubito
