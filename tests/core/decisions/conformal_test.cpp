// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/conformal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "core/measures/measures.h"
#include "tests/core/metrics/vector_sections.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::closeTo;

constexpr const char* kScores[] = {"lac", "aps", "raps"};

dubito::Run runOf(const Array<double>& logits, std::vector<std::int64_t> labels) {
  dubito::Run run;
  Array<double> probs = Array<double>::zeros(logits.shape());
  for (std::int64_t i = 0; i < logits.extent(0); ++i) {
    std::ranges::copy(softmax(logits.row(i)), probs.mutableRow(i).begin());
  }
  run.probs = probs;
  run.labels = Array<std::int64_t>::fromVector(std::move(labels));
  run.ids = run.labels;
  return run;
}

dubito::Run runOf(const json& section, const std::string& part) {
  return runOf(test::tableOf<double>(section.at(part + "_logits")),
               section.at(part + "_labels").get<std::vector<std::int64_t>>());
}

/// Random logits; labels by the softmax of them times `honesty`, so that 1 is a calibrated model.
dubito::Run randomRun(std::int64_t items, std::int64_t classes, double honesty,
                      std::mt19937_64& random) {
  std::normal_distribution<double> normal(0.0, 2.0);
  Array<double> logits = Array<double>::zeros({items, classes});
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < items; ++i) {
    std::vector<double> truth;
    for (double& z : logits.mutableRow(i)) {
      z = normal(random);
      truth.push_back(z * honesty);
    }
    const auto probs = softmax(std::span<const double>(truth));
    labels.push_back(std::discrete_distribution<std::int64_t>(probs.begin(), probs.end())(random));
  }
  return runOf(logits, std::move(labels));
}

ConformalThreshold calibrate(const dubito::Run& run, const ConformalOptions& options) {
  const auto threshold = calibrateConformal(run, "run", options, RunContext());
  EXPECT_OK(threshold);
  return threshold.value_or(ConformalThreshold());
}

ConformalSets setsOf(const dubito::Run& run, double threshold, const ConformalOptions& options,
                     int threads = 1) {
  RunContext context;
  context.threads = threads;
  const auto sets = conformalSets(run, "run", threshold, options, context);
  EXPECT_OK(sets);
  return sets.value_or(ConformalSets());
}

TEST(Conformal, AgreesWithTheReferenceInEveryField) {
  const json vectors = test::readVectors("conformal");
  int compared = 0;
  for (const auto& [name, section] : vectors.at("cases").items()) {
    const dubito::Run calibration = runOf(section, "calibration");
    const dubito::Run evaluated = runOf(section, "test");
    for (const char* score : kScores) {
      for (const auto& [key, expected] : section.at(score).items()) {
        SCOPED_TRACE(name + " " + score + " " + key);
        ConformalOptions options{.score = score};
        if (key == "calibration_scores") {
          const auto scores = calibrationScoresOf(calibration, options, RunContext());
          ASSERT_EQ(scores.size(), expected.size());
          for (std::size_t i = 0; i < scores.size(); ++i) {
            EXPECT_TRUE(closeTo(scores[i], expected.at(i).get<double>(), 1e-9)) << i;
          }
          continue;
        }
        ++compared;
        options.alpha = std::stod(key);
        const ConformalThreshold threshold = calibrate(calibration, options);
        EXPECT_EQ(threshold.order, expected.at("order").get<std::int64_t>());
        const json& wanted = expected.at("threshold");
        EXPECT_TRUE(closeTo(
            threshold.threshold,
            wanted.is_null() ? std::numeric_limits<double>::infinity() : wanted.get<double>(),
            1e-9));
        ConformalScorer scorer(options);
        double margin = std::numeric_limits<double>::infinity();
        for (std::int64_t i = 0; i < evaluated.itemCount(); ++i) {
          const auto scores = scorer(std::get<Array<double>>(*evaluated.probs).row(i));
          EXPECT_EQ(json(conformalSet(scores, threshold.threshold)),
                    expected.at("sets").at(static_cast<std::size_t>(i)))
              << i;
          for (const double value : scores) {
            const double distance = std::abs(value - threshold.threshold);
            margin = distance > 1e-13 ? std::min(margin, distance) : margin;
          }
        }
        if (!expected.at("smallest_margin").is_null()) {
          EXPECT_TRUE(closeTo(margin, expected.at("smallest_margin").get<double>(), 1e-6));
        }
        const ConformalSets sets = setsOf(evaluated, threshold.threshold, options);
        EXPECT_TRUE(closeTo(sets.meanSize(), expected.at("mean_size").get<double>(), 1e-12));
        EXPECT_TRUE(closeTo(sets.coverage(), expected.at("coverage").get<double>(), 1e-12));
        EXPECT_EQ(sets.sizes.front(), expected.at("empty").get<std::int64_t>());
      }
    }
  }
  EXPECT_EQ(compared, 27);
}

