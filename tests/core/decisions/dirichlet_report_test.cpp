// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/dirichlet_report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "core/measures/beta_distribution.h"
#include "core/measures/dirichlet.h"
#include "core/measures/moment_match.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::closeTo;
using Row = std::vector<double>;

/// Draws from Dir(alpha) of one item: [T, 1, K].
Array<float> drawsOf(const Row& alpha, std::int64_t draws, std::mt19937_64& random) {
  const auto classes = static_cast<std::int64_t>(alpha.size());
  Array<float> samples = Array<float>::zeros({draws, 1, classes});
  for (std::int64_t t = 0; t < draws; ++t) {
    Row gammas;
    for (const double a : alpha) {
      gammas.push_back(std::gamma_distribution<double>(a)(random));
    }
    const double sum = std::accumulate(gammas.begin(), gammas.end(), 0.0);
    for (std::size_t k = 0; k < gammas.size(); ++k) {
      samples.mutableData()[t * classes + static_cast<std::int64_t>(k)] =
          static_cast<float>(gammas[k] / sum);
    }
  }
  return samples;
}

dubito::Run runOf(std::int64_t classes, std::vector<double> alpha,
                  std::vector<std::int64_t> labels) {
  dubito::Run run;
  const auto items = static_cast<std::int64_t>(labels.size());
  run.probs = Array<float>::zeros({items, classes});
  run.labels = Array<std::int64_t>::fromVector(std::move(labels));
  run.ids = run.labels;
  if (!alpha.empty()) {
    run.alpha = Array<double>::fromVector({items, classes}, std::move(alpha));
  }
  run.meta.method = "laplace";
  return run;
}

Expected<DirichletReport> report(const dubito::Run& run, const DirichletOptions& options = {},
                                 int threads = 1) {
  RunContext context;
  context.threads = threads;
  return reportDirichlets(run, "run", options, context);
}

