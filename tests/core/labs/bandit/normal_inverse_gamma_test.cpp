// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/bandit/normal_inverse_gamma.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "core/labs/gaussian/linear_regression.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

constexpr std::size_t kWeights = 4;
constexpr std::size_t kObservations = 25;
constexpr double kPrecision = 0.25;
constexpr double kShape = 6.0;
constexpr double kRate = 2.0;

struct Observations {
  std::vector<double> features;  ///< [N, D]
  std::vector<double> y;

  [[nodiscard]] std::span<const double> row(std::size_t n) const {
    return {features.data() + n * kWeights, kWeights};
  }
};

Observations someObservations() {
  Observations data;
  data.features.resize(kObservations * kWeights);
  data.y.resize(kObservations);
  KeyedRandom(3, LabSite::kDataInputs).normals(0, data.features);
  KeyedRandom(3, LabSite::kDataNoise).normals(0, data.y);
  for (std::size_t n = 0; n < kObservations; ++n) {
    data.y[n] =
        2.0 * data.features[n * kWeights] - data.features[n * kWeights + 2] + 0.5 * data.y[n];
  }
  return data;
}

NormalInverseGamma posteriorOf(const Observations& data) {
  NormalInverseGamma model(kWeights, kPrecision, kShape, kRate);
  for (std::size_t n = 0; n < kObservations; ++n) {
    model.add(data.row(n), data.y[n]);
  }
  return model;
}

/// Solves matrix x = right by elimination with pivots.
std::vector<double> solved(std::vector<std::vector<double>> matrix, std::vector<double> right) {
  const std::size_t size = right.size();
  for (std::size_t column = 0; column < size; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column; row < size; ++row) {
      pivot = std::abs(matrix[row][column]) > std::abs(matrix[pivot][column]) ? row : pivot;
    }
    std::swap(matrix[pivot], matrix[column]);
    std::swap(right[pivot], right[column]);
    for (std::size_t row = 0; row < size; ++row) {
      if (row == column) {
        continue;
      }
      const double factor = matrix[row][column] / matrix[column][column];
      for (std::size_t k = 0; k < size; ++k) {
        matrix[row][k] -= factor * matrix[column][k];
      }
      right[row] -= factor * right[column];
    }
  }
  for (std::size_t row = 0; row < size; ++row) {
    right[row] /= matrix[row][row];
  }
  return right;
}

TEST(NormalInverseGamma, IsThePlainPosterior) {
  const Observations data = someObservations();
  const NormalInverseGamma model = posteriorOf(data);
  std::vector<std::vector<double>> precision(kWeights, std::vector<double>(kWeights, 0.0));
  std::vector<double> weighted(kWeights, 0.0);
  for (std::size_t i = 0; i < kWeights; ++i) {
    precision[i][i] = kPrecision;
    for (std::size_t n = 0; n < kObservations; ++n) {
      weighted[i] += data.y[n] * data.row(n)[i];
      for (std::size_t j = 0; j < kWeights; ++j) {
        precision[i][j] += data.row(n)[i] * data.row(n)[j];
      }
    }
  }
  const std::vector<double> mean = solved(precision, weighted);
  for (std::size_t i = 0; i < kWeights; ++i) {
    EXPECT_NEAR(model.mean()[i], mean[i], 1e-12);
  }
  const std::vector<double> place = {0.3, -1.0, 2.0, 1.0};
  const std::vector<double> spread = solved(precision, place);
  EXPECT_NEAR(model.relativeVariance(place),
              std::inner_product(place.begin(), place.end(), spread.begin(), 0.0), 1e-12);
  EXPECT_EQ(model.shape(), kShape + 0.5 * kObservations);
  // The rate from residuals instead of a difference of squares.
  double squares = 0.0;
  for (std::size_t n = 0; n < kObservations; ++n) {
    const double residual =
        data.y[n] - std::inner_product(mean.begin(), mean.end(), data.row(n).begin(), 0.0);
    squares += residual * residual;
  }
  squares += kPrecision * std::inner_product(mean.begin(), mean.end(), mean.begin(), 0.0);
  EXPECT_NEAR(model.rate(), kRate + 0.5 * squares, 1e-11);
}

TEST(NormalInverseGamma, AgreesWithTheRegressionLaboratory) {
  const Observations data = someObservations();
  const NormalInverseGamma model = posteriorOf(data);
  const auto features = Array<double>::fromVector({std::ssize(data.y), kWeights}, data.features);
  const auto regression = LinearRegression::decompose(features, data.y);
  ASSERT_TRUE(regression);
  const auto place = Array<double>::fromVector({1, kWeights}, {0.3, -1.0, 2.0, 1.0});
  // Noise 1 and a prior with the relative precision.
  const LinearPrediction expected = regression->predict(place, 1.0 / std::sqrt(kPrecision), 1.0);
  const std::vector<double> mean = model.mean();
  EXPECT_NEAR(std::inner_product(mean.begin(), mean.end(), place.data(), 0.0), expected.mean[0],
              1e-12);
  EXPECT_NEAR(model.relativeVariance(place.values()), expected.variance[0], 1e-12);
}

TEST(NormalInverseGamma, DrawsHaveTheMomentsOfTheStudentDistribution) {
  const NormalInverseGamma model = posteriorOf(someObservations());
  const std::vector<double> place = {0.3, -1.0, 2.0, 1.0};
  constexpr std::uint32_t kDraws = 20000;
  double sum = 0.0;
  double squares = 0.0;
  for (std::uint32_t t = 0; t < kDraws; ++t) {
    const double value = model.drawAt(place, 7, 2, t);
    sum += value;
    squares += value * value;
  }
  const double mean = sum / kDraws;
  const double variance = squares / kDraws - mean * mean;
  const std::vector<double> weights = model.mean();
  const double expected_mean =
      std::inner_product(weights.begin(), weights.end(), place.begin(), 0.0);
  // E s^2 = rate / (shape - 1).
  const double expected = model.relativeVariance(place) * model.rate() / (model.shape() - 1.0);
  EXPECT_NEAR(mean, expected_mean, 4.0 * std::sqrt(expected / kDraws));
  // The kurtosis is a little above 3, so this is about four standard errors.
  EXPECT_NEAR(variance / expected, 1.0, 4.0 * std::sqrt(2.5 / kDraws));
  EXPECT_EQ(model.drawAt(place, 7, 2, 5), model.drawAt(place, 7, 2, 5));
  EXPECT_NE(model.drawAt(place, 7, 2, 5), model.drawAt(place, 7, 1, 5));
}

TEST(NormalInverseGamma, GoesBackToThePrior) {
  NormalInverseGamma model = posteriorOf(someObservations());
  model.clear();
  EXPECT_EQ(model.mean(), std::vector<double>(kWeights, 0.0));
  EXPECT_EQ(model.shape(), kShape);
  EXPECT_EQ(model.rate(), kRate);
  const std::vector<double> place = {1.0, 1.0, 0.0, 0.0};
  EXPECT_NEAR(model.relativeVariance(place), 2.0 / kPrecision, 1e-14);
}

}  // namespace
}  // namespace dubito