TEST(Conformal, LacAgreesWithTheFirstItemsOfTheEvaluationVectors) {
  const json vectors = test::readVectors("decisions");
  const json evaluation = test::readVectors("evaluation");
  const auto items = vectors.at("temperature").at("first").get<std::int64_t>();
  auto labels = evaluation.at("labels").get<std::vector<std::int64_t>>();
  labels.resize(static_cast<std::size_t>(items));
  const dubito::Run run =
      runOf(test::tableOf<double>(evaluation.at("logits")).slice(0, items), labels);
  EXPECT_TRUE(closeTo(calibrate(run, {.alpha = vectors.at("lac").at("alpha")}).threshold,
                      vectors.at("lac").at("quantile").get<double>(), 1e-9));
}

TEST(Conformal, TakesAlphaAsTheDecimalThatWasMeant) {
  EXPECT_EQ(conformalOrder(19, 0.7), 6);
  for (std::int64_t percent = 1; percent < 100; ++percent) {
    for (std::int64_t n = 1; n < 3000; n += 7) {
      // ceil((n + 1)(100 - percent)/100) in whole numbers.
      const std::int64_t exact = ((n + 1) * (100 - percent) + 99) / 100;
      ASSERT_EQ(conformalOrder(n, static_cast<double>(percent) / 100.0), exact)
          << n << ' ' << percent;
    }
  }
}

/// Split-conformal prediction guarantees a coverage of 1 - alpha over calibration sets and items,
/// for good models and for bad ones; with n calibration items and no ties it is at most 1/(n+1)
/// more.
TEST(Conformal, CoversAsGuaranteedWhateverTheModel) {
  constexpr int kRepetitions = 120;
  constexpr std::int64_t kItems = 200;
  std::mt19937_64 random(77);
  for (const double honesty : {1.0, 0.3, -0.5}) {
    for (const char* score : kScores) {
      const ConformalOptions options{.alpha = 0.2, .score = score};
      std::int64_t covered = 0;
      // The least likely class has the same score in every item, so that its items are ties.
      const double score_of_last = std::string(score) == "lac"   ? 2.0
                                   : std::string(score) == "aps" ? 1.0
                                                                 : 1.0 + 4.0 * options.penalty;
      bool ties = false;
      for (int r = 0; r < kRepetitions; ++r) {
        const double threshold = calibrate(randomRun(99, 5, honesty, random), options).threshold;
        ties = ties || threshold >= score_of_last;
        covered += setsOf(randomRun(kItems, 5, honesty, random), threshold, options).covered;
      }
      const double share = static_cast<double>(covered) / (kRepetitions * kItems);
      // Items of one repetition share their threshold, whose coverage has deviation 0.04.
      const double noise = 4.0 * std::sqrt((0.04 * 0.04 + 0.2 * 0.8 / kItems) / kRepetitions);
      EXPECT_GE(share, 0.8 - noise) << score << ' ' << honesty;
      if (!ties) {
        EXPECT_LE(share, 0.81 + noise) << score << ' ' << honesty;
      }
      EXPECT_FALSE(ties && honesty == 1.0) << score;
    }
  }
}

TEST(Conformal, SetsGrowWithTheThresholdAndDoNotDependOnThreads) {
  std::mt19937_64 random(5);
  const dubito::Run run = randomRun(9000, 6, 1.0, random);
  for (const char* score : kScores) {
    const ConformalOptions options{.score = score};
    double before = -1.0;
    for (double alpha = 0.95; alpha > 0.01; alpha -= 0.1) {
      const double threshold = calibrate(run, {.alpha = alpha, .score = score}).threshold;
      const ConformalSets sets = setsOf(run, threshold, options);
      EXPECT_GE(sets.meanSize(), before);
      before = sets.meanSize();
      EXPECT_EQ(std::accumulate(sets.sizes.begin(), sets.sizes.end(), std::int64_t{0}), 9000);
      const ConformalSets threaded = setsOf(run, threshold, options, 4);
      EXPECT_EQ(sets.sizes, threaded.sizes);
      EXPECT_EQ(sets.covered, threaded.covered);
    }
  }
}

TEST(Conformal, RapsWithoutPenaltyIsAps) {
  std::mt19937_64 random(6);
  const dubito::Run run = randomRun(300, 4, 1.0, random);
  EXPECT_EQ(calibrationScoresOf(run, {.score = "raps", .penalty = 0.0}, RunContext()),
            calibrationScoresOf(run, {.score = "aps"}, RunContext()));
  EXPECT_EQ(calibrationScoresOf(run, {.score = "raps", .penalty = 0.5, .free_ranks = 4}, {}),
            calibrationScoresOf(run, {.score = "aps"}, RunContext()));
}

