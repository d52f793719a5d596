// SPDX-License-Identifier: GPL-3.0-or-later
// Saved out-of-sample predictions of real networks with the labels of their test sets.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/io/prediction_file.h"
#include "core/review/label_errors.h"
#include "core/review/simulate.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

dubito::Run saved(const std::string& name) {
  RunContext context;
  auto run = openPredictions(
      (*test::sharedDir() / "datasets" / "predictions" / (name + "_test_set_pyx.npy")).string(),
      context);
  EXPECT_OK(run);
  return run ? *std::move(run) : dubito::Run();
}

/// Numbers of suspected labels, computed by an independent program that follows cleanlab.
struct Suspected {
  std::string name;
  std::int64_t estimated;
  std::vector<std::pair<std::string, std::size_t>> by_rule;
};

TEST(SavedLabels, EveryRuleSuspectsAsManyAsCleanlab) {
  DUBITO_NEEDS_SHARED();
  const std::vector<Suspected> expected = {{"mnist",
                                            15,
                                            {{"prune-by-noise-rate", 15},
                                             {"prune-by-class", 15},
                                             {"both", 15},
                                             {"confident-learning", 15},
                                             {"predicted-neq-given", 87}}},
                                           {"cifar10",
                                            244,
                                            {{"prune-by-noise-rate", 284},
                                             {"prune-by-class", 284},
                                             {"both", 226},
                                             {"confident-learning", 244},
                                             {"predicted-neq-given", 706}}},
                                           // Rows of float32 that sum to 1.00002 are renormalised.
                                           {"imdb",
                                            1076,
                                            {{"prune-by-noise-rate", 1309},
                                             {"prune-by-class", 1309},
                                             {"both", 1309},
                                             {"confident-learning", 1076},
                                             {"predicted-neq-given", 2606}}}};
  for (const Suspected& set : expected) {
    const dubito::Run run = saved(set.name);
    for (const auto& [rule, count] : set.by_rule) {
      const auto errors = findLabelErrors(run, set.name, {.rule = rule}, RunContext());
      ASSERT_OK(errors);
      EXPECT_EQ(errors->issues.size(), count) << set.name << ", " << rule;
      EXPECT_EQ(errors->estimated, set.estimated) << set.name;
      EXPECT_EQ(errors->items, run.itemCount());
    }
  }
}

TEST(SavedLabels, FlippedDigitsAreFoundLongBeforeRandomOrderFindsThem) {
  DUBITO_NEEDS_SHARED();
  const dubito::Run digits = saved("mnist");
  for (const LabelFlip flip : {LabelFlip::kRandom, LabelFlip::kSecondLikeliest}) {
    dubito::Run run = digits;
    run.labels = flipLabels(digits, "mnist", 0.05, flip, 0).value();
    RunContext context;
    for (const char* const by : {"label-errors", "self-confidence", "label-margin"}) {
      const auto result =
          simulateReview(run, digits.labels.values(), {.by = by}, {}, {0.05, 0.075, 0.1}, context);
      ASSERT_OK(result);
      EXPECT_EQ(result->errors, 500);
      EXPECT_EQ(result->reviewed, (std::vector<std::int64_t>{500, 750, 1000}));
      EXPECT_GE(result->found[0], 450) << by;
      EXPECT_GE(result->found[1], 490) << by;
      EXPECT_GE(result->found[2], 495) << by;
      EXPECT_LE(result->found_in_random_order[2], 80);
    }
  }
}

}  // namespace
}  // namespace dubito
