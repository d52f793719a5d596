// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/laplace_posterior.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/labs/random/keyed_random.h"
#include "core/measures/measures.h"
#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using nlohmann::json;

Array<double> matrixOf(const json& rows) {
  std::vector<double> values;
  for (const json& row : rows) {
    for (const json& value : row) {
      values.push_back(value.get<double>());
    }
  }
  return Array<double>::fromVector(
      {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows.front().size())},
      std::move(values));
}

/// softmax(features weight^T).
Array<double> probsOf(const Array<double>& features, const Array<double>& weight) {
  auto probs = Array<double>::zeros({features.extent(0), weight.extent(0)});
  for (std::int64_t n = 0; n < features.extent(0); ++n) {
    std::vector<double> logits;
    for (std::int64_t k = 0; k < weight.extent(0); ++k) {
      double sum = 0.0;
      for (std::size_t q = 0; q < features.row(n).size(); ++q) {
        sum += features.row(n)[q] * weight.row(k)[q];
      }
      logits.push_back(sum);
    }
    std::ranges::copy(softmax(logits), probs.mutableRow(n).begin());
  }
  return probs;
}

TEST(LastLayerPosterior, MatchesTheReference) {
  const json vectors = test::readVectors("laplace");
  const Array<double> features = matrixOf(vectors.at("features"));
  const Array<double> weight = matrixOf(vectors.at("weight"));
  const Array<double> tests = matrixOf(vectors.at("test_features"));
  const Array<double> probs = probsOf(features, weight);
  const double tau = vectors.at("tau").get<double>();
  const auto classes = static_cast<std::size_t>(weight.extent(0));
  const LastLayerPosterior full(LaplaceStructure::kFull, features, probs, tau);
  const LastLayerPosterior kron(LaplaceStructure::kKron, features, probs, tau);
  const LastLayerPosterior diag(LaplaceStructure::kDiagonal, features, probs, tau);
  std::vector<double> covariance(classes * classes);
  for (std::int64_t m = 0; m < tests.extent(0); ++m) {
    const auto i = static_cast<std::size_t>(m);
    const auto compare = [&](const LastLayerPosterior& posterior, const json& expected) {
      posterior.covariance(tests.row(m), covariance);
      for (std::size_t k = 0; k < classes; ++k) {
        for (std::size_t l = 0; l < classes; ++l) {
          EXPECT_TRUE(
              test::closeTo(covariance[k * classes + l], expected[k][l].get<double>(), 1e-9, 1e-9))
              << m << ' ' << k << ' ' << l;
        }
      }
    };
    compare(full, vectors.at("cov_full")[i]);
    compare(kron, vectors.at("cov_kron")[i]);
    diag.covariance(tests.row(m), covariance);
    for (std::size_t k = 0; k < classes; ++k) {
      EXPECT_TRUE(test::closeTo(covariance[k * classes + k],
                                vectors.at("var_diag")[i][k].get<double>(), 1e-9));
      EXPECT_EQ(covariance[k * classes + (k + 1) % classes], 0.0);
    }
  }
}

/// Covariance of the logits at `phi` from draws of the weights.
void expectDrawsToHaveTheCovariance(const LastLayerPosterior& posterior,
                                    std::span<const double> phi, std::int64_t classes) {
  constexpr int kDraws = 40000;
  const auto k = static_cast<std::size_t>(classes);
  std::vector<double> expected(k * k);
  posterior.covariance(phi, expected);
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(classes, classes);
  std::vector<double> z(k * phi.size());
  const KeyedRandom random(3, LabSite::kFunctionDraw);
  for (int t = 0; t < kDraws; ++t) {
    random.normals(static_cast<std::uint32_t>(t), z);
    posterior.draw(z);
    Eigen::VectorXd logits(classes);
    for (std::size_t c = 0; c < k; ++c) {
      logits[static_cast<Eigen::Index>(c)] =
          Eigen::Map<const Eigen::VectorXd>(phi.data(), std::ssize(phi))
              .dot(Eigen::Map<const Eigen::VectorXd>(z.data() + c * phi.size(), std::ssize(phi)));
    }
    sum += logits * logits.transpose() / kDraws;
  }
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t d = 0; d < k; ++d) {
      const double scale = std::sqrt(expected[c * k + c] * expected[d * k + d]);
      EXPECT_NEAR(sum(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(d)),
                  expected[c * k + d], 5.0 * scale * std::sqrt(2.0 / kDraws));
    }
  }
}

TEST(LastLayerPosterior, DrawsHaveItsCovariance) {
  const json vectors = test::readVectors("laplace");
  const Array<double> features = matrixOf(vectors.at("features"));
  const Array<double> weight = matrixOf(vectors.at("weight"));
  const Array<double> probs = probsOf(features, weight);
  for (const auto structure :
       {LaplaceStructure::kDiagonal, LaplaceStructure::kKron, LaplaceStructure::kFull}) {
    const LastLayerPosterior posterior(structure, features, probs, 0.7);
    expectDrawsToHaveTheCovariance(posterior, features.row(1), weight.extent(0));
  }
}

/// Jacobians [N, K, K Q] of a linear layer.
Array<double> linearJacobians(const Array<double>& features, std::int64_t classes) {
  const std::int64_t width = features.extent(1);
  auto result = Array<double>::zeros({features.extent(0), classes, classes * width});
  for (std::int64_t n = 0; n < features.extent(0); ++n) {
    for (std::int64_t k = 0; k < classes; ++k) {
      std::ranges::copy(features.row(n), result.mutableRow(n).data() + (k * classes + k) * width);
    }
  }
  return result;
}

TEST(AllLayersPosterior, OfALinearModelIsThatOfTheLastLayer) {
  const json vectors = test::readVectors("laplace");
  const Array<double> features = matrixOf(vectors.at("features"));
  const Array<double> weight = matrixOf(vectors.at("weight"));
  const Array<double> tests = matrixOf(vectors.at("test_features"));
  const Array<double> probs = probsOf(features, weight);
  AllLayersPosterior all(weight.size(), vectors.at("tau").get<double>());
  // In two parts, as callers do.
  const std::int64_t half = features.extent(0) / 2;
  const Array<double> jacobians = linearJacobians(features, weight.extent(0));
  all.add(jacobians.slice(0, half), probs.slice(0, half));
  all.add(jacobians.slice(half, features.extent(0)), probs.slice(half, features.extent(0)));
  all.decompose();
  const Array<double> covariances = all.covariances(linearJacobians(tests, weight.extent(0)));
  for (std::int64_t m = 0; m < tests.extent(0); ++m) {
    const json& expected = vectors.at("cov_full")[static_cast<std::size_t>(m)];
    for (std::size_t i = 0; i < covariances.row(m).size(); ++i) {
      const auto k = static_cast<std::size_t>(weight.extent(0));
      EXPECT_TRUE(
          test::closeTo(covariances.row(m)[i], expected[i / k][i % k].get<double>(), 1e-9, 1e-9));
    }
  }
}

}  // namespace
}  // namespace dubito
