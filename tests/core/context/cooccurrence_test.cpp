// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/cooccurrence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "core/context/pair_scores.h"
#include "core/io/csv.h"
#include "tests/core/context/made_scenes.h"
#include "tests/core/context/refusals.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using test::closeTo;

/// A run over these classes.
Run runOfClasses(const std::vector<std::string>& names, std::int64_t items = 4) {
  dubito::Run run = test::randomRun(items, std::ssize(names), 1.0, 1, true, false);
  run.meta.class_names = names;
  return run;
}

class ReadCooccurrence : public testing::Test {
 protected:
  Expected<Cooccurrence> read(const std::string& text, const dubito::Run& run) {
    std::ofstream(path_) << text;
    RunContext context;
    return readCooccurrence(path_, run, context);
  }

  test::TempDir folder_;
  std::string path_ = folder_.file("counts.csv");
};

TEST_F(ReadCooccurrence, InTheOrderOfTheRunWithoutOtherClassesAndColumns) {
  const auto result = read(
      "category,n_images,cat,cow,dog\n"
      "cat,12,0,7,35\n"
      "cow,9,7,2,0\n"
      "dog,90,35,0,1.5\n",
      runOfClasses({"dog", "cat"}));
  ASSERT_OK(result);
  EXPECT_EQ(std::vector(result->counts.values().begin(), result->counts.values().end()),
            (std::vector{1.5, 35.0, 35.0, 0.0}));
  EXPECT_EQ(result->source, path_);
  ASSERT_EQ(result->notes.size(), 2U);
  EXPECT_THAT(result->notes[0], HasSubstr("not used: 'n_images'"));
  EXPECT_THAT(result->notes[1], HasSubstr("1 class of"));
}

TEST_F(ReadCooccurrence, ClassesMayDifferInCase) {
  const std::string table = "class,cat,dog\ncat,1,2\ndog,2,3\n";
  ASSERT_OK(read(table, runOfClasses({"Dog", "CAT"})));
  EXPECT_EQ(read(table, runOfClasses({"Dog", "CAT"}))->counts.row(0)[0], 3.0);
}

TEST_F(ReadCooccurrence, NumbersAreTheNamesOfClassesWithoutNames) {
  dubito::Run run = runOfClasses({"a", "b"});
  run.meta.class_names.clear();
  EXPECT_OK(read("class,0,1\n0,1,2\n1,2,3\n", run));
  const auto refused = read("class,cat,dog\ncat,1,2\ndog,2,3\n", run);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("has only class numbers"));
}

TEST_F(ReadCooccurrence, NamesFileLineAndRemedy) {
  test::expectRefused(
      {
          {"class,cat\ncat,1\n", {"line 1", "'dog'", "add a row and a column"}},
          {"class,cat,cow\ncat,1,2\ncow,2,3\n", {"line 1", "'dog'"}},
          {"class,cat,dog\ncat,1,2\ndog,2,x\n", {"line 3", "'dog' holds no count"}},
          {"class,cat,dog\ncat,1,\ndog,2,3\n", {"line 2", "'dog' holds no count"}},
          {"class,cat,dog\ncat,-1,2\ndog,2,3\n", {"line 2", "at least 0"}},
          {"class,cat,dog\ncat,1,nan\ndog,2,3\n", {"line 2"}},
          {"class,cat,dog\ncat,1,2\ndog,5,3\n",
           {"line 2", "'cat' with 'dog' 2 times", "line 3 counts 5", "no direction"}},
          {"class,cat,dog\ncat,1,2\ndog,2,3\ncat,1,2\n", {"'cat' is in lines 2 and 4"}},
          {"class,cat,cat\ncat,1,2\n", {"line 1", "'cat' twice"}},
          {"class,cat,dog\ncat,1,2\ncow,2,3\n", {"line 3", "'cow'", "no column"}},
          {"class,cat,dog\ncat,0,0\ndog,0,0\n", {"all counts", "are 0"}},
          {"class,cat,dog\n", {"has no rows"}},
          {"class,cat,dog\ncat,1\ndog,2,3\n", {"line 2 has 2 values"}},
          {"", {"is empty"}},
      },
      path_, [this](const std::string& text) {
        return read(text, runOfClasses({"cat", "dog"}));
      });
}

TEST_F(ReadCooccurrence, FitsOneClassOnly) {
  const auto refused = read("class,cat,dog\ncat,1,2\ndog,2,3\n", runOfClasses({"cat", "CAT"}));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("line 2 ('cat') fits two classes"));
}

TEST_F(ReadCooccurrence, OfCocoHasAllItsPairs) {
  DUBITO_NEEDS_SHARED();
  const std::string coco =
      (*test::sharedDir() / "datasets/context/coco_train2014_cooccurrence.csv").string();
  const auto reader = CsvReader::open(coco);
  ASSERT_OK(reader);
  const std::vector<std::string> names(reader->header().begin() + 2, reader->header().end());
  RunContext context;
  const auto counts = readCooccurrence(coco, runOfClasses(names), context);
  ASSERT_OK(counts);
  ASSERT_EQ(counts->classCount(), 80);
  double sum = 0.0;
  for (const double count : counts->counts.values()) {
    sum += count;
  }
  EXPECT_EQ(sum, 741362.0);
  // It counts no pair of one class.
  const auto scores = pairScores(*counts, {});
  ASSERT_OK(scores);
  EXPECT_FALSE(scores->same_class_counted);
  ASSERT_EQ(scores->notes.size(), 1U);
  EXPECT_THAT(scores->notes[0], HasSubstr("no pair of one class"));
}

