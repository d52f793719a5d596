// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/blr_method.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

using nlohmann::json;
using Numbers = std::vector<double>;

RegressionProblem cubicProblem(std::size_t count) {
  RegressionProblem problem{Numbers(count), Numbers(count), 0.3};
  KeyedRandom(1, LabSite::kDataInputs).uniforms(0, problem.x);
  KeyedRandom(1, LabSite::kDataNoise).normals(0, problem.y);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = problem.x[i] = 4.0 * problem.x[i] - 2.0;
    problem.y[i] = 0.5 * x * x * x - x + 0.2 * problem.y[i];
  }
  return problem;
}

std::unique_ptr<RegressionLearner> started(const RegressionProblem& problem, const json& options) {
  const auto method = blrMethod().make();
  EXPECT_TRUE(fieldsFromJson(options, method->fields()));
  const Status checked = method->check();
  EXPECT_TRUE(checked) << checked.error().message;
  auto learner = method->start(problem, 1);
  EXPECT_TRUE(learner) << learner.error().message;
  return std::move(learner.value());
}

double numberOf(const RegressionLearner& learner, const std::string& key) {
  const LabDiagnostics diagnostics = learner.diagnostics();
  const auto found = std::ranges::find(diagnostics.numbers, key, &LabDiagnostic::key);
  EXPECT_NE(found, diagnostics.numbers.end()) << key;
  return found == diagnostics.numbers.end() ? std::nan("") : found->value;
}

RegressionPrediction predicted(const RegressionLearner& learner, const Numbers& x) {
  RunContext context;
  const auto prediction = learner.predict(x, 4, context);
  EXPECT_TRUE(prediction) << prediction.error().message;
  return prediction.value();
}

TEST(BlrMethod, EveryBasisFitsACubic) {
  for (const char* const basis : {"polynomial", "radial", "fourier", "powers"}) {
    const auto learner = started(cubicProblem(200), {{"basis", basis}});
    RunContext context;
    ASSERT_TRUE(learner->advance(learner->total(), context));
    EXPECT_EQ(learner->done(), learner->total());
    EXPECT_NEAR(numberOf(*learner, "noise_std"), 0.2, 0.03) << basis;
    EXPECT_NEAR(predicted(*learner, {1.0}).mean[0], -0.5, 0.1) << basis;
    EXPECT_LT(numberOf(*learner, "effective_weights"), numberOf(*learner, "weights"));
    const LabDiagnostics diagnostics = learner->diagnostics();
    ASSERT_EQ(diagnostics.traces.size(), 1U);
    EXPECT_TRUE(std::ranges::is_sorted(diagnostics.traces[0].y));
    EXPECT_NEAR(diagnostics.traces[0].y.back(), numberOf(*learner, "log_evidence"), 1e-9);
    EXPECT_TRUE(diagnostics.warnings.empty());
  }
}

// At the maximum, MacKay's fixed-point equations hold.
TEST(BlrMethod, MaximumIsThatOfMacKay) {
  const auto learner = started(cubicProblem(100), {{"size", 5}});
  RunContext context;
  ASSERT_TRUE(learner->advance(learner->total(), context));
  const RegressionProblem problem = cubicProblem(100);
  const auto prediction = predicted(*learner, problem.x);
  double residual = 0.0;
  for (std::size_t i = 0; i < 100; ++i) {
    residual += std::pow(problem.y[i] - prediction.mean[i], 2);
  }
  EXPECT_NEAR(std::sqrt(residual / (100.0 - numberOf(*learner, "effective_weights"))),
              numberOf(*learner, "noise_std"), 1e-4);
}

TEST(BlrMethod, ClosedFormIsOneUnit) {
  const auto learner =
      started(cubicProblem(50), {{"prior_std", 0.5}, {"noise_from", "shared"}, {"size", 3}});
  EXPECT_EQ(learner->total(), 1);
  // sqrt(2 k + 1)^2 at the right end, where every Legendre polynomial is 1.
  const auto ends = std::ranges::minmax(cubicProblem(50).x);
  EXPECT_NEAR(predicted(*learner, {ends.max}).epistemic_variance[0], 0.25 * (1 + 3 + 5 + 7), 1e-12);
  RunContext context;
  ASSERT_TRUE(learner->advance(1, context));
  const auto prediction = predicted(*learner, {ends.max});
  EXPECT_LT(prediction.epistemic_variance[0], 0.1);
  EXPECT_DOUBLE_EQ(prediction.noise_variance[0], 0.09);
  EXPECT_EQ(prediction.draws.shape(), (std::vector<std::int64_t>{4, 1}));
  EXPECT_FALSE(prediction.is_mixture);
}

TEST(BlrMethod, StateDoesNotDependOnTheCalls) {
  const auto at_once = started(cubicProblem(50), json::object());
  const auto in_parts = started(cubicProblem(50), json::object());
  RunContext context;
  ASSERT_TRUE(at_once->advance(7, context));
  for (int i = 0; i < 7; ++i) {
    ASSERT_TRUE(in_parts->advance(1, context));
  }
  EXPECT_EQ(at_once->done(), in_parts->done());
  EXPECT_EQ(predicted(*at_once, {0.4}).mean, predicted(*in_parts, {0.4}).mean);
}

TEST(BlrMethod, ReportsWhatItCannotDo) {
  BlrOptions options;
  options.basis = "splines";
  EXPECT_NE(options.check().error().message.find("Basis is 'splines'"), std::string::npos);
  EXPECT_EQ(options.check().error().remedy.settings, std::vector{setting("basis")});
  const auto learner =
      started(cubicProblem(50), {{"basis", "polynomial"}, {"size", 100}, {"prior_std", 1.0}});
  RunContext context;
  const auto far = learner->predict(Numbers{1e9}, 1, context);
  ASSERT_FALSE(far);
  EXPECT_NE(far.error().message.find("use a smaller size"), std::string::npos);
  context.control()->requestCancel();
  EXPECT_EQ(learner->advance(1, context).error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace dubito
