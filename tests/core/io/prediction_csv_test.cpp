// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/io/prediction_file.h"
#include "tests/core/io/mutate.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using Ints = std::vector<std::int64_t>;

Expected<dubito::Run> openText(const std::string& content) {
  const test::TempDir dir;
  test::writeBytes(dir.path() / "x.csv", content);
  RunContext context;
  return openPredictions(dir.file("x.csv"), context);
}

bool fails(const std::string& content, const std::string& part) {
  const auto run = openText(content);
  const std::string message = run ? "opened" : run.error().message;
  EXPECT_THAT(message, HasSubstr(part));
  return !run;
}

Ints list(const Array<std::int64_t>& array) {
  return {array.values().begin(), array.values().end()};
}

bool hasNote(const dubito::Run& run, const std::string& part) {
  return std::ranges::any_of(textsOf(run.meta.notes), [&](const std::string& note) {
    return note.find(part) != std::string::npos;
  });
}

TEST(PredictionCsv, ReadsNumberedColumnsInTheOrderOfTheirNumbers) {
  const auto run = openText("label,prob_1,prob_0,prob_2\n2,0.25,0.5,0.25\n0,0,1,0\n");
  ASSERT_OK(run);
  EXPECT_EQ(run->classCount(), 3);
  EXPECT_EQ(run->prob(0, 0), 0.5);
  EXPECT_EQ(list(run->labels), (Ints{2, 0}));
  EXPECT_EQ(list(run->predictions), (Ints{0, 0}));
  EXPECT_TRUE(run->meta.class_names.empty());
  EXPECT_EQ(run->meta.method, "predictions");
}

TEST(PredictionCsv, MatchesLabelsWithClassNames) {
  const auto run = openText(
      "id,True_Label,prob_cat,prob_dog,note\n7,dog,0.25,0.75,\"a, b\"\n3,cat,0.5,0.5,\n4,,1,0,\n");
  ASSERT_OK(run);
  EXPECT_EQ(run->meta.class_names, (std::vector<std::string>{"cat", "dog"}));
  EXPECT_EQ(list(run->labels), (Ints{1, 0, -1}));
  EXPECT_EQ(list(run->ids), (Ints{7, 3, 4}));
  EXPECT_TRUE(hasNote(*run, "unused columns: note"));
}

TEST(PredictionCsv, ReadsColumnsThatAreNamedAsTheClasses) {
  const auto run = openText("y;cat;dog;entropy\ncat;0.9;0.1;0.3\n");
  ASSERT_OK(run);
  EXPECT_EQ(run->meta.class_names, (std::vector<std::string>{"cat", "dog"}));
  EXPECT_EQ(list(run->labels), (Ints{0}));
}

TEST(PredictionCsv, ClassesThatCountFromOneAreNames) {
  const auto run = openText("target,p_1,p_2\n2,0.25,0.75\n1,0.25,0.75\n");
  ASSERT_OK(run);
  EXPECT_EQ(list(run->labels), (Ints{1, 0}));
  EXPECT_EQ(run->meta.class_names, (std::vector<std::string>{"1", "2"}));
}

TEST(PredictionCsv, SaysThatNumbersStandForNamedClasses) {
  const auto run = openText("label,prob_cat,prob_dog\n1,0.25,0.75\n1.0,0.25,0.75\n");
  ASSERT_OK(run);
  EXPECT_EQ(list(run->labels), (Ints{1, 1}));
  EXPECT_TRUE(hasNote(*run, "in the order of the class columns"));
}

TEST(PredictionCsv, ReadsLogitsAndOneColumn) {
  const auto logits = openText("label,logit_0,logit_1\n1,0,1\n");
  ASSERT_OK(logits);
  EXPECT_NEAR(logits->prob(0, 1), 1.0 / (1.0 + std::exp(-1.0)), 1e-15);
  EXPECT_EQ(std::get<Array<double>>(*logits->logits).data()[1], 1.0);
  const auto binary = openText("label,prob\n1,0.25\n");
  ASSERT_OK(binary);
  EXPECT_EQ(binary->classCount(), 2);
  EXPECT_EQ(list(binary->predictions), (Ints{0}));
}