TEST(LearnCooccurrence, CountsEachPairInBothDirections) {
  dubito::Run run = runOfClasses({"cat", "dog", "cow"}, 8);
  run.labels = Array<std::int64_t>::fromVector({0, 0, 1, 2, -1, 1, 1, 0});
  const std::vector<std::string> scene_of_row{"a", "a", "a", "b", "b", "b", "b", ""};
  const Scenes scenes = scenesByName(scene_of_row, "scenes.csv");
  const auto counts = learnCooccurrence(run, scenes, "train.npz", run);
  ASSERT_OK(counts);
  // Scene a: cat, cat, dog. Scene b: cow, dog, dog and one without a label.
  EXPECT_EQ(std::vector(counts->counts.values().begin(), counts->counts.values().end()),
            (std::vector{2.0, 2.0, 0.0, 2.0, 2.0, 2.0, 0.0, 2.0, 0.0}));
  EXPECT_EQ(counts->source, "labels of train.npz");
  EXPECT_THAT(counts->notes.at(0), HasSubstr("6 pairs"));
}

TEST(LearnCooccurrence, RefusesWhatTeachesNothing) {
  dubito::Run run = runOfClasses({"cat", "dog"}, 4);
  const std::vector<std::string> apart{"a", "b", "c", ""};
  const auto single = learnCooccurrence(run, scenesByName(apart, "s.csv"), "train.npz", run);
  ASSERT_FALSE(single);
  EXPECT_THAT(single.error().message, HasSubstr("train.npz: no two labelled items share a scene"));
  const Scenes together = test::scenesOfSize(4, 4);
  const auto other = learnCooccurrence(run, together, "train.npz", runOfClasses({"dog", "cat"}));
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("other classes"));
  run.labels = Array<std::int64_t>::fromVector({-1, -1, -1, -1});
  EXPECT_FALSE(learnCooccurrence(run, together, "train.npz", run));
}

TEST(PairScores, SameClassPairsThatAreNotCountedAreIndependent) {
  const Cooccurrence counts = test::countsOf(
      Array<double>::fromVector({3, 3}, {0.0, 30.0, 5.0, 30.0, 0.0, 0.0, 5.0, 0.0, 0.0}));
  ContextOptions options;
  options.measure = "pmi";
  const auto scores = pairScores(counts, options);
  ASSERT_OK(scores);
  EXPECT_FALSE(scores->same_class_counted);
  // Six directed pairs with one added to each: 31, 6 and 1 of 76.
  const double marginals[] = {37.0 / 76.0, 32.0 / 76.0, 7.0 / 76.0};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(scores->scores.row(static_cast<std::int64_t>(k))[k], 0.0, 1e-15);
  }
  EXPECT_TRUE(closeTo(scores->scores.row(0)[1],
                      std::log(31.0 / 76.0 / (marginals[0] * marginals[1])), 1e-12));
  EXPECT_TRUE(closeTo(scores->scores.row(1)[2],
                      std::log(1.0 / 76.0 / (marginals[1] * marginals[2])), 1e-12));
  options.measure = "log";
  EXPECT_TRUE(
      closeTo(pairScores(counts, options)->scores.row(2)[2], 2.0 * std::log(marginals[2]), 1e-12));

  options.same_class = "counted";
  const auto counted = pairScores(counts, options);
  ASSERT_OK(counted);
  EXPECT_TRUE(counted->same_class_counted);
  EXPECT_TRUE(closeTo(counted->scores.row(2)[2], std::log(1.0 / 79.0), 1e-12));
  EXPECT_TRUE(counted->notes.empty());
}

TEST(PairScores, AutoCountsWhatTheTableCounts) {
  const Cooccurrence counts =
      test::countsOf(Array<double>::fromVector({2, 2}, {0.0, 3.0, 3.0, 1.0}));
  const auto scores = pairScores(counts, {});
  ASSERT_OK(scores);
  EXPECT_TRUE(scores->same_class_counted);
  EXPECT_TRUE(closeTo(scores->scores.row(0)[0], std::log(1.0 / 11.0), 1e-12));
}

TEST(PairScores, ZerosNeedSmoothing) {
  const Cooccurrence counts =
      test::countsOf(Array<double>::fromVector({2, 2}, {0.0, 3.0, 3.0, 1.0}));
  ContextOptions options;
  options.smoothing = 0.0;
  const auto refused = pairScores(counts, options);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("counts.csv: some pairs of classes have the "
                                                 "count 0"));
  EXPECT_THAT(refused.error().message, HasSubstr("give a smoothing above 0"));
  EXPECT_THAT(refused.error().remedy.settings, testing::ElementsAre(setting("smoothing")));
  const Cooccurrence full = test::countsOf(Array<double>::fromVector({2, 2}, {2.0, 3.0, 3.0, 1.0}));
  EXPECT_OK(pairScores(full, options));
  options.smoothing = -1.0;
  EXPECT_FALSE(pairScores(full, options));
}

TEST(PairScores, WeightsBeyondDoubleAreRefused) {
  const PairScores scores = test::scoresOf(
      test::countsOf(Array<double>::fromVector({2, 2}, {0.0, 3.0, 3.0, 1.0})), "log");
  EXPECT_OK(PairFactors::create(scores, scores.maxWeight()));
  for (const double weight : {scores.maxWeight() * 1.001, -0.1, std::nan("")}) {
    const auto refused = PairFactors::create(scores, weight);
    ASSERT_FALSE(refused) << weight;
    EXPECT_THAT(refused.error().message, HasSubstr("choose a weight from 0 to"));
  }
}

}  // namespace
}  // namespace dubito
