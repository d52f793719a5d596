// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/class_methods.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "core/labs/classification/class_prediction.h"
#include "core/labs/data/class_sets.h"
#include "core/laplace/link.h"
#include "core/measures/entropy.h"
#include "core/measures/measures.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using nlohmann::json;

ClassProblem problemOf(const std::string& set, std::int64_t points) {
  RunContext context;
  const ClassData data = openClassData(set, {.points = points}, 2, context).value();
  ClassProblem problem{{}, data.train.classes, data.classes()};
  for (std::size_t i = 0; i < data.train.x1.size(); ++i) {
    problem.inputs.push_back(data.train.x1[i]);
    problem.inputs.push_back(data.train.x2[i]);
  }
  return problem;
}

bool has(const std::vector<Field>& fields, const std::string& name) {
  return std::ranges::any_of(fields, [&](const Field& field) { return field.info.name == name; });
}

/// Few units of a narrow network.
json smallOptions(const ClassMethodInfo& info) {
  const auto method = info.make();
  json options = json::object();
  const json small{
      {"hidden_units", 6}, {"epochs", 30}, {"steps", 30}, {"warm_up", 10}, {"members", 3}};
  for (const auto& [name, value] : small.items()) {
    if (has(method->fields(), name)) {
      options[name] = value;
    }
  }
  if (std::string(info.key) == "hmc") {
    options["draws"] = 20;
    options["kept"] = 10;
  }
  return options;
}

std::unique_ptr<ClassLearner> started(const ClassMethodInfo& info, const json& options,
                                      const ClassProblem& problem) {
  const auto method = info.make();
  const Status set = fieldsFromJson(options, method->fields());
  EXPECT_TRUE(set) << set.error().message;
  EXPECT_TRUE(method->check());
  return method->start(problem, 7).value();
}

std::unique_ptr<ClassLearner> trained(const char* key, const json& options,
                                      const ClassProblem& problem) {
  RunContext context;
  context.threads = 2;
  auto learner = started(*findClassMethod(key), options, problem);
  while (learner->done() < learner->total()) {
    EXPECT_TRUE(learner->advance(100, context));
  }
  return learner;
}

double meanConfidence(const ClassLearner& learner, double radius) {
  std::vector<double> inputs;
  for (int i = 0; i < 32; ++i) {
    inputs.push_back(radius * std::cos(0.1 + i * 0.196));
    inputs.push_back(radius * std::sin(0.1 + i * 0.196));
  }
  RunContext context;
  const ClassPrediction prediction = learner.predict(inputs, 100, context).value();
  double sum = 0.0;
  for (std::int64_t m = 0; m < 32; ++m) {
    sum += confidenceOf(prediction.probs.row(m)) / 32.0;
  }
  return sum;
}

TEST(ClassMethods, DoNotDependOnThreadsOrCalls) {
  const ClassProblem problem = problemOf("spiral", 30);
  const std::vector<double> inputs{-2.0, 0.1, 1.5, 4.0, 20.0, -7.0};
  for (const ClassMethodInfo& info : classMethods()) {
    const auto after = [&](int threads, std::int64_t per_call) {
      RunContext context;
      context.threads = threads;
      const auto learner = started(info, smallOptions(info), problem);
      while (learner->done() < learner->total()) {
        EXPECT_TRUE(learner->advance(per_call, context));
      }
      const ClassPrediction prediction = learner->predict(inputs, 9, context).value();
      const auto functions = learner->functions(inputs, 9, context).value();
      std::vector<double> all(prediction.probs.values().begin(), prediction.probs.values().end());
      all.insert(all.end(), functions.values().begin(), functions.values().end());
      return all;
    };
    EXPECT_EQ(after(1, 1000), after(3, 7)) << info.key;
  }
}

TEST(ClassMethods, PredictionsAreSumsOfTheirParts) {
  const ClassProblem problem = problemOf("blobs", 40);
  std::vector<double> inputs;
  for (int i = 0; i < 1500; ++i) {
    inputs.push_back(-8.0 + 0.011 * i);
    inputs.push_back(std::sin(i));
  }
  RunContext context;
  for (const ClassMethodInfo& info : classMethods()) {
    const auto learner = trained(info.key, smallOptions(info), problem);
    const ClassPrediction whole = learner->predict(inputs, 5, context).value();
    ASSERT_EQ(whole.probs.shape(), (std::vector<std::int64_t>{1500, 4})) << info.key;
    for (std::int64_t m = 0; m < 1500; ++m) {
      double sum = 0.0;
      for (const double p : whole.probs.row(m)) {
        sum += p;
      }
      EXPECT_NEAR(sum, 1.0, 1e-9) << info.key;
      EXPECT_NEAR(whole.entropy.data()[m], entropyOf(whole.probs.row(m)), 1e-6) << info.key;
      if (whole.aleatoric) {
        EXPECT_NEAR(whole.entropy.data()[m],
                    whole.aleatoric->data()[m] + whole.epistemic->data()[m], 1e-9)
            << info.key;
      }
    }
    // An input's result does not depend on the others, nor on the part it falls into.
    const std::vector<double> one{inputs[2 * 1300], inputs[2 * 1300 + 1]};
    const ClassPrediction alone = learner->predict(one, 5, context).value();
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_TRUE(test::closeTo(alone.probs.row(0)[k], whole.probs.row(1300)[k], 1e-9, 1e-12))
          << info.key;
    }
  }
}

