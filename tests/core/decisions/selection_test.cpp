// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/selection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "core/decisions/clopper_pearson.h"
#include "core/decisions/run_uncertainty.h"
#include "core/io/run_summary.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::closeTo;

Selection choose(const std::vector<double>& uncertainty, const std::vector<std::uint8_t>& error,
                 const SelectionOptions& options) {
  RunContext context;
  const auto selection = selectThreshold(uncertainty, error, 1.0, options, context);
  EXPECT_OK(selection);
  return selection.value_or(Selection());
}

TEST(RunUncertainty, KnowsConfidencesThatRoundToOne) {
  dubito::Run run;
  run.probs = Array<float>::fromVector(
      {5, 2}, {1.0F, 1e-9F, 1.0F, 1e-30F, 0.75F, 0.25F, 0.5F, 0.5F, 1.0F, 0.0F});
  run.labels = Array<std::int64_t>::zeros({5});
  run.ids = Array<std::int64_t>::fromVector({0, 1, 2, 3, 4});
  fillFromProbs(run, RunContext());
  const auto uncertainty = uncertaintyOf(run, "run", Measure::kConfidence, RunContext());
  ASSERT_OK(uncertainty);
  const std::span<const double> values = uncertainty->values.values();
  EXPECT_NEAR(values[0] / 1e-9, 1.0, 1e-6);
  EXPECT_NEAR(values[1] / 1e-30, 1.0, 1e-6);
  EXPECT_EQ(values[2], 0.25);
  EXPECT_EQ(values[3], 0.5);
  EXPECT_EQ(values[4], 0.0);
}

TEST(RunUncertainty, TurnsCertaintyRoundAndSaysWhatIsMissing) {
  dubito::Run run;
  run.probs = Array<float>::fromVector({2, 2}, {0.75F, 0.25F, 0.5F, 0.5F});
  run.labels = Array<std::int64_t>::zeros({2});
  run.ids = Array<std::int64_t>::fromVector({0, 1});
  fillFromProbs(run, RunContext());
  const auto margin = uncertaintyOf(run, "run", Measure::kMargin, RunContext());
  ASSERT_OK(margin);
  EXPECT_EQ(margin->top, 1.0);
  EXPECT_EQ(margin->values.data()[0], 0.5);
  EXPECT_EQ(margin->values.data()[1], 1.0);
  const auto entropy = uncertaintyOf(run, "run", Measure::kEntropy, RunContext());
  ASSERT_TRUE(entropy);
  EXPECT_DOUBLE_EQ(entropy->top, std::log(2.0));
  const auto missing = uncertaintyOf(run, "run", Measure::kVariance, RunContext());
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("several draws"));
  EXPECT_THAT(missing.error().message, HasSubstr("confidence, margin, entropy"));
}

TEST(ClopperPearson, AgreesWithBothReferences) {
  const json first = test::readVectors("decisions");
  const json second = test::readVectors("decisions2");
  ASSERT_EQ(first.at("clopper_pearson").size(), 5U);
  ASSERT_GT(second.at("clopper_pearson").size(), 100U);
  for (const json& row : first.at("clopper_pearson")) {
    EXPECT_TRUE(
        closeTo(clopperPearsonUpper(row.at("k"), row.at("n"), 1.0 - row.at("delta").get<double>()),
                row.at("upper_error").get<double>(), 1e-9))
        << row;
  }
  for (const json& row : second.at("clopper_pearson")) {
    EXPECT_TRUE(closeTo(clopperPearsonUpper(row.at(0), row.at(1), row.at(2)),
                        row.at(3).get<double>(), 1e-9))
        << row;
  }
}

TEST(ClopperPearson, BothEndsAreUpperBoundsOfOneSide) {
  const Interval interval = clopperPearson(7, 20, 0.95);
  EXPECT_EQ(interval.high, clopperPearsonUpper(7, 20, 0.975));
  EXPECT_EQ(interval.low, 1.0 - clopperPearsonUpper(13, 20, 0.975));
  // R's binom.test(7, 20)
  EXPECT_NEAR(interval.low, 0.1539092, 1e-7);
  EXPECT_NEAR(interval.high, 0.5921885, 1e-7);
  EXPECT_EQ(clopperPearson(0, 5, 0.95).low, 0.0);
  EXPECT_EQ(clopperPearson(5, 5, 0.95).high, 1.0);
  EXPECT_EQ(clopperPearson(0, 0, 0.95).high, 1.0);
}

/// P(Bin(n, p) <= k) by adding up its terms.
double binomialCdf(std::int64_t k, std::int64_t n, double p) {
  double sum = 0.0;
  for (std::int64_t i = 0; i <= k; ++i) {
    const auto a = static_cast<double>(i);
    const auto b = static_cast<double>(n - i);
    sum += std::exp(std::lgamma(a + b + 1.0) - std::lgamma(a + 1.0) - std::lgamma(b + 1.0) +
                    a * std::log(p) + b * std::log1p(-p));
  }
  return sum;
}

