// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/network_methods.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/labs/data/regression_sets.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::closeTo;

std::vector<RegressionMethodInfo> networkMethods() {
  return {
      mleNetworkMethod(),      deepEnsembleMethod(),   mcDropoutMethod(), concreteDropoutMethod(),
      heteroscedasticMethod(), networkLaplaceMethod(), swagMethod()};
}

/// The sine of the presets, standardised.
struct Sine {
  explicit Sine(std::uint64_t seed) {
    RunContext context;
    data = openRegressionData("sine", 100, seed, context).value();
    scale = Standardisation::of(data.train);
    for (std::size_t i = 0; i < data.train.x.size(); ++i) {
      problem.x.push_back(scale.scaledX(data.train.x[i]));
      problem.y.push_back(scale.scaledY(data.train.y[i]));
    }
    problem.noise_std = *data.noise_std / scale.y_std;
  }

  RegressionData data;
  Standardisation scale;
  RegressionProblem problem;
};

using Learner = std::unique_ptr<RegressionLearner>;

Expected<Learner> started(const RegressionMethodInfo& info, const RegressionProblem& problem,
                          std::uint64_t seed, const nlohmann::json& options) {
  const auto method = info.make();
  if (Status set = fieldsFromJson(options, method->fields()); !set) {
    return failWith(set);
  }
  if (Status checked = method->check(); !checked) {
    return failWith(checked);
  }
  return method->start(problem, seed);
}

/// Small enough for tests of properties, with every random number in use.
nlohmann::json smallOptions(const std::string& key) {
  nlohmann::json options = {
      {"hidden_units", 7}, {"hidden_layers", 2}, {"epochs", 23}, {"batch_size", 17}};
  if (key == "mc-dropout" || key == "heteroscedastic") {
    options["drop_rate"] = 0.3;
  }
  if (key == "swag") {
    options["sgd_epochs"] = 12;
    options["sgd_learning_rate"] = 1e-4;
  }
  return options;
}

struct Outcome {
  RegressionPrediction prediction;
  LabDiagnostics diagnostics;
};

Outcome outcomeOf(const RegressionMethodInfo& info, std::uint64_t seed, std::int64_t chunk,
                  int threads) {
  const Sine sine(5);
  RunContext context;
  context.threads = threads;
  const Learner learner = started(info, sine.problem, seed, smallOptions(info.key)).value();
  while (learner->done() < learner->total()) {
    const std::int64_t before = learner->done();
    EXPECT_OK(learner->advance(chunk, context));
    EXPECT_EQ(learner->done(), std::min(before + chunk, learner->total()));
  }
  const std::vector<double> x = {-3.0, -1.0, 0.2, 0.9, 2.5};
  return {learner->predict(x, 11, context).value(), learner->diagnostics()};
}

void expectSame(const Outcome& a, const Outcome& b) {
  EXPECT_EQ(a.prediction.mean, b.prediction.mean);
  EXPECT_EQ(a.prediction.epistemic_variance, b.prediction.epistemic_variance);
  EXPECT_EQ(a.prediction.noise_variance, b.prediction.noise_variance);
  EXPECT_TRUE(std::ranges::equal(a.prediction.draws.values(), b.prediction.draws.values()));
  ASSERT_EQ(a.diagnostics.traces.size(), b.diagnostics.traces.size());
  for (std::size_t i = 0; i < a.diagnostics.traces.size(); ++i) {
    EXPECT_EQ(a.diagnostics.traces[i].y, b.diagnostics.traces[i].y);
  }
}

TEST(NetworkMethods, DependOnTheSeedButNotOnCallsAndThreads) {
  for (const RegressionMethodInfo& info : networkMethods()) {
    SCOPED_TRACE(info.key);
    const Outcome reference = outcomeOf(info, 1, 1000, 1);
    expectSame(reference, outcomeOf(info, 1, 1, 1));
    expectSame(reference, outcomeOf(info, 1, 7, 3));
    EXPECT_NE(reference.prediction.mean, outcomeOf(info, 2, 1000, 1).prediction.mean);
  }
}

