// SPDX-License-Identifier: GPL-3.0-or-later
// laplace.json whole, and of laplace_all_kron.json what the given factors make: determinants and
// evidence.
#include <gtest/gtest.h>

#include "core/kernels/logit_covariance.h"
#include "tests/core/laplace/made_layers.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::closeTo;
using test::tensorOf;
using test::tensorsClose;

constexpr double kTolerance = 1e-9;
constexpr double kNearZero = 1e-12;

class LaplaceVectors : public testing::Test {
 protected:
  LaplaceVectors() : vectors_(test::readVectors("laplace")) {
    layer_.features = tensorOf(vectors_.at("features"));
    layer_.weight = tensorOf(vectors_.at("weight"));
    layer_.labels = vectors_.at("labels").get<std::vector<std::int64_t>>();
    inputs_ = tensorOf(vectors_.at("test_features"));
    scale_ = {static_cast<double>(layer_.features.size(0)), vectors_.at("tau").get<double>()};
  }

  [[nodiscard]] at::Tensor covariances(LaplaceStructure structure) const {
    return test::covariancesOf(test::posteriorOf(layer_, structure), scale_, inputs_);
  }

  json vectors_;
  test::MadeLayer layer_;
  at::Tensor inputs_;
  LaplaceScale scale_;
};

TEST_F(LaplaceVectors, Mean) {
  EXPECT_TRUE(
      tensorsClose(layer_.logitsOf(inputs_), tensorOf(vectors_.at("mean")), kTolerance, kNearZero));
}

TEST_F(LaplaceVectors, Full) {
  EXPECT_TRUE(tensorsClose(covariances(LaplaceStructure::kFull), tensorOf(vectors_.at("cov_full")),
                           kTolerance, kNearZero));
}

TEST_F(LaplaceVectors, Kron) {
  EXPECT_TRUE(tensorsClose(covariances(LaplaceStructure::kKron), tensorOf(vectors_.at("cov_kron")),
                           kTolerance, kNearZero));
}

TEST_F(LaplaceVectors, Diagonal) {
  EXPECT_TRUE(tensorsClose(covariances(LaplaceStructure::kDiagonal).diagonal(0, 1, 2),
                           tensorOf(vectors_.at("var_diag")), kTolerance, kNearZero));
}

TEST_F(LaplaceVectors, Damped) {
  const json& damped = vectors_.at("damped");
  scale_ = {damped.at("n").get<double>(), damped.at("tau").get<double>()};
  EXPECT_TRUE(tensorsClose(covariances(LaplaceStructure::kKronDamped), tensorOf(damped.at("cov")),
                           kTolerance, kNearZero));
}

TEST_F(LaplaceVectors, EvidenceOfFull) {
  EXPECT_TRUE(closeTo(logEvidence(test::posteriorOf(layer_, LaplaceStructure::kFull), scale_),
                      vectors_.at("log_evidence_full").get<double>(), kTolerance));
}

/// The float32 Gaussians that kernels get are the double ones, rounded.
TEST_F(LaplaceVectors, GaussiansInFloat) {
  for (const auto structure : {LaplaceStructure::kFull, LaplaceStructure::kKron,
                               LaplaceStructure::kKronDamped, LaplaceStructure::kDiagonal}) {
    const LaplacePosterior posterior = test::posteriorOf(layer_, structure);
    const LastLayerGaussians gaussians(posterior, scale_);
    const LogitGaussians items =
        gaussians.of(gaussians.inBasis(inputs_.to(at::kFloat)), layer_.logitsOf(inputs_));
    EXPECT_TRUE(tensorsClose(tensorView(logitVariance(items, RunContext())).to(at::kDouble),
                             test::covariancesOf(posterior, scale_, inputs_).diagonal(0, 1, 2),
                             1e-5, 0.0))
        << toString(structure);
  }
}

class GivenFactors : public testing::TestWithParam<std::string> {
 protected:
  GivenFactors() : vectors_(test::readVectors("laplace_all_kron")) {
    factors_.items = factors_.labelled_items = vectors_.at("n").get<std::int64_t>();
    factors_.log_likelihood = vectors_.at("log_likelihood").get<double>();
    // The file has sums over the items, factors are averages.
    const at::Tensor diagonal =
        tensorOf(vectors_.at("ggn_diagonal")) / static_cast<double>(factors_.items);
    std::int64_t first = 0;
    for (const char* number : {"1", "2"}) {
      LayerFactors layer;
      layer.name = number;
      const at::Tensor a = tensorOf(vectors_.at("factors").at(std::string("A") + number));
      const at::Tensor g = tensorOf(vectors_.at("factors").at(std::string("G") + number));
      layer.inputs = a.size(0);
      layer.outputs = g.size(0);
      layer.input_products = arrayOf<double>(a);
      layer.output_products = arrayOf<double>(g);
      layer.diagonal = arrayOf<double>(
          diagonal.slice(0, first, first + layer.parameters()).view({layer.outputs, layer.inputs}));
      first += layer.parameters();
      factors_.layers.push_back(layer);
    }
    factors_.layers[0].squared_norm = vectors_.at("theta_norm_squared").get<double>();
  }

  json vectors_;
  LaplaceFactors factors_;
};

TEST_P(GivenFactors, HaveTheEvidence) {
  const LaplaceStructure structure = parseLaplaceStructure(GetParam());
  const auto posterior = makePosterior(factors_, structure);
  ASSERT_OK(posterior);
  EXPECT_EQ(posterior->parameters(), vectors_.at("parameters").get<std::int64_t>());
  const LaplaceScale scale{static_cast<double>(factors_.items), vectors_.at("tau").get<double>()};
  const json& expected = vectors_.at("evidence").at(GetParam());
  EXPECT_TRUE(closeTo(logDetPrecision(*posterior, scale),
                      expected.at("log_det_precision").get<double>(), kTolerance));
  EXPECT_TRUE(closeTo(logEvidence(*posterior, scale), expected.at("log_evidence").get<double>(),
                      kTolerance));
}

INSTANTIATE_TEST_SUITE_P(AllLayers, GivenFactors, testing::Values("kron", "diag"));

/// The exact zero of G2 comes out of the factorisation as +-1e-17.
TEST_F(GivenFactors, HaveEigenvaluesWithoutNegativeZeros) {
  const auto posterior = makePosterior(factors_, LaplaceStructure::kKron);
  ASSERT_OK(posterior);
  for (std::size_t layer = 0; layer < 2; ++layer) {
    const std::string number = std::to_string(layer + 1);
    const LayerPosterior& result = posterior->layers[layer];
    EXPECT_TRUE(tensorsClose(tensorView(result.input_values),
                             tensorOf(vectors_.at("eigenvalues").at("A" + number)), kTolerance,
                             kNearZero));
    EXPECT_TRUE(tensorsClose(tensorView(result.output_values),
                             tensorOf(vectors_.at("eigenvalues").at("G" + number)), kTolerance,
                             kNearZero));
    EXPECT_GE(result.output_values.data()[0], 0.0);
  }
}

}  // namespace
}  // namespace dubito