TEST(ClopperPearson, IsTheRateAtWhichSoFewErrorsWouldBeAsRareAsClaimed) {
  for (const std::int64_t n : {1, 7, 60, 500}) {
    double before = 0.0;
    for (std::int64_t k = 0; k < n; k += 1 + n / 9) {
      for (const double confidence : {0.5, 0.9, 0.999}) {
        const double upper = clopperPearsonUpper(k, n, confidence);
        EXPECT_TRUE(closeTo(binomialCdf(k, n, upper), 1.0 - confidence, 1e-8)) << n << ' ' << k;
      }
      EXPECT_GT(clopperPearsonUpper(k, n, 0.9), before);
      before = clopperPearsonUpper(k, n, 0.9);
    }
  }
  EXPECT_EQ(clopperPearsonUpper(0, 0, 0.9), 1.0);
  EXPECT_THROW((void)clopperPearsonUpper(3, 2, 0.9), std::invalid_argument);
  EXPECT_THROW((void)clopperPearsonUpper(1, 2, 1.0), std::invalid_argument);
}

TEST(Selection, AgreesWithTheReferenceInEveryField) {
  const json section = test::readVectors("decisions2").at("selection");
  const auto uncertainty = section.at("uncertainty").get<std::vector<double>>();
  const auto error = section.at("error").get<std::vector<std::uint8_t>>();
  const std::map<std::string, std::string> rules{{"pointwise", "pointwise"},
                                                 {"bonferroni_grid", "bonferroni-grid"},
                                                 {"fixed_sequence", "fixed-sequence"},
                                                 {"sgr", "sgr"}};
  int compared = 0;
  for (const auto& [key, results] : section.at("results").items()) {
    const auto comma = key.find(',');
    for (const auto& [name, expected] : results.items()) {
      SCOPED_TRACE(key + " " + name);
      ++compared;
      const Selection selection = choose(uncertainty, error,
                                         {.target = std::stod(key.substr(0, comma)),
                                          .delta = std::stod(key.substr(comma + 1)),
                                          .rule = rules.at(name)});
      EXPECT_EQ(selection.guaranteed, name != "pointwise");
      EXPECT_EQ(selection.items, 600);
      if (expected.is_null() || expected.at("threshold").is_null()) {
        EXPECT_FALSE(selection.threshold.has_value());
        EXPECT_EQ(selection.selected, 0);
      } else {
        EXPECT_EQ(selection.threshold, expected.at("threshold").get<double>());
        EXPECT_EQ(selection.selected, expected.at("selected").get<std::int64_t>());
        EXPECT_EQ(selection.errors, expected.at("errors").get<std::int64_t>());
        EXPECT_TRUE(closeTo(selection.upper_error_unadjusted,
                            expected.at("upper_error_unadjusted").get<double>(), 1e-9));
      }
      if (name == "sgr") {
        const json& path = expected.at("path_rank_threshold_selected_errors_passed");
        ASSERT_EQ(selection.path.size(), path.size());
        EXPECT_EQ(selection.path.size(), expected.at("rounds").get<std::size_t>());
        for (std::size_t i = 0; i < path.size(); ++i) {
          const SelectionStep& step = selection.path[i];
          EXPECT_EQ(json({step.rank, step.threshold, step.selected, step.errors, step.passed}),
                    path.at(i));
        }
      }
    }
  }
  EXPECT_EQ(compared, 32);
}

/// How often, over calibration sets, the true error rate of what a rule selects lies above 1 -
/// target. Items err with a chance that depends on their uncertainty in [0, 1].
template <class Chance, class TrueRisk>
double shareOfBrokenGuarantees(const std::string& rule, int repetitions, int items,
                               const Chance& chance, const TrueRisk& true_risk) {
  std::mt19937_64 random(20240229);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  const SelectionOptions options{.target = 0.95, .delta = 0.1, .rule = rule};
  int broken = 0;
  for (int r = 0; r < repetitions; ++r) {
    std::vector<double> uncertainty;
    std::vector<std::uint8_t> error;
    for (int i = 0; i < items; ++i) {
      uncertainty.push_back(uniform(random));
      error.push_back(uniform(random) < chance(uncertainty.back()) ? 1 : 0);
    }
    const Selection selection = choose(uncertainty, error, options);
    broken += selection.threshold && true_risk(*selection.threshold) > 0.05 ? 1 : 0;
  }
  return static_cast<double>(broken) / repetitions;
}

