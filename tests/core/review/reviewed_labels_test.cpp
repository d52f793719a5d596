// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/reviewed_labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/io/run_file.h"
#include "core/io/run_summary.h"
#include "core/metrics/evaluation.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Six items of three classes with descending ids. Predicted: 0 1 2 0 1 2.
dubito::Run sixItems() {
  dubito::Run run;
  run.probs = Array<float>::fromVector({6, 3}, {0.8F, 0.1F, 0.1F, 0.1F, 0.8F, 0.1F,  //
                                                0.1F, 0.1F, 0.8F, 0.8F, 0.1F, 0.1F,  //
                                                0.1F, 0.8F, 0.1F, 0.1F, 0.1F, 0.8F});
  run.labels = Array<std::int64_t>::fromVector({0, 1, 2, 1, 2, -1});
  run.ids = Array<std::int64_t>::fromVector({60, 50, 40, 30, 20, 10});
  fillFromProbs(run, RunContext());
  run.meta.method = "map";
  run.meta.dataset_name = "insects";
  run.meta.dataset_spec = "folder:insects";
  run.meta.class_names = {"ant", "bee", "cat"};
  return run;
}

Decision decided(std::int64_t item, std::int64_t class_id) {
  return {.item = item, .action = LabelAction::kCorrect, .class_id = class_id, .annotator = "anna"};
}

Decision marked(std::int64_t item, LabelAction action) {
  return {.item = item, .action = action, .annotator = "anna"};
}

class ReviewedLabelsTest : public testing::Test {
 protected:
  test::TempDir dir_;
  std::unique_ptr<LabelStore> store_;

  void SetUp() override {
    auto opened = LabelStore::open(dir_.file("insects.labels"), StoreMode::kOpenOrCreate);
    ASSERT_OK(opened);
    store_ = *std::move(opened);
    ASSERT_OK(store_->belongTo({.name = "insects", .spec = "folder:insects", .fingerprint = {}},
                               std::vector<std::string>{"ant", "bee", "cat"}));
  }
  void decide(const Decision& decision) { ASSERT_OK(store_->decide(std::span(&decision, 1))); }
  Expected<dubito::Run> reviewed(const dubito::Run& run) {
    const auto labels = readReviewedLabels(*store_);
    return labels ? relabelled(run, *labels) : failWith(labels);
  }
};

double accuracyOf(const dubito::Run& run) {
  RunContext context;
  const auto evaluation = evaluate(run, {}, {}, context);
  EXPECT_OK(evaluation);
  return evaluation ? evaluation->accuracy.value_or(-1.0) : -1.0;
}

TEST_F(ReviewedLabelsTest, DecisionsReplaceTheGivenLabelsOfTheirItems) {
  const dubito::Run run = sixItems();
  EXPECT_DOUBLE_EQ(accuracyOf(run), 3.0 / 5.0);  // wrong: items 30 and 20
  decide(decided(30, 0));                        // the given label was wrong
  decide(decided(10, 2));                        // had no label
  decide(decided(60, 0));                        // confirmed
  const auto changed = reviewed(run);
  ASSERT_OK(changed);
  EXPECT_THAT(changed->labels.values(), ElementsAre(0, 1, 2, 0, 2, 2));
  EXPECT_DOUBLE_EQ(accuracyOf(*changed), 5.0 / 6.0);
  const ReviewedLabelSource& source = changed->meta.reviewed_labels.value();
  EXPECT_EQ(source.items, 6);
  EXPECT_EQ(source.decided, 3);
  EXPECT_EQ(source.changed, 1);
  EXPECT_EQ(source.newly_labelled, 1);
  EXPECT_EQ(source.sequence, store_->newestSequence());
  EXPECT_EQ(describe(source), "reviewed labels (insects.labels, 1 of 6 changed, 1 labelled)");
  EXPECT_TRUE(notesOf(source).empty());
}