TEST(NetworkMethods, FollowTheSineAndDoubtBeyondTheData) {
  for (const RegressionMethodInfo& info : networkMethods()) {
    SCOPED_TRACE(info.key);
    const Sine sine(1);
    RunContext context;
    const Learner learner = started(info, sine.problem, 1, nlohmann::json::object()).value();
    ASSERT_OK(learner->advance(learner->total(), context));
    double squares = 0.0;
    std::vector<double> x;
    for (const double input : sine.data.test.x) {
      x.push_back(sine.scale.scaledX(input));
    }
    const auto of_test = learner->predict(x, 100, context);
    ASSERT_OK(of_test);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double error = sine.data.test.y[i] - sine.scale.unscaledY(of_test->mean[i]);
      squares += error * error;
    }
    // The noise alone has 10.
    EXPECT_LT(std::sqrt(squares / static_cast<double>(x.size())), 11.5);
    x = {sine.scale.scaledX(-6.0), sine.scale.scaledX(-0.5), sine.scale.scaledX(0.5),
         sine.scale.scaledX(6.0)};
    const auto prediction = learner->predict(x, 100, context);
    ASSERT_OK(prediction);
    const std::vector<double>& variance = prediction->epistemic_variance;
    if (std::string(info.key) == "mle") {
      EXPECT_EQ(variance, std::vector<double>(4, 0.0));
      EXPECT_TRUE(prediction->draws.empty());
      EXPECT_THAT(learner->diagnostics().warnings.at(0), HasSubstr("is 0 everywhere"));
    } else {
      EXPECT_GT(std::min(variance[0], variance[3]), 4.0 * std::max(variance[1], variance[2]));
      EXPECT_FALSE(prediction->draws.empty());
      EXPECT_TRUE(learner->diagnostics().warnings.empty());
    }
    for (const Curve& trace : learner->diagnostics().traces) {
      EXPECT_LE(trace.y.size(), 1000U);
      EXPECT_FALSE(trace.name.empty());
    }
  }
}

TEST(NetworkMethods, ADrawIsOneFunctionOfAllInputs) {
  const Sine sine(2);
  RunContext context;
  const std::vector<double> x = {-1.0, 0.0, 0.5, 1.5};
  for (const RegressionMethodInfo& info : networkMethods()) {
    SCOPED_TRACE(info.key);
    const Learner learner = started(info, sine.problem, 3, smallOptions(info.key)).value();
    ASSERT_OK(learner->advance(1000, context));
    const RegressionPrediction all = learner->predict(x, 6, context).value();
    if (all.draws.empty()) {
      continue;
    }
    ASSERT_EQ(all.draws.shape(), (std::vector<std::int64_t>{6, 4}));
    const RegressionPrediction some = learner->predict({&x[2], 1}, 4, context).value();
    ASSERT_EQ(some.draws.shape(), (std::vector<std::int64_t>{4, 1}));
    for (std::int64_t t = 0; t < 4; ++t) {
      EXPECT_TRUE(closeTo(some.draws.row(t)[0], all.draws.row(t)[2], 1e-12));
      EXPECT_NE(all.draws.row(t)[2], all.draws.row(t + 1)[2]);
    }
  }
}

TEST(NetworkMethods, ADivergedTrainingIsAnError) {
  const Sine sine(1);
  RunContext context;
  const auto learner = started(
      swagMethod(), sine.problem, 1,
      {{"epochs", 1}, {"activation", "relu"}, {"sgd_epochs", 100}, {"sgd_learning_rate", 10.0}});
  ASSERT_OK(learner);
  const Status status = (*learner)->advance(1000, context);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("learning rate 10; lower the learning rate"));
}

TEST(NetworkMethods, CanBeCancelled) {
  const Sine sine(1);
  for (const RegressionMethodInfo& info : networkMethods()) {
    RunContext context;
    const Learner learner = started(info, sine.problem, 1, nlohmann::json::object()).value();
    context.control()->requestCancel();
    const Status status = learner->advance(10, context);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
  }
}

TEST(NetworkMethods, DescribeThemselvesAndCheckTheirOptions) {
  const Sine sine(1);
  for (const RegressionMethodInfo& info : networkMethods()) {
    SCOPED_TRACE(info.key);
    EXPECT_NE(info.name, nullptr);
    EXPECT_NE(info.explanation, nullptr);
    EXPECT_NE(info.formula, nullptr);
    EXPECT_NE(info.theory, nullptr);
    const auto failed = started(info, sine.problem, 1, {{"hidden_layers", 4}});
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.error().message, HasSubstr("Hidden layers is 4"));
    EXPECT_EQ(failed.error().remedy.settings, std::vector{setting("hidden_layers")});
  }
}

