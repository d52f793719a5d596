// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/run_reliability.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/metrics/evaluation.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

class ReliabilityTest : public testing::Test {
 protected:
  ReliabilityDiagram of(const ReliabilityOptions& options) {
    const std::vector<const dubito::Run*> ood{&far_};
    const Expected<ReliabilityPtr> made = makeReliability(run_, ood, options, context_);
    EXPECT_TRUE(made.has_value());
    return made ? (*made)->diagram : ReliabilityDiagram();
  }

  dubito::Run run_ = test::randomRun(900, 6, 2.5, 1, true, false);
  dubito::Run far_ = test::randomRun(200, 6, 0.4, 3, false, false);
  Evaluation evaluation_ = [this] {
    RunContext context;
    return evaluate(run_, {{"far", &far_}}, {}, context).value();
  }();
  RunContext context_;
};

TEST_F(ReliabilityTest, TheUsualOneIsThatOfTheEvaluation) {
  const ReliabilityDiagram diagram = of({});
  EXPECT_NEAR(diagram.ece, *evaluation_.ece, 1e-12);
  EXPECT_EQ(diagram.total, 900);
  EXPECT_EQ(diagram.convention, "15 bins, L1, equal width, top-label");
}

TEST_F(ReliabilityTest, EqualMassIsTheAdaptiveErrorAndItsBinsAreNearlyAlike) {
  const ReliabilityDiagram diagram = of({.equal_mass = true});
  EXPECT_NEAR(diagram.ece, *evaluation_.aece, 1e-12);
  for (const ReliabilityBin& bin : diagram.bins) {
    EXPECT_NEAR(static_cast<double>(bin.count), 60.0, 3.0);
  }
  EXPECT_EQ(diagram.convention, "15 bins, L1, equal mass, ties kept together, top-label");
}

TEST_F(ReliabilityTest, TheMeanOverTheClassesIsTheClasswiseError) {
  double sum = 0.0;
  for (std::int64_t k = 0; k < 6; ++k) {
    const ReliabilityDiagram diagram = of({.of_class = k});
    EXPECT_EQ(diagram.total, 900);
    EXPECT_THAT(diagram.convention, HasSubstr("class " + std::to_string(k)));
    sum += diagram.ece;
  }
  EXPECT_NEAR(sum / 6.0, *evaluation_.classwise_ece, 1e-12);
}

TEST_F(ReliabilityTest, OodItemsAreNeverRight) {
  const ReliabilityDiagram diagram = of({.with_ood = true});
  EXPECT_EQ(diagram.total, 1100);
  EXPECT_NEAR(diagram.ece, evaluation_.with_ood.at("all").ece, 1e-12);
  const ReliabilityDiagram of_class = of({.bins = 100, .of_class = 2, .with_ood = true});
  EXPECT_EQ(of_class.total, 1100);
  double right = 0.0;
  for (const ReliabilityBin& bin : of_class.bins) {
    right += bin.count > 0 ? bin.accuracy * static_cast<double>(bin.count) : 0.0;
  }
  std::int64_t labelled_so = 0;
  for (const std::int64_t label : run_.labels.values()) {
    labelled_so += label == 2 ? 1 : 0;
  }
  EXPECT_NEAR(right, static_cast<double>(labelled_so), 1e-9);
}

TEST_F(ReliabilityTest, RefusesWhatCannotBeDrawn) {
  for (const ReliabilityOptions& options :
       {ReliabilityOptions{.bins = 0}, ReliabilityOptions{.bins = 100'001},
        ReliabilityOptions{.of_class = 6}, ReliabilityOptions{.of_class = -1}}) {
    const auto made = makeReliability(run_, {}, options, context_);
    ASSERT_FALSE(made.has_value());
    EXPECT_EQ(made.error().code, ErrorCode::kInvalidArgument);
  }
  const dubito::Run confidences = test::confidenceOnly(run_);
  EXPECT_FALSE(makeReliability(confidences, {}, {.of_class = 0}, context_).has_value());
  EXPECT_TRUE(makeReliability(confidences, {}, {}, context_).has_value());
}

TEST_F(ReliabilityTest, EndsWhenItIsCancelled) {
  context_.control()->requestCancel();
  for (const bool equal_mass : {false, true}) {
    const auto made = makeReliability(run_, {}, {.equal_mass = equal_mass}, context_);
    ASSERT_FALSE(made.has_value());
    EXPECT_EQ(made.error().code, ErrorCode::kCancelled);
  }
}

}  // namespace
}  // namespace dubito