TEST_F(ReviewedLabelsTest, ItemsThatCameWithoutLabelsAreNotCalledChanged) {
  decide(decided(10, 2));
  const auto labelled = reviewed(sixItems());
  ASSERT_OK(labelled);
  EXPECT_EQ(describe(*labelled->meta.reviewed_labels),
            "reviewed labels (insects.labels, 1 of 6 labelled)");
}

TEST_F(ReviewedLabelsTest, TheRunItselfAndItsOtherArraysStay) {
  const dubito::Run run = sixItems();
  decide(decided(30, 0));
  const auto changed = reviewed(run);
  ASSERT_OK(changed);
  EXPECT_THAT(run.labels.values(), ElementsAre(0, 1, 2, 1, 2, -1));
  EXPECT_FALSE(run.meta.reviewed_labels);
  EXPECT_EQ(std::get<Array<float>>(*changed->probs).data(),
            std::get<Array<float>>(*run.probs).data());
  EXPECT_EQ(changed->ids.data(), run.ids.data());
  EXPECT_EQ(changed->confidence.data(), run.confidence.data());
}

TEST_F(ReviewedLabelsTest, ItemsInNoClassAreUnlabelledAndSkippedOnesKeepTheirLabel) {
  decide(marked(60, LabelAction::kNotInClasses));
  decide(marked(50, LabelAction::kAmbiguous));
  decide(marked(40, LabelAction::kSkip));
  decide(marked(30, LabelAction::kFlag));
  const auto changed = reviewed(sixItems());
  ASSERT_OK(changed);
  EXPECT_THAT(changed->labels.values(), ElementsAre(-1, -1, 2, 1, 2, -1));
  EXPECT_DOUBLE_EQ(accuracyOf(*changed), 1.0 / 3.0);
  EXPECT_EQ(changed->meta.reviewed_labels->changed, 2);
  EXPECT_EQ(changed->meta.reviewed_labels->without_class, 2);
  EXPECT_THAT(notesOf(*changed->meta.reviewed_labels),
              ElementsAre("insects.labels: 2 items in none of the classes or ambiguous, evaluated "
                          "as unlabelled"));
}

TEST_F(ReviewedLabelsTest, MergedClassesCountAsTheOneTheyWereMergedInto) {
  decide(decided(30, 2));
  ASSERT_OK(store_->mergeClass(2, 0, "anna"));
  const auto changed = reviewed(sixItems());
  ASSERT_OK(changed);
  // Item 40 is undecided and keeps its given label.
  EXPECT_THAT(changed->labels.values(), ElementsAre(0, 1, 2, 0, 2, -1));
  EXPECT_DOUBLE_EQ(accuracyOf(*changed), 4.0 / 5.0);
}

TEST_F(ReviewedLabelsTest, ClassesWithoutAnOutputAreUnlabelledAndCounted) {
  ASSERT_OK(store_->addClass("dog", "anna"));
  decide(decided(20, 3));
  decide(decided(10, 3));
  const auto changed = reviewed(sixItems());
  ASSERT_OK(changed);
  EXPECT_THAT(changed->labels.values(), ElementsAre(0, 1, 2, 1, -1, -1));
  EXPECT_DOUBLE_EQ(accuracyOf(*changed), 3.0 / 4.0);
  EXPECT_EQ(describe(*changed->meta.reviewed_labels),
            "reviewed labels (insects.labels, 1 of 6 changed, 1 labelled, 2 in new classes)");
}

TEST_F(ReviewedLabelsTest, LabelsOfTheModelAloneAreNotTakenForTruth) {
  Decision by_model = decided(30, 0);
  by_model.origin = LabelOrigin::kModel;
  by_model.annotator = "model";
  decide(by_model);
  const auto none = reviewed(sixItems());
  ASSERT_FALSE(none.has_value());
  EXPECT_THAT(none.error().message, HasSubstr("contains no decision of a person"));
  decide(decided(20, 1));
  const auto changed = reviewed(sixItems());
  ASSERT_OK(changed);
  EXPECT_THAT(changed->labels.values(), ElementsAre(0, 1, 2, 1, 1, -1));
  EXPECT_EQ(changed->meta.reviewed_labels->by_model, 1);
}

