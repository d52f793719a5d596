// SPDX-License-Identifier: GPL-3.0-or-later
// What the regression laboratory shows before there are points, and with the first one.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/labs/regression/regression_lab.h"
#include "core/labs/regression/regression_methods.h"

namespace dubito {
namespace {

RegressionData plane(RegressionPoints points = {}) {
  RegressionData data;
  data.name = "Own points";
  data.train = std::move(points);
  data.shown = {-5.0, 5.0};
  return data;
}

Expected<RegressionPicture> finished(const std::string& key, const RegressionData& data,
                                     const nlohmann::json& options = nlohmann::json::object(),
                                     const RegressionLabOptions& shared = {}) {
  RunContext context;
  const auto method = findRegressionMethod(key)->make();
  EXPECT_TRUE(fieldsFromJson(options, method->fields()));
  auto lab = RegressionLab::start(data, *method, shared, 3);
  if (!lab) {
    return failWith(lab);
  }
  EXPECT_TRUE(lab->advance(lab->total(), context));
  return lab->picture(context);
}

TEST(Prior, EveryMethodThatHasOneDrawsFromIt) {
  std::vector<std::string> with_prior;
  for (const RegressionMethodInfo& info : regressionMethods()) {
    const auto picture = finished(info.key, plane());
    if (!info.make()->hasPrior()) {
      ASSERT_FALSE(picture) << info.key;
      EXPECT_EQ(picture.error().message,
                "Own points: has 0 points; add points until there are at least 2");
      continue;
    }
    with_prior.emplace_back(info.key);
    ASSERT_TRUE(picture) << info.key << ": " << picture.error().message;
    EXPECT_EQ(picture->total, 1) << info.key;
    EXPECT_EQ(picture->scored_points, 0);
    EXPECT_EQ(picture->draws.extent(0), 20);
    EXPECT_TRUE(picture->diagnostics.warnings.empty()) << picture->diagnostics.warnings.front();
    for (std::size_t i = 0; i < picture->mean.size(); ++i) {
      EXPECT_TRUE(std::isfinite(picture->mean[i]));
      EXPECT_GT(picture->std_epistemic[i], 0.0) << info.key;
    }
  }
  EXPECT_EQ(with_prior,
            (std::vector<std::string>{"gp", "blr", "hmc", "mh", "sgld", "bbb", "graves"}));
}

TEST(Prior, IsThatOfTheKernel) {
  RegressionData data = plane();
  for (const bool has_height : {false, true}) {
    if (has_height) {
      data.shown_y = {-10.0, 50.0};
    }
    const auto picture = finished("gp", data, {{"kernel", "4*se(1)"}});
    ASSERT_TRUE(picture);
    for (std::size_t i = 0; i < picture->mean.size(); ++i) {
      EXPECT_NEAR(picture->mean[i], has_height ? 20.0 : 0.0, 1e-9);
      EXPECT_NEAR(picture->std_epistemic[i], has_height ? 20.0 : 2.0, 1e-6);
    }
  }
}

TEST(Prior, IsTheSameForAllMethodsOfOneNetwork) {
  const nlohmann::json network = {{"hidden_units", 16}, {"prior_std", 1.5}};
  const RegressionLabOptions shared{.max_draws = 1000};
  const auto reference = finished("hmc", plane(), network, shared);
  ASSERT_TRUE(reference);
  for (const char* key : {"mh", "sgld", "bbb", "graves"}) {
    const auto picture = finished(key, plane(), network, shared);
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->mean, reference->mean) << key;
    EXPECT_EQ(picture->std_epistemic, reference->std_epistemic) << key;
  }
  // f = sum of 16 weights N(0, 1.5^2 / 16) times tanh, which is below 1, and a bias N(0, 1.5^2):
  // the variance lies between 1.5^2 and twice that.
  const double middle = reference->std_epistemic[reference->std_epistemic.size() / 2];
  EXPECT_GT(middle, 0.95 * 1.5);
  EXPECT_LT(middle, 1.05 * 1.5 * std::sqrt(2.0));
}

TEST(Prior, BecomesAPosteriorWithTheFirstPoint) {
  const nlohmann::json kernel = {{"kernel", "1*se(1)"}};
  const auto before = finished("gp", plane(), kernel);
  const auto after = finished("gp", plane({{0.0}, {2.0}}), kernel);
  ASSERT_TRUE(before && after);
  EXPECT_EQ(after->scored_points, 1);
  const std::size_t middle = after->mean.size() / 2;
  EXPECT_NEAR(after->mean[middle], 2.0, 0.1);
  EXPECT_LT(after->std_epistemic[middle], 0.2);
  // Far away nothing has changed: the scale is still that of the plane.
  EXPECT_NEAR(after->mean.front(), 0.0, 0.5);
  EXPECT_NEAR(after->std_epistemic.front(), before->std_epistemic.front(), 0.05);
  const auto line = finished("blr", plane({{0.0}, {2.0}}), {{"basis", "powers"}, {"size", 1}});
  ASSERT_TRUE(line);
  EXPECT_NEAR(line->mean[middle], 2.0, 0.1);
}

TEST(WeightPlane, IsThatOfTheFunctionsDrawn) {
  const nlohmann::json line = {
      {"basis", "powers"}, {"size", 1}, {"prior_std", 0.5}, {"noise_from", "shared"}};
  const RegressionLabOptions raw{.scale = false, .noise = 0.2};
  const auto prior = finished("blr", plane(), line, raw);
  ASSERT_TRUE(prior && prior->weights);
  EXPECT_EQ(prior->weights->mean, (std::array<double, 2>{0.0, 0.0}));
  EXPECT_EQ(prior->weights->covariance, prior->weights->prior_covariance);
  EXPECT_EQ(prior->weights->prior_covariance, (std::array<double, 4>{0.25, 0.0, 0.0, 0.25}));
  const auto posterior = finished("blr", plane({{-1.0, 1.0}, {-0.8, 0.2}}), line, raw);
  ASSERT_TRUE(posterior && posterior->weights);
  // Orthogonal features: each weight has precision 2 / 0.2^2 + 1 / 0.5^2 = 54.
  EXPECT_NEAR(posterior->weights->covariance[0], 1.0 / 54.0, 1e-12);
  EXPECT_NEAR(posterior->weights->covariance[1], 0.0, 1e-12);
  EXPECT_NEAR(posterior->weights->mean[0], -0.3 * 50.0 / 54.0, 1e-12);
  EXPECT_NEAR(posterior->weights->mean[1], 0.5 * 50.0 / 54.0, 1e-12);
  ASSERT_EQ(posterior->weights->draws.extent(0), posterior->draws.extent(0));
  for (std::int64_t t = 0; t < posterior->draws.extent(0); ++t) {
    const auto weights = posterior->weights->draws.row(t);
    EXPECT_NEAR(posterior->draws.row(t)[0], weights[0] + weights[1] * posterior->x[0], 1e-12);
  }
  EXPECT_FALSE(finished("gp", plane())->weights);
  EXPECT_FALSE(finished("blr", plane(), {{"size", 2}})->weights);
}

TEST(Prior, NeedsARangeToDraw) {
  RegressionData data = plane();
  data.shown = {};
  const auto picture = finished("gp", data);
  ASSERT_FALSE(picture);
  EXPECT_NE(picture.error().message.find("add points"), std::string::npos);
}

}  // namespace
}  // namespace dubito
