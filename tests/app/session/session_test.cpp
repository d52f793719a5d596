// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/session.h"

#include <gtest/gtest.h>

#include "core/data/sources/dataset_view.h"
#include "tests/core/analysis/sample_analysis.h"

namespace dubito {
namespace {

ItemList listOf(const Session& session) {
  return std::make_shared<const ItemRefs>(
      findItems(*session.activeAnalysis(), session.listing().query()));
}

TEST(SessionTest, AnAnalysisBringsItsDefaultQueryAndTheFirstItemBecomesPrimary) {
  Session session;
  session.addAnalysis(test::sampleAnalysis());
  EXPECT_EQ(session.listing().query(), defaultQuery(*session.activeAnalysis()));
  EXPECT_EQ(session.listing().primaryPosition(), -1);
  session.listing().setItems(listOf(session));
  EXPECT_EQ(session.listing().primaryPosition(), 0);
}

TEST(SessionTest, TheSelectionShowsAllGroupsAndClearingBringsTheGroupBack) {
  Session session;
  session.addAnalysis(test::sampleAnalysis());
  session.listing().selectRange(Measure::kEntropy, {0.1, 0.5});
  EXPECT_EQ(session.listing().query().group, GroupFilter::kAll);
  session.selectReliabilityBin(9);
  EXPECT_FALSE(session.listing().query().range.has_value());
  ASSERT_TRUE(session.listing().query().reliability_bin.has_value());
  EXPECT_EQ(session.listing().query().reliability_bin->bin, 9);
  session.listing().clearSelection();
  EXPECT_EQ(session.listing().query(), defaultQuery(*session.activeAnalysis()));
}

TEST(SessionTest, ReliabilityIsThatOfTheEvaluationUntilItIsChosen) {
  Session session;
  const AnalysisPtr with_ood = test::sampleAnalysis();
  session.addAnalysis(with_ood);
  const auto bins = static_cast<std::int64_t>(with_ood->overview.reliability.bins.size());
  EXPECT_EQ(session.plots().reliabilityOptions().bins, bins);
  ASSERT_TRUE(session.plots().reliability());
  EXPECT_EQ(session.plots().reliability()->diagram.ece, with_ood->overview.reliability.ece);
  ASSERT_GT(with_ood->overview.ood, 0);
  session.plots().setReliabilityOptions({.bins = bins, .of_class = 99, .with_ood = true});
  EXPECT_FALSE(session.plots().reliabilityOptions().of_class.has_value());  // it has no such class
  EXPECT_TRUE(session.plots().reliabilityOptions().with_ood);
  EXPECT_FALSE(session.plots().reliability());  // to be made
  session.plots().setReliabilityOptions({.bins = bins});
  EXPECT_TRUE(session.plots().reliability());
}

TEST(SessionTest, SelectionsAndFiltersAreUndoneAndRedone) {
  Session session;
  session.addAnalysis(test::sampleAnalysis());
  const ItemQuery first = session.listing().query();
  EXPECT_FALSE(session.listing().canUndo());
  session.listing().selectRange(Measure::kEntropy, {0.1, 0.5});
  const ItemQuery second = session.listing().query();
  session.selectReliabilityBin(9);
  const ItemQuery third = session.listing().query();
  session.listing().setQuery(third);  // nothing new, no step
  session.listing().undo();
  EXPECT_EQ(session.listing().query(), second);
  session.listing().undo();
  EXPECT_EQ(session.listing().query(), first);
  EXPECT_FALSE(session.listing().canUndo());
  session.listing().undo();
  EXPECT_EQ(session.listing().query(), first);
  session.listing().redo();
  session.listing().redo();
  EXPECT_EQ(session.listing().query(), third);
  EXPECT_FALSE(session.listing().canRedo());
  // Clearing what came back leads to where the selection began,
  session.listing().undo();
  session.listing().clearSelection();
  EXPECT_EQ(session.listing().query(), first);
  // and is a step of its own, behind which nothing can be redone.
  EXPECT_FALSE(session.listing().canRedo());
  session.listing().undo();
  EXPECT_EQ(session.listing().query(), second);
  // Other items, other queries.
  session.addAnalysis(test::sampleAnalysisWithoutDraws());
  EXPECT_FALSE(session.listing().canUndo());
}

TEST(SessionTest, ACellOfTheConfusionMatrixListsItsItems) {
  Session session;
  session.addAnalysis(test::sampleAnalysis());
  const GroupFilter before = session.listing().query().group;
  session.listing().selectCell({1, 2});
  EXPECT_EQ(session.listing().query().cell, (ClassPair{1, 2}));
  EXPECT_EQ(session.listing().query().group, GroupFilter::kAll);
  const ItemList items = listOf(session);
  for (const ItemRef item : items->all()) {
    const dubito::Run& run = *session.activeAnalysis()->partOf(item).run;
    EXPECT_EQ(run.labels.data()[item.row], 1);
    EXPECT_EQ(run.predictions.data()[item.row], 2);
  }
  // One thing is selected at a time, and clearing leads back to where it began.
  session.listing().selectRange(Measure::kEntropy, {0.1, 0.5});
  EXPECT_FALSE(session.listing().query().cell);
  session.listing().selectCell({1, 1});
  EXPECT_FALSE(session.listing().query().range);
  session.listing().clearSelection();
  EXPECT_FALSE(session.listing().query().cell);
  EXPECT_EQ(session.listing().query().group, before);
}

TEST(SessionTest, PickedItemsAreShownWhateverWasFilteredBefore) {
  Session session;
  session.addAnalysis(test::sampleAnalysis());
  ItemQuery query = session.listing().query();
  query.label = 1;
  session.listing().setQuery(query);
  auto rows = std::make_shared<std::vector<bool>>(60, false);
  (*rows)[3] = (*rows)[40] = true;
  session.listing().selectPicked({"picked", rows});
  const ItemList items = listOf(session);
  ASSERT_EQ(items->size(), 2U);
  EXPECT_EQ((*items)[0].row + (*items)[1].row, 43);
  session.listing().clearSelection();
  EXPECT_EQ(session.listing().query(), query);
}

TEST(SessionTest, ClosingTheRunShownForgetsItsItem) {
  Session session;
  session.addAnalysis(test::sampleAnalysisWithoutDraws());
  session.addAnalysis(test::sampleAnalysis());
  session.listing().setPrimary(ItemRef{1, 19});
  session.removeAnalysis(1);
  EXPECT_FALSE(session.listing().primary());
}

TEST(SessionTest, MovingThePrimaryStaysInsideTheList) {
  Session session;
  session.addAnalysis(test::sampleAnalysis());
  session.listing().setItems(listOf(session));
  session.moveShownItem(-1);
  EXPECT_EQ(session.listing().primaryPosition(), 0);
  session.moveShownItem(2);
  EXPECT_EQ(session.listing().primaryPosition(), 2);
  session.moveShownItem(1000);
  EXPECT_EQ(session.listing().primaryPosition(),
            static_cast<qint64>(session.listing().items()->size()) - 1);
}

TEST(SessionTest, RemovingAnEarlierRunKeepsTheShownOne) {
  Session session;
  session.addAnalysis(test::sampleAnalysis());
  const AnalysisPtr second = test::sampleAnalysisWithoutDraws();
  session.addAnalysis(second);
  session.removeAnalysis(0);
  EXPECT_EQ(session.activeAnalysis(), second);
  session.removeAnalysis(0);
  EXPECT_EQ(session.activeAnalysis(), nullptr);
}

TEST(SessionTest, UnsavedRunsThatWereClosedComeBack) {
  Session session;
  const AnalysisPtr first = test::sampleAnalysis();
  const AnalysisPtr second = test::sampleAnalysisWithoutDraws();
  session.addAnalysis(first);
  session.addAnalysis(second);
  session.setRunLabel(0, {"mine", "a note"});
  EXPECT_FALSE(session.canReopenClosed());
  std::vector<AnalysisPtr> told;
  QObject::connect(&session, &Session::unsavedRunsClosed, &session,
                   [&](const std::vector<AnalysisPtr>& runs) { told = runs; });
  session.removeAnalysis(0);
  EXPECT_EQ(told, std::vector<AnalysisPtr>{first});
  ASSERT_TRUE(session.canReopenClosed());
  session.reopenClosed();
  EXPECT_EQ(session.analyses(), (std::vector<AnalysisPtr>{second, first}));
  EXPECT_EQ(session.activeAnalysis(), first);
  EXPECT_EQ(session.runLabel(1), (RunLabel{"mine", "a note"}));
  EXPECT_FALSE(session.canReopenClosed());
  // What has a file, or comes back by itself, is not held in memory.
  told.clear();
  for (const AnalysisPart& part : first->parts) {
    session.runFiles().setFile(part.run, "a.npz");
  }
  for (const AnalysisPart& part : second->parts) {
    session.runFiles().setRepeatable(part.run);
  }
  session.removeAnalysis(0);
  session.removeAnalysis(0);
  EXPECT_TRUE(told.empty());
  EXPECT_FALSE(session.canReopenClosed());
}

TEST(SessionTest, RunsOfTheDemoComeBackTogether) {
  Session session;
  const AnalysisPtr first = test::sampleAnalysis();
  const AnalysisPtr second = test::sampleAnalysisWithoutDraws();
  session.addModel("demo", first->model, true);
  session.addAnalysis(first);
  session.addAnalysis(second);
  ASSERT_EQ(first->model, second->model);
  session.closeDemo();
  EXPECT_TRUE(session.analyses().empty());
  session.reopenClosed();
  EXPECT_EQ(session.analyses(), (std::vector<AnalysisPtr>{first, second}));
}

TEST(SessionTest, ADatasetMarkedByMistakeIsTheSameAgain) {
  Session session;
  const DatasetPtr dataset = test::sampleAnalysis()->in().dataset;
  const DatasetPtr train = withRole(dataset, Role::kTrain);
  session.addDataset("a", dataset, false);
  session.addDataset("b", train, false);
  for (const std::size_t i : {0U, 1U}) {
    session.setOod(i, true);
    EXPECT_EQ(session.datasets()[i].dataset->info().role, Role::kOod);
    session.setOod(i, false);
  }
  EXPECT_EQ(session.datasets()[0].dataset, dataset);
  EXPECT_EQ(session.datasets()[1].dataset, train);
  EXPECT_EQ(session.activeDatasetPosition(), 0);
}

TEST(SessionTest, DatasetsOfOneNameGetNumbersUnlessTheirRoleTellsThemApart) {
  Session session;
  const DatasetPtr dataset = test::sampleAnalysis()->in().dataset;
  for (int i = 0; i < 3; ++i) {
    session.addDataset("digits", dataset, false);
  }
  session.addDataset("digits", withRole(dataset, Role::kTrain), false);
  EXPECT_EQ(session.datasets()[0].name, "digits");
  EXPECT_EQ(session.datasets()[1].name, "digits (2)");
  EXPECT_EQ(session.datasets()[2].name, "digits (3)");
  EXPECT_EQ(session.datasets()[3].name, "digits");
}

TEST(SessionTest, OodDatasetsAreNeverTheChosenOne) {
  Session session;
  const DatasetPtr dataset = test::sampleAnalysis()->in().dataset;
  session.addDataset("a", dataset, false);
  session.addDataset("b", dataset, true);
  EXPECT_EQ(session.activeDatasetPosition(), 0);
  session.setOod(0, true);
  EXPECT_EQ(session.activeDataset(), nullptr);
  EXPECT_EQ(session.oodDatasets().size(), 2U);
  session.setOod(1, false);
  EXPECT_EQ(session.activeDatasetPosition(), 1);
  session.removeDataset(0);
  EXPECT_EQ(session.activeDatasetPosition(), 0);
}

TEST(SessionTest, OodDatasetsHaveTheRoleOodAndNoLabels) {
  Session session;
  const DatasetPtr dataset = test::sampleAnalysis()->in().dataset;
  ASSERT_GE(dataset->labels().front(), 0);
  session.addDataset("a", dataset, true);
  const auto shown = [&session] { return session.datasets()[0].dataset; };
  EXPECT_EQ(shown()->info().role, Role::kOod);
  EXPECT_EQ(shown()->labels().front(), -1);
  session.setOod(0, false);
  EXPECT_EQ(shown()->info().role, Role::kTest);
  EXPECT_EQ(shown()->labels().front(), dataset->labels().front());
  session.setOod(0, true);
  EXPECT_EQ(session.oodDatasets().front().dataset->labels().back(), -1);
}

}  // namespace
}  // namespace dubito
