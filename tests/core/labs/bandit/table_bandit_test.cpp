// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/bandit/table_bandit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>

#include "core/labs/bandit/bandit_lab.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

class TableBanditTest : public testing::Test {
 protected:
  /// "csv:" and the path of a file with this text.
  std::string specification(const std::string& text) {
    const std::string path = (folder_.path() / "table.csv").string();
    std::ofstream(path) << text;
    return "csv:" + path;
  }
  std::string errorOf(const std::string& specification) {
    RunContext context;
    const auto table = readLabelledTable(specification, context);
    EXPECT_FALSE(table);
    return table ? "" : table.error().message;
  }

 private:
  test::TempDir folder_;
};

TEST_F(TableBanditTest, ReadsNumbersAndClasses) {
  RunContext context;
  const auto table = readLabelledTable(
      specification("name,a,b,kind\nx,1,10,red\ny,2,20,blue\nz,,5,red\nw,3,60,red\n"), context);
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_EQ(table->feature_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(table->class_names, (std::vector<std::string>{"blue", "red"}));
  EXPECT_EQ(table->labels, (std::vector<std::int64_t>{1, 0, 1}));
  ASSERT_EQ(table->notes.size(), 1U);
  EXPECT_EQ(table->notes[0], "1 row with a missing number or label left out");
  const TableBandit bandit(*table);
  EXPECT_EQ(bandit.armCount(), 2);
  EXPECT_EQ(*bandit.expectedUniformRegret(), 0.5);
  BanditRound round;
  bandit.play(1, 0, round);
  // Standardised: mean 2 and standard deviation sqrt(2/3) of a.
  const double std = std::sqrt(2.0 / 3.0);
  const double a = round.context[0] * std + 2.0;
  EXPECT_NEAR(a, std::round(a), 1e-12);
  EXPECT_EQ(round.expected[0], a > 1.5 && a < 2.5 ? 1.0 : 0.0);
  EXPECT_EQ(round.expected[0] + round.expected[1], 1.0);
}

TEST_F(TableBanditTest, TakesTheLabelFromTheNamedColumn) {
  RunContext context;
  const auto table =
      readLabelledTable(specification("kind,a\n10,1\n9,2\n10,3\n") + "?label=kind", context);
  ASSERT_TRUE(table) << table.error().message;
  // In the order of the numbers, not of the letters.
  EXPECT_EQ(table->class_names, (std::vector<std::string>{"9", "10"}));
  EXPECT_EQ(table->feature_names, std::vector<std::string>{"a"});
}

TEST_F(TableBanditTest, KeepsConstantColumnsAtZero) {
  RunContext context;
  const auto table =
      readLabelledTable(specification("a,b,c\n0.1,1,x\n0.1,2,y\n0.1,3,y\n"), context);
  ASSERT_TRUE(table);
  BanditRound round;
  TableBandit(*table).play(1, 0, round);
  EXPECT_EQ(round.context[0], 0.0);
  EXPECT_NE(round.context[1], 0.0);
}

TEST_F(TableBanditTest, SaysWhatIsWrongWithATable) {
  const std::string one_class = specification("a,kind\n1,x\n2,x\n");
  EXPECT_NE(errorOf(one_class).find("a single class"), std::string::npos);
  RunContext context;
  EXPECT_EQ(readLabelledTable(one_class, context).error().remedy.settings,
            std::vector{datasetSetting("label", "COLUMN")});
  EXPECT_NE(errorOf(specification("a,kind\nnan,x\nnan,y\n")).find("no row with numbers"),
            std::string::npos);
  EXPECT_NE(errorOf(specification("a,kind\nred,x\nblue,y\n")).find("no row has numbers"),
            std::string::npos);
  EXPECT_NE(errorOf(specification("a,kind\n1,x\n2,y\n") + "?label=sort").find("no column"),
            std::string::npos);
  EXPECT_NE(errorOf(specification("a,kind\n1,x\n2,y\n") + "?x=a").find("unknown option"),
            std::string::npos);
  std::string many = "a,kind\n";
  for (int i = 0; i < 21; ++i) {
    many += "1," + std::to_string(i) + "\n";
  }
  EXPECT_NE(errorOf(specification(many)).find("21 classes"), std::string::npos);
  EXPECT_NE(errorOf("csv:/no/such/file.csv").find("file.csv"), std::string::npos);
  EXPECT_NE(errorOf("roulette").find("unknown problem"), std::string::npos);
}

TEST_F(TableBanditTest, IsLearnedByEveryAgent) {
  // Two clusters that a line separates.
  std::string text = "a,b,kind\n";
  for (int i = 0; i < 50; ++i) {
    text += std::to_string(i % 10) + "," + std::to_string(i / 10) + ",left\n";
    text += std::to_string(20 + i % 10) + "," + std::to_string(i / 10) + ",right\n";
  }
  BanditLabOptions options;
  options.problem = specification(text);
  options.steps = 400;
  options.seeds = 2;
  options.agents.clear();
  for (const BanditAgentInfo& info : banditAgents()) {
    options.agents.emplace_back(info.key);
  }
  RunContext context;
  context.threads = 2;
  auto lab = BanditLab::start(options, 1, context);
  ASSERT_TRUE(lab) << lab.error().message;
  ASSERT_TRUE(lab->advance(400, context));
  for (const BanditAgentPicture& agent : lab->picture().agents) {
    if (agent.key == "uniform") {
      EXPECT_NEAR(agent.normalised.mean, 100.0, 15.0);
    } else {
      EXPECT_LT(agent.normalised.mean, 35.0) << agent.key;
    }
    EXPECT_EQ(agent.pulls.size(), 400U);  // two columns are a plane
  }
}

}  // namespace
}  // namespace dubito