TEST(ClassMethods, MeanOfTheFunctionsIsThePrediction) {
  const ClassProblem problem = problemOf("blobs", 40);
  const std::vector<double> inputs{-2.0, 0.1, 1.5, 4.0};
  RunContext context;
  for (const char* const key : {"ensemble", "mc-dropout", "bbb", "hmc"}) {
    const auto learner = trained(key, smallOptions(*findClassMethod(key)), problem);
    const ClassPrediction prediction = learner->predict(inputs, 6, context).value();
    const Array<double> functions = learner->functions(inputs, 6, context).value();
    for (std::int64_t m = 0; m < 2; ++m) {
      std::vector<double> mean(4);
      for (std::int64_t t = 0; t < functions.extent(0); ++t) {
        const auto p = softmax(functions.row(t).subspan(static_cast<std::size_t>(4 * m), 4));
        for (std::size_t k = 0; k < 4; ++k) {
          mean[k] += p[k] / static_cast<double>(functions.extent(0));
        }
      }
      for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_TRUE(test::closeTo(prediction.probs.row(m)[k], mean[k], 1e-9, 1e-12)) << key;
      }
    }
  }
}

TEST(ClassMethods, LearnTheTrainingPoints) {
  // With the points and options of the window.
  for (const ClassMethodInfo& info : classMethods()) {
    for (const char* const set : {"moons", "blobs"}) {
      const ClassProblem problem = problemOf(set, 200);
      const auto learner = trained(info.key, json::object(), problem);
      RunContext context;
      const ClassPrediction prediction = learner->predict(problem.inputs, 50, context).value();
      double right = 0.0;
      for (std::int64_t n = 0; n < problem.size(); ++n) {
        right += argmax(prediction.probs.row(n)) == problem.classes[static_cast<std::size_t>(n)];
      }
      EXPECT_GE(right, 195.0) << info.key << " on " << set;
    }
  }
}

TEST(ClassMethods, ReluNetworkIsCertainFarAwayButLaplaceIsNot) {
  // Hobbhahn 2020, figure 5.4: logits of a ReLU network grow with the distance, and so does their
  // standard deviation under a Laplace approximation; the ratio, and with it the probability, has a
  // limit below 1.
  const ClassProblem problem = problemOf("blobs", 200);
  const auto map = trained("map", json::object(), problem);
  EXPECT_GT(meanConfidence(*map, 60.0), 0.99);
  EXPECT_GT(meanConfidence(*map, 6000.0), 0.9999);
  for (const char* const key : {"laplace-diag", "laplace-kron", "laplace-full", "laplace-all"}) {
    for (const char* const link : {"mc", "probit", "bridge-norm"}) {
      const auto learner = trained(key, {{"link", link}}, problem);
      const double far = meanConfidence(*learner, 60.0);
      const double farther = meanConfidence(*learner, 6000.0);
      EXPECT_LT(far, 0.95) << key << ' ' << link;
      EXPECT_NEAR(far, farther, 0.03) << key << ' ' << link;
    }
  }
  // The exponentials of the other bridges outgrow the variances: they are not limited.
  for (const char* const link : {"bridge-centred", "bridge-raw"}) {
    const auto learner = trained("laplace-full", {{"link", link}}, problem);
    EXPECT_GT(meanConfidence(*learner, 6000.0), 0.999) << link;
  }
  // A Gaussian process returns to its prior.
  const auto gp = trained("gp", json::object(), problem);
  EXPECT_NEAR(meanConfidence(*gp, 60.0), 0.25, 1e-9);
}

