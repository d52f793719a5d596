// SPDX-License-Identifier: GPL-3.0-or-later
// Gaussian processes against results of other programs.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/labs/gaussian/gp_posterior.h"
#include "core/labs/gaussian/gp_search.h"
#include "core/labs/gaussian/kernel.h"
#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::closeTo;
using Numbers = std::vector<double>;

constexpr double kTolerance = 1e-9;

struct Points {
  Numbers x;
  Numbers y;
  Numbers x_test;
};

Points pointsOf(const json& vectors) {
  return {vectors.at("x"), vectors.at("y"), vectors.at("x_test")};
}

void expectClose(const Numbers& actual, const Numbers& expected, double absolute,
                 const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_TRUE(closeTo(actual[i], expected[i], kTolerance, absolute)) << what << " " << i;
  }
}

/// Checks evidence, gradient and mean; returns the prediction.
GpPrediction expectReference(const Kernel& kernel, double noise_variance, const Points& points,
                             const json& expected, const std::string& name) {
  const RunContext context;
  const auto evidence = gpEvidence(kernel, noise_variance, points.x, points.y, context);
  const auto posterior = GpPosterior::fit(kernel, noise_variance, points.x, points.y, context);
  EXPECT_TRUE(evidence && posterior) << name;
  if (!evidence || !posterior) {
    return {};
  }
  EXPECT_EQ(evidence->jitter, 0.0);
  EXPECT_TRUE(closeTo(evidence->log_evidence, expected.at("log_marginal_likelihood"), kTolerance))
      << name;
  EXPECT_EQ(posterior->logEvidence(), evidence->log_evidence);
  if (expected.contains("gradient_log_parameters")) {
    expectClose(evidence->gradient, expected.at("gradient_log_parameters"), 1e-9,
                name + " gradient");
  }
  const auto prediction = posterior->predict(points.x_test, 0, 0, context);
  EXPECT_TRUE(prediction) << name;
  expectClose(prediction->mean, expected.at("mean"), 1e-11, name + " mean");
  return *prediction;
}

/// The kernel of `text` with the parameters of the file, of which the last is the noise variance.
Kernel kernelAt(const std::string& text, const Numbers& log_parameters) {
  const auto kernel = parseKernel(text);
  EXPECT_TRUE(kernel) << kernel.error().message;
  return kernel->withLogParameters(std::span(log_parameters).first(log_parameters.size() - 1));
}

TEST(GpReference, Vectors) {
  const std::map<std::string, std::string> texts = {
      {"squared_exponential", "1.5*se(0.8)"},
      {"matern_1_2", "1.5*matern12(0.8)"},
      {"matern_3_2", "1.5*matern32(0.8)"},
      {"matern_5_2", "1.5*matern52(0.8)"},
      {"rational_quadratic", "1.5*rq(0.6, 0.8)"},
      {"periodic", "1.5*periodic(0.9, 2.5)"},
      {"linear", "0.7*linear(0.5)"},
      {"sum_linear_periodic", "0.7*linear(0.5) + 1.5*periodic(0.9, 2.5)"},
      {"product_se_periodic", "1.5*se(2)*periodic(0.9, 2.5)"}};
  const json vectors = test::readVectors("labs2").at("gp");
  const Points points = pointsOf(vectors);
  const double noise_variance = vectors.at("noise_variance");
  ASSERT_EQ(vectors.at("kernels").size(), texts.size());
  for (const auto& [name, expected] : vectors.at("kernels").items()) {
    ASSERT_TRUE(texts.contains(name)) << name;
    const Kernel kernel = kernelAt(texts.at(name), expected.at("log_parameters"));
    // The text says the same as the parameters of the file.
    EXPECT_EQ(parseKernel(texts.at(name))->parameterCount(), kernel.parameterCount());
    for (std::size_t p = 0; p < kernel.parameterCount(); ++p) {
      EXPECT_NEAR(parseKernel(texts.at(name))->parameters()[p].value, kernel.parameters()[p].value,
                  1e-12)
          << name;
    }
    const GpPrediction prediction = expectReference(kernel, noise_variance, points, expected, name);
    expectClose(prediction.variance, expected.at("latent_variance"), 1e-12, name + " variance");
  }
}

TEST(GpReference, VectorsOfTheSquaredExponential) {
  const json vectors = test::readVectors("regression");
  const json& expected = vectors.at("gp");
  const double amplitude = expected.at("amplitude");
  const double noise = expected.at("noise");
  const Kernel kernel = Kernel::constant(amplitude * amplitude) *
                        Kernel::base("se", std::array<double, 1>{expected.at("length_scale")});
  const GpPrediction prediction =
      expectReference(kernel, noise * noise, pointsOf(vectors), expected, "se");
  expectClose(prediction.variance, expected.at("latent_variance"), 1e-12, "variance");
}

json ownReference() {
  std::ifstream file(test::sourceDir() / "tests/core/labs/gaussian/gp_reference.json");
  return json::parse(file);
}

TEST(GpReference, ScikitLearn) {
  const json reference = ownReference();
  const Points points = pointsOf(reference);
  ASSERT_EQ(reference.at("kernels").size(), 9U);
  for (const auto& [text, expected] : reference.at("kernels").items()) {
    const Kernel kernel = kernelAt(text, expected.at("log_parameters"));
    const GpPrediction prediction =
        expectReference(kernel, reference.at("noise_variance"), points, expected, text);
    Numbers variance;
    for (std::size_t i = 0; i < prediction.variance.size(); ++i) {
      variance.push_back(expected.at("covariance").at(i).at(i));
    }
    expectClose(prediction.variance, variance, 1e-12, text + " variance");
  }
}

TEST(GpReference, DrawsHaveTheCovarianceOfScikitLearn) {
  constexpr std::int64_t kDraws = 20000;
  const json reference = ownReference();
  const Points points = pointsOf(reference);
  const json& expected = reference.at("kernels").at("1.7*se(0.6)");
  const RunContext context;
  const auto posterior =
      GpPosterior::fit(kernelAt("1.7*se(0.6)", expected.at("log_parameters")),
                       reference.at("noise_variance"), points.x, points.y, context);
  ASSERT_TRUE(posterior);
  const auto prediction = posterior->predict(points.x_test, kDraws, 3, context);
  ASSERT_TRUE(prediction);
  ASSERT_EQ(prediction->draws.shape(), (std::vector<std::int64_t>{kDraws, 9}));
  const auto covariance = [&](std::size_t i, std::size_t j) -> double {
    return expected.at("covariance").at(i).at(j);
  };
  for (std::size_t i = 0; i < 9; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0.0;
      for (std::int64_t t = 0; t < kDraws; ++t) {
        sum += (prediction->draws.row(t)[i] - prediction->mean[i]) *
               (prediction->draws.row(t)[j] - prediction->mean[j]) / kDraws;
      }
      // Standard deviation of the product of two correlated normals, over the draws.
      const double deviation = std::sqrt(
          (covariance(i, i) * covariance(j, j) + covariance(i, j) * covariance(i, j)) / kDraws);
      EXPECT_NEAR(sum, covariance(i, j), 5.0 * deviation) << i << " " << j;
    }
  }
}

}  // namespace
}  // namespace dubito
