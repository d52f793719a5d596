// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/relabelled_analysis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "core/analysis/comparison.h"
#include "core/analysis/same_items.h"
#include "tests/core/analysis/sample_analysis.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

/// Rows of the sample are also its ids.
std::int64_t firstMistake(const Analysis& analysis) {
  const dubito::Run& run = *analysis.in().run;
  std::int64_t row = 0;
  while (run.labels.data()[row] == run.predictions.data()[row]) {
    ++row;
  }
  return row;
}

ReviewedLabelsPtr correcting(std::int64_t item, std::int64_t class_id) {
  ReviewedLabels labels{.file = "insects.labels", .sequence = 7, .labels = {}};
  labels.labels.push_back(
      {.item = item, .action = LabelAction::kCorrect, .class_id = class_id, .annotator = "anna"});
  return std::make_shared<const ReviewedLabels>(std::move(labels));
}

TEST(RelabelledAnalysis, EverythingThatDependsOnLabelsFollows) {
  const AnalysisPtr given = test::sampleAnalysis();
  const std::int64_t row = firstMistake(*given);
  const std::int64_t label = given->in().run->labels.data()[row];
  const std::int64_t predicted = given->in().run->predictions.data()[row];
  RunContext context;
  const auto reviewed = relabelledAnalysis(given, correcting(row, predicted), context);
  ASSERT_OK(reviewed);
  const Analysis& analysis = **reviewed;
  EXPECT_EQ(analysis.given, given);
  EXPECT_EQ(givenOf(*reviewed), given);
  EXPECT_EQ(givenOf(given), given);
  EXPECT_DOUBLE_EQ(*analysis.evaluation.accuracy, *given->evaluation.accuracy + 1.0 / 60.0);
  EXPECT_EQ(analysis.overview.correct, given->overview.correct + 1);
  EXPECT_EQ(analysis.overview.misclassified, given->overview.misclassified - 1);
  EXPECT_EQ(analysis.confusion.row(label)[static_cast<std::size_t>(predicted)],
            given->confusion.row(label)[static_cast<std::size_t>(predicted)] - 1);
  EXPECT_NE(analysis.evaluation.ece, given->evaluation.ece);
  EXPECT_THAT(analysis.detail,
              testing::HasSubstr("reviewed labels (insects.labels, 1 of 60 changed) · insects"));
  // What does not depend on labels is shared, not computed again.
  EXPECT_EQ(analysis.in().values(Measure::kConfidence).data(),
            given->in().values(Measure::kConfidence).data());
  EXPECT_EQ(analysis.in().dataset, given->in().dataset);
  EXPECT_EQ(analysis.parts[1].run, given->parts[1].run);
}

TEST(RelabelledAnalysis, KeepsTheOptionsOfTheEvaluation) {
  const AnalysisPtr sample = test::sampleAnalysis();
  RunContext context;
  const auto given =
      analyse(sample->parts, nullptr, std::nullopt, {.bins = 7, .scores = "margin"}, context);
  ASSERT_OK(given);
  const auto reviewed = relabelledAnalysis(*given, correcting(0, 1), context);
  ASSERT_OK(reviewed);
  EXPECT_EQ((*reviewed)->evaluation.ece_bins, 7);
  EXPECT_TRUE((*reviewed)->evaluation.misclassified.contains("margin"));
  EXPECT_FALSE((*reviewed)->evaluation.misclassified.contains("entropy"));
}

TEST(RelabelledAnalysis, RunsWithGivenAndReviewedLabelsAreNotComparedAsTheSameItems) {
  const AnalysisPtr given = test::sampleAnalysis();
  RunContext context;
  const std::int64_t row = firstMistake(*given);
  const auto reviewed = relabelledAnalysis(
      given, correcting(row, (given->in().run->labels.data()[row] + 1) % 3), context);
  ASSERT_OK(reviewed);
  EXPECT_FALSE(overSameItems(*given, **reviewed));
  EXPECT_TRUE(overSameDataset(given->in(), (*reviewed)->in()));
  EXPECT_EQ(compareRuns({given, *reviewed}).size(), std::size_t{2});
  const auto again =
      relabelledAnalysis(test::sampleAnalysisWithoutDraws(), (*reviewed)->reviewed, context);
  ASSERT_OK(again);
  EXPECT_TRUE(overSameItems(**again, **reviewed));
}

TEST(RelabelledAnalysis, NeedsAnAnalysisWithGivenLabels) {
  const AnalysisPtr given = test::sampleAnalysis();
  RunContext context;
  const auto reviewed = relabelledAnalysis(given, correcting(0, 1), context);
  ASSERT_OK(reviewed);
  EXPECT_THROW((void)relabelledAnalysis(*reviewed, correcting(0, 1), context),
               std::invalid_argument);
  EXPECT_FALSE(relabelledAnalysis(given, correcting(6000, 1), context).has_value());
}

}  // namespace
}  // namespace dubito