TEST(ClassMethods, ClassesOfEqualGaussiansAreEquallyLikelyForAnyNumberOfDraws) {
  const LogitGaussians equal{
      Array<float>::zeros({1, 5}),
      DiagonalCovariance{Array<float>::fromVector({1, 5}, std::vector<float>(5, 9.0F))}};
  // The second class of one Gaussian in the place of the fourth.
  const LogitGaussians first{
      Array<float>::fromVector({1, 5}, {0.1F, 2.0F, -0.3F, 0.4F, 0.0F}),
      DiagonalCovariance{Array<float>::fromVector({1, 5}, {9.0F, 1.0F, 4.0F, 2.0F, 3.0F})}};
  const LogitGaussians turned{
      Array<float>::fromVector({1, 5}, {0.4F, 0.0F, 0.1F, 2.0F, -0.3F}),
      DiagonalCovariance{Array<float>::fromVector({1, 5}, {2.0F, 3.0F, 9.0F, 1.0F, 4.0F})}};
  for (const std::int64_t draws : {1, 7, 50}) {
    const ClassPrediction of_equal = predictionOfGaussians(equal, "mc", draws, 3, RunContext());
    const ClassPrediction a = predictionOfGaussians(first, "mc", draws, 3, RunContext());
    const ClassPrediction b = predictionOfGaussians(turned, "mc", draws, 3, RunContext());
    EXPECT_NEAR(of_equal.entropy.data()[0], std::log(5.0), 1e-12);
    EXPECT_NEAR(a.epistemic->data()[0], b.epistemic->data()[0], 1e-12);
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_NEAR(of_equal.probs.row(0)[k], 0.2, 1e-12);
      EXPECT_NEAR(a.probs.row(0)[k], b.probs.row(0)[(k + 2) % 5], 1e-12);
    }
  }
  // With many draws, the averages of the link itself.
  const ClassPrediction many = predictionOfGaussians(first, "mc", 50000, 3, RunContext());
  const std::vector<std::int64_t> ids{0};
  const LinkedPredictions plain = applyLink("mc", first, ids, 50000, 3, RunContext());
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(many.probs.row(0)[k], plain.probs.row(0)[k], 0.01);
  }
  EXPECT_NEAR(many.epistemic->data()[0], plain.mutual_information->data()[0], 0.02);
}

TEST(ClassMethods, GiveADirichletOnlyThroughABridge) {
  const ClassProblem problem = problemOf("blobs", 40);
  RunContext context;
  const std::vector<double> inputs{0.5, 0.5};
  for (const LinkInfo& link : allLinks()) {
    for (const char* const key :
         {"laplace-diag", "laplace-kron", "laplace-full", "laplace-all", "gp"}) {
      json options = smallOptions(*findClassMethod(key));
      options["link"] = link.name;
      const auto learner = trained(key, options, problem);
      const ClassPrediction prediction = learner->predict(inputs, 20, context).value();
      EXPECT_EQ(prediction.alpha.has_value(), link.gives_alpha) << key << ' ' << link.name;
      EXPECT_EQ(prediction.epistemic.has_value(), link.splits_entropy) << key << ' ' << link.name;
    }
  }
  for (const char* const key : {"map", "ensemble", "mc-dropout", "bbb", "hmc"}) {
    const auto learner = trained(key, smallOptions(*findClassMethod(key)), problem);
    const ClassPrediction prediction = learner->predict(inputs, 20, context).value();
    EXPECT_FALSE(prediction.alpha) << key;
    EXPECT_EQ(prediction.epistemic.has_value(), std::string(key) != "map") << key;
  }
}

TEST(ClassMethods, RefuseWhatIsTooLarge) {
  RunContext context;
  const ClassProblem many = problemOf("blobs", 2500);
  for (const char* const key : {"hmc", "bbb", "gp"}) {
    const auto refused = findClassMethod(key)->make()->start(many, 1);
    ASSERT_FALSE(refused) << key;
    EXPECT_NE(refused.error().message.find("; use"), std::string::npos);
  }
  const auto all = findClassMethod("laplace-all")->make();
  ASSERT_TRUE(fieldsFromJson({{"hidden_units", 200}}, all->fields()));
  EXPECT_FALSE(all->start(problemOf("blobs", 20), 1));
}

TEST(ClassMethods, CancelAtOnce) {
  const ClassProblem problem = problemOf("blobs", 200);
  for (const ClassMethodInfo& info : classMethods()) {
    RunContext context;
    const auto learner = info.make()->start(problem, 1).value();
    context.control()->requestCancel();
    const Status advanced = learner->advance(1'000'000, context);
    ASSERT_FALSE(advanced) << info.key;
    EXPECT_EQ(advanced.error().code, ErrorCode::kCancelled) << info.key;
  }
}

TEST(ClassMethods, ReportADivergingTraining) {
  const ClassProblem problem = problemOf("blobs", 40);
  RunContext context;
  const auto learner = started(*findClassMethod("map"), {{"learning_rate", 10.0}}, problem);
  const auto bbb = started(*findClassMethod("bbb"), {{"learning_rate", 10.0}}, problem);
  for (ClassLearner* const one : {learner.get(), bbb.get()}) {
    // Either it survives or says why it does not; it never predicts NaN.
    if (one->advance(one->total(), context)) {
      const auto prediction = one->predict(problem.inputs, 3, context).value();
      EXPECT_TRUE(std::ranges::all_of(prediction.probs.values(),
                                      [](double p) { return std::isfinite(p); }));
    }
  }
}

}  // namespace
}  // namespace dubito