TEST(Conformal, FloatRowsThatDoNotSumToOneKeepTheirLastClass) {
  ConformalScorer scorer({.score = "aps"});
  const std::vector<float> row(7, 1.0F / 7.0F);
  const auto scores = scorer(std::span<const float>(row));
  EXPECT_EQ(scores.back(), 1.0);
  EXPECT_TRUE(std::ranges::is_sorted(scores)) << "equal probabilities rank by class";
}

TEST(Conformal, LeavesOutWhatHasNoLabelAndRefusesWhatCannotBe) {
  std::mt19937_64 random(8);
  dubito::Run run = randomRun(50, 3, 1.0, random);
  std::vector<std::int64_t> labels(run.labels.values().begin(), run.labels.values().end());
  for (std::size_t i = 0; i < 20; ++i) {
    labels[i] = -1;
  }
  run.labels = Array<std::int64_t>::fromVector(labels);
  EXPECT_EQ(calibrate(run, {}).n, 30);
  const ConformalSets sets = setsOf(run, 0.5, {});
  EXPECT_EQ(sets.items, 50);
  EXPECT_EQ(sets.labelled, 30);

  const auto refusal = [](const dubito::Run& bad, const ConformalOptions& options = {}) {
    const auto result = calibrateConformal(bad, "bad.npz", options, RunContext());
    return result ? Error() : result.error();
  };
  const Error alpha = refusal(run, {.alpha = 1.0});
  EXPECT_THAT(alpha.message, HasSubstr("Alpha is 1"));
  EXPECT_THAT(alpha.remedy.settings, testing::ElementsAre(setting("alpha")));
  const Error score = refusal(run, {.score = "top"});
  EXPECT_THAT(score.message, HasSubstr("Score is 'top'"));
  EXPECT_THAT(score.remedy.settings, testing::ElementsAre(setting("score")));
  run.labels = Array<std::int64_t>::fromVector(std::vector<std::int64_t>(50, -1));
  EXPECT_THAT(refusal(run).message, HasSubstr("bad.npz: none of its 50 items has a label"));
  EXPECT_TRUE(std::isnan(setsOf(run, 0.5, {}).coverage()));
  run.probs.reset();
  EXPECT_THAT(refusal(run).message, HasSubstr("bad.npz: has confidences but no probabilities"));
}

TEST(Conformal, SaturatedProbabilitiesKeepTheirOrder) {
  // Ten items whose probabilities round to 1 in float32; the true class is the likeliest.
  Array<float> probs = Array<float>::zeros({10, 2});
  for (std::int64_t i = 0; i < 10; ++i) {
    probs.mutableRow(i)[1] = std::pow(10.0F, static_cast<float>(-9 - i));
    probs.mutableRow(i)[0] = 1.0F - probs.row(i)[1];
    EXPECT_EQ(probs.row(i)[0], 1.0F);
  }
  dubito::Run run;
  run.probs = probs;
  run.labels = Array<std::int64_t>::zeros({10});
  run.ids = run.labels;
  // The fifth smallest of ten scores: five items have their class in the set, and nothing else.
  const ConformalOptions options{.alpha = 0.55, .score = "lac"};
  const ConformalThreshold threshold = calibrate(run, options);
  EXPECT_EQ(threshold.order, 5);
  EXPECT_NEAR(threshold.threshold / 1e-14, 1.0, 1e-6);
  const ConformalSets sets = setsOf(run, threshold.threshold, options);
  EXPECT_EQ(sets.covered, 5);
  EXPECT_EQ(sets.sizes, (std::vector<std::int64_t>{5, 5, 0}));
  // By rank: 1 - 1e-14 stays below 1, the score of the second class, which is in no set.
  for (const char* score : {"aps", "raps"}) {
    const ConformalOptions by_rank{.alpha = 0.55, .score = score};
    const ConformalThreshold of_rank = calibrate(run, by_rank);
    EXPECT_LT(of_rank.threshold, 1.0);
    EXPECT_EQ(setsOf(run, of_rank.threshold, by_rank).sizes[2], 0) << score;
  }
}

TEST(Conformal, CanBeCancelled) {
  std::mt19937_64 random(8);
  RunContext context;
  context.control()->requestCancel();
  const auto sets = conformalSets(randomRun(50, 3, 1.0, random), "run", 0.5, {}, context);
  ASSERT_FALSE(sets);
  EXPECT_EQ(sets.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace dubito
