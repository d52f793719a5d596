// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/posterior/posterior_methods.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/labs/data/regression_sets.h"

namespace dubito {
namespace {

std::vector<RegressionMethodInfo> allMethods() {
  return {hmcMethod(), metropolisMethod(), sgldMethod(), bayesByBackpropMethod(), gravesMethod()};
}

/// The standardised points of the preset "sine".
RegressionProblem sineProblem(std::int64_t points) {
  RunContext context;
  const RegressionData data = openRegressionData("sine", points, 1, context).value();
  const auto scale = Standardisation::of(data.train);
  RegressionProblem problem{.x = {}, .y = {}, .noise_std = *data.noise_std / scale.y_std};
  for (std::size_t i = 0; i < data.train.x.size(); ++i) {
    problem.x.push_back(scale.scaledX(data.train.x[i]));
    problem.y.push_back(scale.scaledY(data.train.y[i]));
  }
  return problem;
}

std::unique_ptr<RegressionLearner> started(const RegressionMethodInfo& info,
                                           const nlohmann::json& options,
                                           const RegressionProblem& problem) {
  const auto method = info.make();
  const Status set = fieldsFromJson(options, method->fields());
  EXPECT_TRUE(set) << set.error().message;
  EXPECT_TRUE(method->check());
  return method->start(problem, 7).value();
}

/// Few units of a narrow network.
nlohmann::json smallOptions(const RegressionMethodInfo& info) {
  nlohmann::json options{{"hidden_units", 8}};
  const std::string key = info.key;
  if (key == "bbb" || key == "graves") {
    options["steps"] = 30;
  } else {
    options["warm_up"] = 10;
    options["draws"] = 20;
    options["kept"] = 10;
  }
  return options;
}

double numberOf(const LabDiagnostics& diagnostics, const std::string& key) {
  const auto found = std::ranges::find(diagnostics.numbers, key, &LabDiagnostic::key);
  return found == diagnostics.numbers.end() ? NAN : found->value;
}

bool warns(const LabDiagnostics& diagnostics, const std::string& text) {
  return std::ranges::any_of(diagnostics.warnings, [&](const std::string& warning) {
    return warning.find(text) != std::string::npos;
  });
}

TEST(PosteriorMethods, DoNotDependOnThreadsOrCalls) {
  const RegressionProblem problem = sineProblem(20);
  const std::vector<double> x{-2.0, 0.1, 1.5};
  for (const RegressionMethodInfo& info : allMethods()) {
    const auto meanAfter = [&](int threads, std::int64_t per_call) {
      RunContext context;
      context.threads = threads;
      const auto learner = started(info, smallOptions(info), problem);
      while (learner->done() < learner->total()) {
        EXPECT_TRUE(learner->advance(per_call, context));
      }
      const auto prediction = learner->predict(x, 15, context).value();
      EXPECT_EQ(prediction.draws.extent(0), 15) << info.key;
      EXPECT_TRUE(prediction.is_mixture);
      EXPECT_DOUBLE_EQ(prediction.noise_variance[0], problem.noise_std * problem.noise_std);
      return prediction.mean;
    };
    const std::vector<double> reference = meanAfter(1, 1000);
    EXPECT_EQ(reference, meanAfter(4, 1000)) << info.key;
    EXPECT_EQ(reference, meanAfter(2, 3)) << info.key;
    EXPECT_EQ(reference, meanAfter(4, 1)) << info.key;
  }
}

TEST(PosteriorMethods, PredictFromTheFirstUnitOn) {
  const RegressionProblem problem = sineProblem(20);
  RunContext context;
  for (const RegressionMethodInfo& info : allMethods()) {
    const auto learner = started(info, smallOptions(info), problem);
    for (std::int64_t unit = 1; unit <= learner->total(); ++unit) {
      ASSERT_TRUE(learner->advance(1, context)) << info.key;
      EXPECT_EQ(learner->done(), unit);
      EXPECT_TRUE(learner->predict(std::vector<double>{0.0}, 100, context)) << info.key << unit;
      learner->diagnostics();
    }
    EXPECT_TRUE(learner->advance(5, context));
    EXPECT_EQ(learner->done(), learner->total());
  }
}

TEST(PosteriorMethods, CanBeCancelled) {
  for (const RegressionMethodInfo& info : allMethods()) {
    RunContext context;
    context.control()->requestCancel();
    const auto learner = started(info, smallOptions(info), sineProblem(20));
    const Status status = learner->advance(10, context);
    ASSERT_FALSE(status) << info.key;
    EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
  }
}

TEST(PosteriorMethods, RefuseTooManyPoints) {
  RegressionProblem problem;
  problem.x.assign(5000, 0.5);
  problem.y.assign(5000, 0.5);
  for (const RegressionMethodInfo& info : allMethods()) {
    const auto learner = info.make()->start(problem, 1);
    ASSERT_FALSE(learner) << info.key;
    EXPECT_NE(learner.error().message.find("use at most 2000 points"), std::string::npos);
  }
}

TEST(PosteriorMethods, SayThatTheyAreStillWarmingUp) {
  RunContext context;
  const auto learner = started(hmcMethod(), smallOptions(hmcMethod()), sineProblem(20));
  // Before the first transition there are the functions with which the chains start.
  const auto first = learner->predict(std::vector<double>{0.0}, 10, context);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->draws.extent(0), 4);
  EXPECT_TRUE(warns(learner->diagnostics(), "warming up (0 of 10"));
  EXPECT_TRUE(learner->advance(5, context));
  EXPECT_TRUE(warns(learner->diagnostics(), "warming up (5 of 10"));
}

TEST(PosteriorMethods, WarnWhileChainsDisagree) {
  RunContext context;
  const auto learner =
      started(metropolisMethod(), {{"hidden_units", 20}, {"warm_up", 100}, {"draws", 200}},
              sineProblem(50));
  EXPECT_TRUE(learner->advance(300, context));
  EXPECT_GT(numberOf(learner->diagnostics(), "rhat"), 1.05);
  EXPECT_TRUE(warns(learner->diagnostics(), "not a posterior yet"));
}

TEST(PosteriorMethods, ReportStepsThatDiverge) {
  RunContext context;
  const auto sgld = started(
      sgldMethod(), {{"hidden_units", 20}, {"step_size", 1.0}, {"warm_up", 0}, {"draws", 400}},
      sineProblem(50));
  EXPECT_TRUE(sgld->advance(400, context));
  EXPECT_TRUE(warns(sgld->diagnostics(), "diverged; use a smaller step size"));
  EXPECT_FALSE(sgld->diagnostics().converged);
}

TEST(PosteriorMethods, VariationalOnesStateTheirBoundOverTheSteps) {
  RunContext context;
  const auto learner =
      started(bayesByBackpropMethod(), {{"hidden_units", 5}, {"steps", 50}}, sineProblem(20));
  ASSERT_TRUE(learner->advance(50, context));
  const LabDiagnostics diagnostics = learner->diagnostics();
  EXPECT_EQ(numberOf(diagnostics, "elbo"), -numberOf(diagnostics, "loss"));
  ASSERT_EQ(diagnostics.traces.size(), 1U);
  EXPECT_EQ(diagnostics.traces[0].name, "ELBO");
  EXPECT_EQ(diagnostics.traces[0].y.back(), numberOf(diagnostics, "elbo"));
  EXPECT_EQ(diagnostics.traces[0].x.back(), 50.0);
}

TEST(Hmc, ConvergesOnTheSine) {
  RunContext context;
  context.threads = 2;
  const RegressionProblem problem = sineProblem(50);
  const auto learner = started(hmcMethod(), {{"hidden_units", 20}}, problem);
  ASSERT_TRUE(learner->advance(learner->total(), context));
  const LabDiagnostics diagnostics = learner->diagnostics();
  EXPECT_LT(numberOf(diagnostics, "rhat"), 1.05);
  EXPECT_GT(numberOf(diagnostics, "ess"), 200.0);
  EXPECT_NEAR(numberOf(diagnostics, "acceptance"), 0.65, 0.12);
  EXPECT_FALSE(warns(diagnostics, "posterior yet"));
  EXPECT_EQ(diagnostics.traces.size(), 4U);
  EXPECT_EQ(diagnostics.traces[0].x.size(), 250U);
  // The residuals are those of the noise, and the spread grows away from the data.
  const auto prediction = learner->predict(problem.x, 1000, context).value();
  double squares = 0.0;
  for (std::size_t i = 0; i < problem.x.size(); ++i) {
    squares += std::pow((problem.y[i] - prediction.mean[i]) / problem.noise_std, 2) / 50.0;
  }
  EXPECT_GT(squares, 0.5);
  EXPECT_LT(squares, 1.5);
  const auto far = learner->predict(std::vector<double>{0.0, 6.0}, 1000, context).value();
  EXPECT_GT(far.epistemic_variance[1], 20.0 * far.epistemic_variance[0]);
}

TEST(PosteriorMethods, SayWhetherAVariationalFitHasConverged) {
  RunContext context;
  const RegressionProblem problem = sineProblem(50);
  const auto diagnosticsOf = [&](const RegressionMethodInfo& info, std::int64_t steps,
                                 std::int64_t advanced) {
    const auto learner = started(info, {{"hidden_units", 20}, {"steps", steps}}, problem);
    EXPECT_TRUE(learner->advance(advanced, context));
    return learner->diagnostics();
  };
  for (const RegressionMethodInfo& info : {bayesByBackpropMethod(), gravesMethod()}) {
    const LabDiagnostics few = diagnosticsOf(info, 1000, 1000);
    EXPECT_FALSE(few.converged) << info.key;
    EXPECT_TRUE(warns(few, "has not converged")) << info.key;
    EXPECT_GT(numberOf(few, "loss_progress"), 2.0) << info.key;
    const LabDiagnostics half = diagnosticsOf(info, 1000, 500);
    EXPECT_FALSE(half.converged) << info.key;
    EXPECT_TRUE(half.warnings.empty()) << info.key;
  }
  const LabDiagnostics many = diagnosticsOf(bayesByBackpropMethod(), 20000, 20000);
  EXPECT_TRUE(many.converged);
  EXPECT_TRUE(many.warnings.empty());
  EXPECT_LT(numberOf(many, "loss_progress"), 1.0);
}

TEST(PosteriorMethods, EqualNetworksAndPriorsHaveEqualPosteriors) {
  for (const RegressionMethodInfo& info : allMethods()) {
    const auto method = info.make();
    EXPECT_FALSE(method->posterior().empty()) << info.key;
    EXPECT_EQ(method->posterior(), hmcMethod().make()->posterior()) << info.key;
    EXPECT_TRUE(fieldsFromJson({{"prior_std", 3.0}}, method->fields()));
    EXPECT_NE(method->posterior(), hmcMethod().make()->posterior()) << info.key;
  }
}

}  // namespace
}  // namespace dubito
