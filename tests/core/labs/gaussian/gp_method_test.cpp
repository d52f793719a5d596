// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/gp_method.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/labs/random/keyed_random.h"
#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::closeTo;
using Numbers = std::vector<double>;

RegressionProblem sineProblem(std::size_t count) {
  RegressionProblem problem{Numbers(count), Numbers(count), 0.3};
  KeyedRandom(1, LabSite::kDataInputs).normals(0, problem.x);
  KeyedRandom(1, LabSite::kDataNoise).normals(0, problem.y);
  for (std::size_t i = 0; i < count; ++i) {
    problem.y[i] = std::sin(2.0 * problem.x[i]) + 0.2 * problem.y[i];
  }
  return problem;
}

std::unique_ptr<RegressionLearner> started(const RegressionProblem& problem, const json& options,
                                           std::uint64_t seed = 1) {
  const auto method = gpMethod().make();
  EXPECT_TRUE(fieldsFromJson(options, method->fields()));
  const Status checked = method->check();
  EXPECT_TRUE(checked) << checked.error().message;
  auto learner = method->start(problem, seed);
  EXPECT_TRUE(learner) << learner.error().message;
  return std::move(learner.value());
}

void finish(RegressionLearner& learner) {
  RunContext context;
  ASSERT_TRUE(learner.advance(learner.total(), context));
  ASSERT_EQ(learner.done(), learner.total());
}

double numberOf(const RegressionLearner& learner, const std::string& key) {
  const LabDiagnostics diagnostics = learner.diagnostics();
  const auto found = std::ranges::find(diagnostics.numbers, key, &LabDiagnostic::key);
  EXPECT_NE(found, diagnostics.numbers.end()) << key;
  return found == diagnostics.numbers.end() ? std::nan("") : found->value;
}

RegressionPrediction predicted(const RegressionLearner& learner, const Numbers& x) {
  RunContext context;
  const auto prediction = learner.predict(x, 3, context);
  EXPECT_TRUE(prediction) << prediction.error().message;
  return prediction.value();
}

TEST(GpMethod, ClosedFormIsOneUnit) {
  const auto learner = started(
      sineProblem(50), {{"optimise", false}, {"noise_from", "shared"}, {"kernel", "se(0.7)"}});
  EXPECT_EQ(learner->total(), 1);
  finish(*learner);
  EXPECT_EQ(numberOf(*learner, "noise_std"), 0.3);
  EXPECT_EQ(numberOf(*learner, "length_scale"), 0.7);
  EXPECT_TRUE(learner->diagnostics().traces.empty());
  const auto prediction = predicted(*learner, {0.1, 9.0});
  EXPECT_DOUBLE_EQ(prediction.noise_variance[1], 0.09);
  EXPECT_NEAR(prediction.epistemic_variance[1], 1.0, 1e-9);
  EXPECT_FALSE(prediction.is_mixture);
  EXPECT_EQ(prediction.draws.shape(), (std::vector<std::int64_t>{3, 2}));
}

TEST(GpMethod, ReachesTheOptimumOfScikitLearn) {
  std::ifstream file(test::sourceDir() / "tests/core/labs/gaussian/gp_reference.json");
  const json reference = json::parse(file);
  const RegressionProblem problem{reference.at("x"), reference.at("y"), 0.3};
  const auto learner = started(problem, {{"starts", 4}});
  finish(*learner);
  const json& optimum = reference.at("optimum");
  EXPECT_TRUE(
      closeTo(numberOf(*learner, "log_evidence"), optimum.at("log_marginal_likelihood"), 1e-6));
  const Numbers expected = optimum.at("log_parameters");
  EXPECT_NEAR(std::log(numberOf(*learner, "variance")), expected[0], 1e-2);
  EXPECT_NEAR(std::log(numberOf(*learner, "length_scale")), expected[1], 1e-2);
  EXPECT_NEAR(2.0 * std::log(numberOf(*learner, "noise_std")), expected[2], 1e-2);
}

TEST(GpMethod, FindsTheLargestOfSeveralMaximaOfTheEvidence) {
  // Few points of a fast curve: one maximum explains them by noise, others by curves of any period.
  int missed_of_periodic = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    RegressionProblem problem{Numbers(14), Numbers(14), 0.3};
    KeyedRandom(seed, LabSite::kDataInputs).uniforms(0, problem.x);
    KeyedRandom(seed, LabSite::kDataNoise).normals(0, problem.y);
    for (std::size_t i = 0; i < problem.x.size(); ++i) {
      problem.x[i] = 4.0 * problem.x[i] - 2.0;
      problem.y[i] = std::sin(6.0 * problem.x[i]) + 0.3 * problem.y[i];
    }
    const auto gapOf = [&](const char* kernel) {
      const auto usual = started(problem, {{"kernel", kernel}});
      const auto thorough = started(problem, {{"kernel", kernel}, {"starts", 12}, {"steps", 300}});
      finish(*usual);
      finish(*thorough);
      return numberOf(*thorough, "log_evidence") - numberOf(*usual, "log_evidence");
    };
    EXPECT_LT(gapOf("1*se(1)"), 0.05) << seed;
    EXPECT_LT(gapOf("1*se(1) + 1*se(0.1)"), 0.05) << seed;
    // Every period has a maximum of its own.
    missed_of_periodic += gapOf("1*se(1)*periodic(1, 1)") > 0.05 ? 1 : 0;
  }
  EXPECT_LE(missed_of_periodic, 2);
}