TEST(NetworkMethods, LaplaceRefusesTooManyPointsAtTheStart) {
  RegressionProblem problem{std::vector<double>(3000), std::vector<double>(3000), 1.0};
  const auto failed =
      started(networkLaplaceMethod(), problem, 1, {{"hidden_layers", 2}, {"hidden_units", 60}});
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("use the last layer only"));
  EXPECT_OK(started(networkLaplaceMethod(), problem, 1,
                    {{"hidden_layers", 2}, {"hidden_units", 60}, {"layers", "last"}}));
}

TEST(NetworkMethods, LaplaceOfGivenTauIsTighterForLargerTau) {
  const Sine sine(1);
  RunContext context;
  const std::vector<double> x = {3.0};
  double previous = 1e300;
  for (const double tau : {0.1, 1.0, 10.0}) {
    const Learner learner =
        started(networkLaplaceMethod(), sine.problem, 1, {{"epochs", 50}, {"tau", tau}}).value();
    ASSERT_OK(learner->advance(50, context));
    const double variance = learner->predict(x, 1, context)->epistemic_variance[0];
    EXPECT_LT(variance, previous);
    EXPECT_EQ(learner->diagnostics().numbers.back().value, tau);
    previous = variance;
  }
}

TEST(NetworkMethods, ConcreteDropoutLowersItsRatesWithMoreData) {
  RunContext context;
  const Sine sine(1);
  const RegressionProblem& many = sine.problem;
  RegressionProblem few_points = sine.problem;
  const RegressionProblem& few = few_points;
  few_points.x.resize(10);
  few_points.y.resize(10);
  for (const char* const rates : {"layer", "unit"}) {
    double rate_of_few = 0.0;
    double rate_of_many = 0.0;
    for (const auto& [problem, rate] :
         {std::pair{&few, &rate_of_few}, std::pair{&many, &rate_of_many}}) {
      const Learner learner =
          started(concreteDropoutMethod(), *problem, 1, {{"epochs", 600}, {"rates", rates}})
              .value();
      ASSERT_OK(learner->advance(600, context));
      const LabDiagnostics diagnostics = learner->diagnostics();
      *rate = diagnostics.numbers.back().value;
      EXPECT_EQ(diagnostics.traces.back().name, "Mean drop rate of hidden layer 1");
      EXPECT_EQ(diagnostics.traces.back().y.back(), *rate);
    }
    EXPECT_LT(rate_of_many, 0.7 * rate_of_few);
  }
}

TEST(NetworkMethods, HeteroscedasticNoiseFollowsTheData) {
  RunContext context;
  const RegressionData data = openRegressionData("heteroscedastic", 400, 1, context).value();
  const RegressionProblem problem{data.train.x, data.train.y, 0.25};
  const Learner learner =
      started(heteroscedasticMethod(), problem, 1, {{"drop_rate", 0.0}}).value();
  ASSERT_OK(learner->advance(learner->total(), context));
  const std::vector<double> x = {-3.0, 0.0, 3.0};
  const RegressionPrediction prediction = learner->predict(x, 1, context).value();
  EXPECT_TRUE(prediction.draws.empty());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double truth = 0.05 + 0.1 * (x[i] + 4.0) / 2.0;
    EXPECT_TRUE(closeTo(std::sqrt(prediction.noise_variance[i]), truth, 0.35)) << x[i];
  }
  // The level of the noise has no prior: at the optimum its derivative is
  // sum_n 1 - (y_n - f(x_n))^2 / variance(x_n) = 0.
  const RegressionPrediction fitted = learner->predict(problem.x, 1, context).value();
  double sum = 0.0;
  for (std::size_t i = 0; i < problem.x.size(); ++i) {
    const double residual = problem.y[i] - fitted.mean[i];
    sum += residual * residual / fitted.noise_variance[i];
  }
  EXPECT_NEAR(sum / static_cast<double>(problem.x.size()), 1.0, 0.01);
}

}  // namespace
}  // namespace dubito