/// The guarantee is about the worst case: errors a little more frequent than allowed wherever one
/// looks, so that whatever is selected breaks the guarantee.
TEST(Selection, TheGuaranteeHoldsAndPointwiseBreaksIt) {
  constexpr int kRepetitions = 1500;
  const double noise = 3.0 * std::sqrt(0.1 * 0.9 / kRepetitions);
  const auto flat = [](double) { return 0.0505; };
  const auto flat_risk = [](double) { return 0.0505; };
  const auto rising = [](double u) { return 0.02 + 0.1 * u; };
  const auto rising_risk = [](double t) { return 0.02 + 0.05 * t; };
  for (const char* rule : {"sgr", "fixed-sequence", "bonferroni-grid"}) {
    EXPECT_LE(shareOfBrokenGuarantees(rule, kRepetitions, 300, flat, flat_risk), 0.1 + noise)
        << rule;
    EXPECT_LE(shareOfBrokenGuarantees(rule, kRepetitions, 300, rising, rising_risk), 0.1 + noise)
        << rule;
  }
  EXPECT_GT(shareOfBrokenGuarantees("pointwise", kRepetitions, 300, flat, flat_risk), 0.2);
}

TEST(Selection, SelectsWhatIsThereToSelect) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::vector<double> uncertainty;
  std::vector<std::uint8_t> error;
  for (int i = 0; i < 4000; ++i) {
    uncertainty.push_back(uniform(random));
    error.push_back(uniform(random) < uncertainty.back() * uncertainty.back() * 0.5 ? 1 : 0);
  }
  // True risk of a threshold t: t^2/6, so that 5 % are reached at t = 0.55.
  for (const char* rule : {"sgr", "fixed-sequence", "bonferroni-grid"}) {
    const Selection selection = choose(uncertainty, error, {.target = 0.95, .rule = rule});
    ASSERT_TRUE(selection.threshold) << rule;
    EXPECT_GT(*selection.threshold, 0.44) << rule;
    EXPECT_LT(*selection.threshold, 0.56) << rule;
  }
}

TEST(Selection, PropertiesOfEveryRule) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 300; ++round) {
    const int items = std::uniform_int_distribution<int>(1, 120)(random);
    std::vector<double> uncertainty;
    std::vector<std::uint8_t> error;
    for (int i = 0; i < items; ++i) {
      // Few distinct values, so that ties are everywhere.
      uncertainty.push_back(std::uniform_int_distribution<int>(0, 12)(random) / 12.0);
      error.push_back(std::bernoulli_distribution(0.05)(random) ? 1 : 0);
    }
    for (const char* rule : {"sgr", "fixed-sequence", "bonferroni-grid", "pointwise"}) {
      SCOPED_TRACE(rule);
      const SelectionOptions options{.target = 0.8, .delta = 0.2, .rule = rule};
      const Selection selection = choose(uncertainty, error, options);
      // Another order of the items changes nothing.
      std::vector<double> reversed(uncertainty.rbegin(), uncertainty.rend());
      std::vector<std::uint8_t> reversed_error(error.rbegin(), error.rend());
      const Selection again = choose(reversed, reversed_error, options);
      EXPECT_EQ(selection.threshold, again.threshold);
      EXPECT_EQ(selection.errors, again.errors);
      if (!selection.threshold) {
        continue;
      }
      std::int64_t selected = 0;
      std::int64_t errors = 0;
      for (std::size_t i = 0; i < error.size(); ++i) {
        if (uncertainty[i] <= *selection.threshold) {
          ++selected;
          errors += error[i];
        }
      }
      EXPECT_EQ(selection.selected, selected);
      EXPECT_EQ(selection.errors, errors);
      EXPECT_LE(selection.upper_error_unadjusted, 1.0 - options.target);
      if (std::string(rule) != "pointwise") {
        const Selection best =
            choose(uncertainty, error, {.target = 0.8, .delta = 0.2, .rule = "pointwise"});
        ASSERT_TRUE(best.threshold);
        EXPECT_GE(best.selected, selection.selected);
      }
    }
  }
}

TEST(Selection, SingleItemsEmptySetsAndWrongOptions) {
  EXPECT_FALSE(choose({0.5}, {0}, {}).threshold);
  RunContext context;
  const auto none = selectThreshold({}, {}, 1.0, {}, context);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(none.error().message, HasSubstr("there is no labelled item"));
  const std::vector<double> one{0.5};
  const std::vector<std::uint8_t> right{0};
  const auto rule = selectThreshold(one, right, 1.0, {.rule = "best"}, context);
  ASSERT_FALSE(rule);
  EXPECT_THAT(rule.error().message, HasSubstr("Rule is 'best'"));
  EXPECT_THAT(rule.error().remedy.settings, testing::ElementsAre(setting("rule")));
  const auto target = selectThreshold(one, right, 1.0, {.target = 1.5}, context);
  ASSERT_FALSE(target);
  EXPECT_THAT(target.error().message, HasSubstr("Target is 1.5"));
  EXPECT_THAT(target.error().remedy.settings, testing::ElementsAre(setting("target")));
  EXPECT_THROW((void)selectThreshold(one, {}, 1.0, {}, context), std::invalid_argument);
}

}  // namespace
}  // namespace dubito