TEST(GpMethod, SaysWhichKernelItHasChosen) {
  const auto fitted = started(sineProblem(60), json::object());
  EXPECT_EQ(fitted->diagnostics().chosen, "");
  finish(*fitted);
  EXPECT_EQ(fitted->diagnostics().chosen.rfind("fitted kernel ", 0), 0U);
  EXPECT_NE(fitted->diagnostics().chosen, "fitted kernel 1*se(1)");
  const auto given = started(sineProblem(60), {{"optimise", false}});
  finish(*given);
  EXPECT_EQ(given->diagnostics().chosen, "");
}

TEST(GpMethod, SaysIfTheEvidenceStillRises) {
  const auto learner = started(sineProblem(100), {{"steps", 1}, {"starts", 1}});
  finish(*learner);
  EXPECT_FALSE(learner->diagnostics().converged);
  ASSERT_FALSE(learner->diagnostics().warnings.empty());
  EXPECT_NE(learner->diagnostics().warnings.back().find("still rose"), std::string::npos);
}

TEST(GpMethod, EvidenceRisesAndNoiseIsRecovered) {
  const auto learner = started(sineProblem(200), json::object());
  finish(*learner);
  EXPECT_NEAR(numberOf(*learner, "noise_std"), 0.2, 0.03);
  const LabDiagnostics diagnostics = learner->diagnostics();
  ASSERT_EQ(diagnostics.traces.size(), 6U);
  EXPECT_EQ(diagnostics.traces[0].name, "log evidence");
  for (const Curve& trace : diagnostics.traces) {
    EXPECT_GT(trace.y.size(), 3U);
    EXPECT_TRUE(std::ranges::is_sorted(trace.y));
    EXPECT_TRUE(std::ranges::is_sorted(trace.x));
  }
  EXPECT_TRUE(diagnostics.warnings.empty()) << diagnostics.warnings[0];
  double best = diagnostics.traces[0].y.back();
  for (const Curve& trace : diagnostics.traces) {
    best = std::max(best, trace.y.back());
  }
  EXPECT_DOUBLE_EQ(numberOf(*learner, "log_evidence"), best);
  EXPECT_TRUE(diagnostics.converged);
}

TEST(GpMethod, FitsOnlyTheNoiseIfTheKernelIsGiven) {
  const auto learner = started(sineProblem(200), {{"optimise", false}, {"kernel", "0.8*se(0.9)"}});
  EXPECT_GT(learner->total(), 1);
  finish(*learner);
  EXPECT_EQ(numberOf(*learner, "length_scale"), 0.9);
  EXPECT_NEAR(numberOf(*learner, "noise_std"), 0.2, 0.03);
  const auto kernel_only = started(sineProblem(200), {{"noise_from", "0.25"}});
  finish(*kernel_only);
  EXPECT_EQ(numberOf(*kernel_only, "noise_std"), 0.25);
  EXPECT_NE(numberOf(*kernel_only, "length_scale"), 1.0);
}

TEST(GpMethod, StateDoesNotDependOnTheCalls) {
  const RegressionProblem problem = sineProblem(60);
  const auto at_once = started(problem, json::object());
  const auto in_parts = started(problem, json::object());
  RunContext context;
  while (in_parts->done() < in_parts->total()) {
    ASSERT_TRUE(in_parts->advance(1, context));
  }
  finish(*at_once);
  const Numbers x = {-2.0, 0.3, 4.0};
  EXPECT_EQ(predicted(*at_once, x).mean, predicted(*in_parts, x).mean);
  EXPECT_TRUE(std::ranges::equal(predicted(*at_once, x).draws.values(),
                                 predicted(*in_parts, x).draws.values()));
  const auto other_seed = started(problem, json::object(), 2);
  finish(*other_seed);
  EXPECT_FALSE(std::ranges::equal(predicted(*at_once, x).draws.values(),
                                  predicted(*other_seed, x).draws.values()));
}

TEST(GpMethod, PredictsFromThePriorAndWhileFitting) {
  const auto learner = started(sineProblem(60), {{"kernel", "2*se(1)"}});
  RunContext context;
  const auto prior = predicted(*learner, {0.0});
  EXPECT_EQ(prior.mean[0], 0.0);
  EXPECT_DOUBLE_EQ(prior.epistemic_variance[0], 2.0);
  ASSERT_TRUE(learner->advance(2, context));
  EXPECT_EQ(learner->done(), 2);
  EXPECT_LT(predicted(*learner, {0.0}).epistemic_variance[0], 0.1);
}