TEST(MomentMatch, FindsTheDirichletThatDrawsComeFrom) {
  std::mt19937_64 random(3);
  for (const Row& alpha : {Row{2.0, 5.0, 1.0}, Row{0.3, 0.2, 0.1, 0.4}, Row{40.0, 60.0}}) {
    const double sum = std::accumulate(alpha.begin(), alpha.end(), 0.0);
    // Exact moments give alpha back,
    const DirichletSummary summary = summariseDirichlet(alpha);
    const Row matched = momentMatchedAlpha(summary.mean, summary.variance);
    for (std::size_t k = 0; k < alpha.size(); ++k) {
      EXPECT_TRUE(closeTo(matched[k], alpha[k], 1e-12));
    }
    // those of draws what lies near it.
    dubito::Run run = runOf(static_cast<std::int64_t>(alpha.size()), {}, {0});
    run.samples = drawsOf(alpha, 20'000, random);
    const auto dirichlets = RunDirichlets::of(run, "run", "auto");
    ASSERT_TRUE(dirichlets);
    EXPECT_EQ(dirichlets->source(), "moments");
    const Row found = dirichlets->alpha(0);
    EXPECT_NEAR(std::accumulate(found.begin(), found.end(), 0.0) / sum, 1.0, 0.05);
    for (std::size_t k = 0; k < alpha.size(); ++k) {
      EXPECT_NEAR(found[k] / alpha[k], 1.0, 0.08);
    }
  }
}

TEST(MomentMatch, DrawsWithoutSpreadAndCornersStayFinite) {
  const Row still = momentMatchedAlpha(Row{0.25, 0.75, 0.0}, Row{0.0, 0.0, 0.0});
  EXPECT_EQ(still, (Row{0.25e12, 0.75e12, 1e-300}));
  // Draws that are all corners have the largest variance there is.
  const Row corners = momentMatchedAlpha(Row{0.5, 0.5}, Row{0.25, 0.25});
  EXPECT_TRUE(closeTo(corners[0], 0.5e-6, 1e-9));
  EXPECT_THROW((void)momentMatchedAlpha(Row{1.0}, Row{0.0}), std::invalid_argument);
  EXPECT_THROW((void)momentMatchedAlpha(Row{0.5, 0.5}, Row{0.0}), std::invalid_argument);
}

TEST(MomentMatch, EqualDrawsInACornerAreSure) {
  for (const std::int64_t draws : {2, 20, 50, 1000}) {
    dubito::Run run = runOf(3, {}, {0});
    run.samples = Array<float>::zeros({draws, 1, 3});
    for (std::int64_t t = 0; t < draws; ++t) {
      run.samples->mutableData()[3 * t] = 1.0F;
      run.samples->mutableData()[3 * t + 1] = t == 0 ? 1e-17F : 0.0F;
    }
    const Row alpha = RunDirichlets::of(run, "run", "moments")->alpha(0);
    EXPECT_GT(alpha[0], 1e11) << draws;
  }
}

TEST(DirichletReport, DescribesAnItem) {
  const Row alpha = {1.0, 30.0, 25.0, 0.5};
  const ItemDirichlet item = describeItem(alpha, {0.1, 10});
  EXPECT_EQ(item.prediction, 1);
  EXPECT_DOUBLE_EQ(item.precision, 56.5);
  EXPECT_DOUBLE_EQ(item.probability, 30.0 / 56.5);
  EXPECT_TRUE(closeTo(item.lower, betaQuantile(30.0, 26.5, 0.05).x(), 1e-12));
  EXPECT_TRUE(closeTo(item.upper, betaQuantile(30.0, 26.5, 0.95).x(), 1e-12));
  EXPECT_EQ(item.set, (std::vector<std::int64_t>{1, 2}));
  double variance = 0.0;
  for (const double a : alpha) {
    variance += a / 56.5 * (1.0 - a / 56.5) / 57.5 / 4.0;
  }
  EXPECT_TRUE(closeTo(item.mean_variance, variance, 1e-12));
}

/// Four items whose sets can be told by eye: sizes 1, 2, 1 and 3.
TEST(DirichletReport, CountsSetsRanksAndVariances) {
  const dubito::Run run = runOf(3,
                                {1000, 1, 1,    // surely 0
                                 50, 50, 0.01,  // 0 or 1
                                 1, 2000, 1,    // surely 1
                                 20, 20, 20},   // any
                                {0, 1, 2, -1});
  const auto found = report(run);
  ASSERT_OK(found);
  EXPECT_EQ(found->source, "alpha of laplace");
  EXPECT_EQ(found->items, 4);
  EXPECT_EQ(found->labelled, 3);
  EXPECT_EQ(found->set_sizes, (std::vector<std::int64_t>{0, 2, 1, 1}));
  EXPECT_DOUBLE_EQ(found->meanSetSize(), 7.0 / 4.0);
  EXPECT_EQ(found->covered, 2);
  EXPECT_DOUBLE_EQ(found->accuracyOfSets(), 2.0 / 3.0);
  // Of ties the lowest class comes first: label 1 of item 1 has one before it; label 2 of item 2
  // two.
  EXPECT_EQ(found->label_ranks, (std::vector<std::int64_t>{1, 1, 1}));
  EXPECT_DOUBLE_EQ(found->topAccuracy(1.0), 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(found->topAccuracy(1.75), (1.0 + 0.75) / 3.0);
  EXPECT_DOUBLE_EQ(found->topAccuracy(3.0), 1.0);
  EXPECT_EQ(found->by_prediction[0].items, 3);
  EXPECT_EQ(found->by_prediction[1].items, 1);
  EXPECT_EQ(found->by_prediction[2].items, 0);
  EXPECT_TRUE(std::isnan(found->by_prediction[2].mean_variance));
  double expected = 0.0;
  for (const std::int64_t i : {0, 1, 3}) {
    const std::span<const double> row = run.alpha->row(i);
    expected += describeItem(row, {}).mean_variance / 3.0;
  }
  EXPECT_TRUE(closeTo(found->by_prediction[0].mean_variance, expected, 1e-12));
  EXPECT_FALSE(found->fulfilled);
}

TEST(DirichletReport, TellsWhereProposition1HoldsFromTheGaussians) {
  dubito::Run run = runOf(3, {1, 1, 1, 1, 1, 1}, {0, 0});
  run.logit_mean = Array<float>::fromVector({2, 3}, {4, 0, -4, 0, 0, 0});
  run.logit_var = Array<float>::fromVector({2, 3}, {0.1F, 0.2F, 0.3F, 5, 5, 5});
  const auto found = report(run);
  ASSERT_TRUE(found && found->fulfilled);
  // By hand: alpha = (1/v)(1 - 2/3 + e^mu sum e^-mu / 9), against the threshold of the others.
  double classes = 0.0;
  double predicted = 0.0;
  for (std::int64_t i = 0; i < 2; ++i) {
    Row alpha;
    double inverse = 0.0;
    for (const float mu : run.logit_mean->row(i)) {
      inverse += std::exp(-double{mu});
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const double mu = run.logit_mean->row(i)[k];
      alpha.push_back((1.0 / 3.0 + std::exp(mu) * inverse / 9.0) / run.logit_var->row(i)[k]);
    }
    const double sum = alpha[0] + alpha[1] + alpha[2];
    for (std::size_t k = 0; k < 3; ++k) {
      classes += alpha[k] > proposition1Threshold(sum - alpha[k]) ? 1.0 / 6.0 : 0.0;
    }
    predicted += alpha[0] > proposition1Threshold(sum - alpha[0]) ? 0.5 : 0.0;
  }
  EXPECT_DOUBLE_EQ(found->fulfilled->of_classes, classes);
  EXPECT_DOUBLE_EQ(found->fulfilled->of_predicted_classes, predicted);
  EXPECT_GT(classes, 0.0);
  EXPECT_LT(classes, 1.0);
}

TEST(DirichletReport, DoesNotDependOnThreads) {
  std::mt19937_64 random(9);
  std::vector<double> alpha;
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < 5000; ++i) {
    for (int k = 0; k < 4; ++k) {
      alpha.push_back(std::exp(std::normal_distribution<double>(1.0, 2.0)(random)));
    }
    labels.push_back(i % 4);
  }
  const dubito::Run run = runOf(4, alpha, labels);
  const auto one = report(run);
  const auto three = report(run, {}, 3);
  ASSERT_TRUE(one && three);
  EXPECT_EQ(one->set_sizes, three->set_sizes);
  EXPECT_EQ(one->label_ranks, three->label_ranks);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(one->by_prediction[k].mean_variance, three->by_prediction[k].mean_variance);
  }
}