TEST_F(ReviewedLabelsTest, AnUndoneDecisionDoesNotCount) {
  decide(decided(20, 1));
  decide(decided(30, 0));
  ASSERT_OK(store_->undo("anna"));
  const auto changed = reviewed(sixItems());
  ASSERT_OK(changed);
  EXPECT_THAT(changed->labels.values(), ElementsAre(0, 1, 2, 1, 1, -1));
}

TEST_F(ReviewedLabelsTest, EmptyStoresAndOtherItemsAreRefused) {
  const auto empty = readReviewedLabels(*store_);
  ASSERT_FALSE(empty.has_value());
  EXPECT_THAT(empty.error().message, HasSubstr("contains no decisions yet"));
  decide(decided(7, 0));  // no item of the run
  const auto none = reviewed(sixItems());
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(none.error().message, HasSubstr("about the items of this run"));
}

TEST_F(ReviewedLabelsTest, AnotherDatasetOrOtherClassesAreRefused) {
  dubito::Run run = sixItems();
  EXPECT_OK(checkLabelsOf(*store_, run));
  run.meta.dataset_spec = "folder:/elsewhere/insects";
  EXPECT_OK(checkLabelsOf(*store_, run));  // the same dataset in another folder
  run.meta.dataset_name = "spiders";
  const Status other = checkLabelsOf(*store_, run);
  ASSERT_FALSE(other.has_value());
  EXPECT_THAT(other.error().message, HasSubstr("belongs to the dataset 'insects'"));
  run = sixItems();
  run.meta.class_names = {"bee", "ant", "cat"};
  const Status classes = checkLabelsOf(*store_, run);
  ASSERT_FALSE(classes.has_value());
  EXPECT_THAT(classes.error().message, HasSubstr("whose class 0 is"));
}

TEST_F(ReviewedLabelsTest, ASavedRunSaysThatItsLabelsAreReviewed) {
  decide(decided(30, 0));
  const auto changed = reviewed(sixItems());
  ASSERT_OK(changed);
  RunContext context;
  ASSERT_OK(writeRun(*changed, dir_.file("run.npz"), context));
  const auto read = readRun(dir_.file("run.npz"), context);
  ASSERT_OK(read);
  EXPECT_THAT(read->labels.values(), ElementsAre(0, 1, 2, 0, 2, -1));
  EXPECT_EQ(read->meta.reviewed_labels, changed->meta.reviewed_labels);
  const auto again = reviewed(*read);
  ASSERT_FALSE(again.has_value());
  EXPECT_THAT(again.error().message, HasSubstr("already has reviewed labels"));
  EXPECT_FALSE(toJson(sixItems().meta).contains("reviewed_labels"));
}

TEST_F(ReviewedLabelsTest, TheEvaluationNamesThem) {
  decide(decided(30, 0));
  const auto changed = reviewed(sixItems());
  ASSERT_OK(changed);
  RunContext context;
  const auto evaluation = evaluate(*changed, {}, {}, context);
  ASSERT_OK(evaluation);
  const std::string text = "reviewed labels (insects.labels, 1 of 6 changed)";
  EXPECT_EQ(toJson(*evaluation)["labels"], text);
  EXPECT_EQ(toJson(*evaluation)["reviewed_labels"]["changed"], 1);
  EXPECT_THAT(metricsCsv(*evaluation), HasSubstr("\"" + text + "\",,1\n"));
  const auto given = evaluate(sixItems(), {}, {}, context);
  ASSERT_OK(given);
  EXPECT_FALSE(toJson(*given).contains("labels"));
  EXPECT_THAT(metricsCsv(*given), testing::Not(HasSubstr("reviewed")));
}

}  // namespace
}  // namespace dubito