TEST(PredictionCsv, ReadsConfidencesAlone) {
  const auto run = openText("true_label,pred_label,confidence\n3,3,0.9\n,1,0.25\n");
  ASSERT_OK(run);
  EXPECT_FALSE(run->probs);
  EXPECT_FALSE(run->entropy);
  EXPECT_EQ(list(run->labels), (Ints{3, -1}));
  EXPECT_EQ(list(run->predictions), (Ints{3, 1}));
  EXPECT_EQ(run->confidence.data()[1], 0.25);
  EXPECT_TRUE(hasNote(*run, "confidences but no probabilities"));

  const auto named = openText("true_label,pred_label,confidence\ndog,cat,0.9\nant,dog,0.25\n");
  ASSERT_OK(named);
  EXPECT_EQ(named->meta.class_names, (std::vector<std::string>{"ant", "cat", "dog"}));
  EXPECT_EQ(list(named->labels), (Ints{2, 0}));
  EXPECT_EQ(list(named->predictions), (Ints{1, 2}));
}

TEST(PredictionCsv, NamesTheRowOfWhatIsWrong) {
  const std::string head = "label,prob_0,prob_1\n0,0.5,0.5\n";
  const std::string where = "row 1 (counted from 0; line 3)";
  EXPECT_TRUE(
      fails(head + "0,0.5,x\n", where + " has 'x' in column 'prob_1', which is not a number"));
  EXPECT_TRUE(fails(head + "0,0.5,\n", where));
  EXPECT_TRUE(fails(head + "0,0.5,nan\n", where + " of the class columns contains nan"));
  EXPECT_TRUE(fails(head + "0,0.5,0.6\n", where + " of the class columns sums to 1.1"));
  EXPECT_TRUE(fails(head + "0,-0.5,1.5\n", where + " of the class columns contains -0.5"));
  EXPECT_TRUE(fails(head + "2,0.5,0.5\n", where + " has the label 2, but the 2 classes"));
  EXPECT_TRUE(fails(head + "cat,0.5,0.5\n", where + " has the label 'cat'"));
  EXPECT_TRUE(fails(head + "0,0.5,0.5,0\n", "line 3 has 4 values, but the header has 3 names"));
  EXPECT_TRUE(fails("id,prob_0,prob_1\n1,1,0\n1,1,0\n", where + " has the id 1"));
  const std::string confidences = "true_label,pred_label,confidence\n0,0,0.5\n";
  EXPECT_TRUE(fails(confidences + "0,0,1.5\n", where + " has '1.5' in column 'confidence'"));
  EXPECT_TRUE(fails(confidences + "0,0,nan\n", where));
  EXPECT_TRUE(fails(confidences + "0,,0.5\n", where));
  EXPECT_TRUE(fails(confidences + "0,1e15,0.5\n", where));
}

TEST(PredictionCsv, SaysWhatColumnsItNeeds) {
  EXPECT_TRUE(fails("date,value\n1958,315\n",
                    "has no columns of class probabilities (it has "
                    "'date,value'); name them prob_0"));
  EXPECT_TRUE(fails("label,prob_0,prob_1\n", "has a header but no rows"));
}

TEST(PredictionCsv, SurvivesMutations) {
  std::string original = "\xEF\xBB\xBFid,label,prob_cat,prob_dog\r\n";
  for (int i = 0; i < 12; ++i) {
    original += std::to_string(i) + (i % 2 == 0 ? ",cat,0.75,\"0.25\"\r\n" : ",dog,1,0\r\n");
  }
  ASSERT_TRUE(openText(original));
  int opened = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const auto run = openText(test::mutate(original, seed));
    if (!run) {
      EXPECT_THAT(run.error().message, HasSubstr("x.csv: "));
      continue;
    }
    ++opened;
    for (std::int64_t i = 0; i < run->itemCount(); ++i) {
      EXPECT_NEAR(run->prob(i, 0) + run->prob(i, 1), 1.0, 1e-5);
      EXPECT_LT(run->labels.data()[i], 2);
    }
  }
  EXPECT_GT(opened, 0);
  EXPECT_LT(opened, 150);
}

}  // namespace
}  // namespace dubito