TEST(DirichletReport, RefusesRunsWithoutDirichletsAndSaysWhatToDo) {
  const auto refused = [](const dubito::Run& run, const std::string& source,
                          const std::string& message, const std::vector<Setting>& settings = {}) {
    DirichletOptions options;
    options.source = source;
    const auto result = report(run, options);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(result.error().message, HasSubstr(message));
    EXPECT_EQ(result.error().remedy.settings, settings) << message;
  };
  const Setting method = setting("method", "laplace");
  const Setting link = setting("link", "bridge-...");
  const std::vector<Setting> for_draws{setting("keep_samples_mb"), method, link};
  const dubito::Run plain = runOf(3, {}, {0});
  refused(plain, "auto", "fewer than two stored draws", for_draws);
  refused(plain, "run", "stores no Dirichlets", {method, link, setting("source", "moments")});
  refused(runOf(3, {1, 1, 1}, {0}), "moments", "fewer than two stored draws", for_draws);
  refused(runOf(1, {}, {0}), "auto", "two or more classes");
  refused(plain, "guess", "guess", {setting("source")});
  DirichletOptions options;
  options.threshold = 1.5;
  EXPECT_FALSE(report(runOf(3, {1, 1, 1}, {0}), options));
}

}  // namespace
}  // namespace dubito