TEST(GpMethod, CovariancesArePriorAndPosterior) {
  RunContext context;
  const Numbers x = {-2.0, 0.5, 3.0};
  const auto learner = started(
      sineProblem(20), {{"optimise", false}, {"noise_from", "shared"}, {"kernel", "1.5*se(0.7)"}});
  // Before the first unit of work, and without points, there is only the prior.
  const auto before = learner->covariance(x, context);
  ASSERT_TRUE(before && *before);
  EXPECT_EQ((*before)->x, x);
  EXPECT_NEAR((*before)->prior.row(0)[1], 1.5 * std::exp(-0.5 * 6.25 / 0.49), 1e-15);
  EXPECT_TRUE((*before)->posterior.empty());
  finish(*learner);
  const auto after = learner->covariance(x, context);
  ASSERT_TRUE(after && *after);
  const RegressionPrediction prediction = predicted(*learner, x);
  for (std::int64_t i = 0; i < 3; ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_EQ((*after)->prior.row(i)[0], (*before)->prior.row(i)[0]);
    EXPECT_NEAR((*after)->posterior.row(i)[at], prediction.epistemic_variance[at], 1e-12);
  }
  const auto empty = started(RegressionProblem(), {{"kernel", "se(0.7)"}});
  finish(*empty);
  const auto prior = empty->covariance(x, context);
  ASSERT_TRUE(prior && *prior);
  EXPECT_TRUE((*prior)->posterior.empty());
}

TEST(GpMethod, FitsManyPointsOnASelection) {
  const RegressionProblem problem = sineProblem(700);
  const auto learner = started(problem, {{"evidence_points", 100}});
  RunContext context;
  ASSERT_TRUE(learner->advance(3, context));
  EXPECT_NE(learner->diagnostics().warnings.at(0).find(
                "an even selection of 100 of 700 points; until that ends"),
            std::string::npos);
  const double early = predicted(*learner, {0.0}).epistemic_variance[0];
  finish(*learner);
  EXPECT_LT(predicted(*learner, {0.0}).epistemic_variance[0], early);
  EXPECT_NE(learner->diagnostics().warnings.at(0).find("the posterior uses all points"),
            std::string::npos);
  // The selection does not depend on the order of the points.
  RegressionProblem reversed = problem;
  std::ranges::reverse(reversed.x);
  std::ranges::reverse(reversed.y);
  const auto other = started(reversed, {{"evidence_points", 100}});
  finish(*other);
  EXPECT_EQ(numberOf(*other, "noise_std"), numberOf(*learner, "noise_std"));
}

TEST(GpMethod, ReportsJitterAndBounds) {
  RegressionProblem problem = sineProblem(60);
  const auto jittered =
      started(problem, {{"optimise", false}, {"noise_from", "0.000001"}, {"kernel", "1000*se(5)"}});
  finish(*jittered);
  EXPECT_GT(numberOf(*jittered, "jitter"), 0.0);
  EXPECT_NE(jittered->diagnostics().warnings.at(0).find("was added to its diagonal"),
            std::string::npos);
  std::ranges::fill(problem.y, 0.0);
  const auto flat = started(problem, json::object());
  finish(*flat);
  const auto warnings = flat->diagnostics().warnings;
  EXPECT_TRUE(std::ranges::any_of(warnings, [](const std::string& text) {
    return text.find("Noise lies at the bound") != std::string::npos;
  }));
}

TEST(GpMethod, RefusesWithARemedy) {
  GpOptions options;
  options.kernel = "mattern";
  EXPECT_NE(options.check().error().message.find("kernel 'mattern': unknown kernel"),
            std::string::npos);
  EXPECT_EQ(options.check().error().remedy.settings, std::vector{setting("kernel")});
  options = {};
  options.noise = "-1";
  EXPECT_EQ(options.check().error().message,
            "the noise is '-1'; use auto, shared or a number between 1e-06 and 1e+06");
  EXPECT_EQ(options.check().error().remedy.settings, std::vector{setting("noise_from")});
  options = {};
  options.starts = 0;
  EXPECT_NE(options.check().error().message.find("Starts is 0"), std::string::npos);
  EXPECT_EQ(options.check().error().remedy.settings, std::vector{setting("starts")});
  const auto learner = gpMethod().make()->start(sineProblem(5001), 1);
  ASSERT_FALSE(learner);
  EXPECT_NE(learner.error().message.find("use at most 5000"), std::string::npos);
}

TEST(GpMethod, CanBeCancelled) {
  const auto learner = started(sineProblem(60), json::object());
  RunContext context;
  context.control()->requestCancel();
  const Status status = learner->advance(5, context);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace dubito
