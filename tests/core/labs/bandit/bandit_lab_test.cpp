// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/bandit/bandit_lab.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace dubito {
namespace {

BanditPicture pictureAfter(const BanditLabOptions& options, std::int64_t rounds, int threads,
                           std::int64_t per_call, std::uint64_t seed = 3) {
  RunContext context;
  context.threads = threads;
  auto lab = BanditLab::start(options, seed, context);
  EXPECT_TRUE(lab) << lab.error().message;
  for (std::int64_t done = 0; done < rounds; done += per_call) {
    EXPECT_TRUE(lab->advance(std::min(per_call, rounds - done), context));
  }
  return lab->picture();
}

std::string errorOf(const BanditLabOptions& options) {
  RunContext context;
  const auto lab = BanditLab::start(options, 0, context);
  EXPECT_FALSE(lab);
  return lab ? "" : lab.error().message;
}

BanditLabOptions everyAgent() {
  BanditLabOptions options;
  options.delta = 0.7;
  options.steps = 300;
  options.seeds = 2;
  options.agents.clear();
  for (const BanditAgentInfo& info : banditAgents()) {
    options.agents.emplace_back(info.key);
  }
  return options;
}

void expectSame(const BanditPicture& a, const BanditPicture& b) {
  ASSERT_EQ(a.agents.size(), b.agents.size());
  for (std::size_t i = 0; i < a.agents.size(); ++i) {
    EXPECT_EQ(a.agents[i].curve.x, b.agents[i].curve.x) << a.agents[i].key;
    EXPECT_EQ(a.agents[i].curve.y, b.agents[i].curve.y) << a.agents[i].key;
    EXPECT_EQ(a.agents[i].arm_counts, b.agents[i].arm_counts) << a.agents[i].key;
    EXPECT_EQ(a.agents[i].regret_of_games, b.agents[i].regret_of_games) << a.agents[i].key;
    EXPECT_EQ(a.agents[i].reward.mean, b.agents[i].reward.mean) << a.agents[i].key;
  }
}

TEST(BanditLab, DependsOnTheSeedAlone) {
  const BanditLabOptions options = everyAgent();
  const BanditPicture once = pictureAfter(options, 300, 1, 300);
  expectSame(once, pictureAfter(options, 300, 4, 7));
  const BanditPicture other = pictureAfter(options, 300, 1, 300, 4);
  for (std::size_t i = 0; i < once.agents.size(); ++i) {
    EXPECT_NE(once.agents[i].curve.y, other.agents[i].curve.y);
  }
}

TEST(BanditLab, AnAgentPlaysTheSameWhoeverElsePlays) {
  BanditLabOptions alone = everyAgent();
  const BanditPicture all = pictureAfter(alone, 300, 2, 300);
  alone.agents = {"ensemble"};
  const BanditPicture single = pictureAfter(alone, 300, 2, 300);
  const auto found = std::ranges::find(all.agents, "ensemble", &BanditAgentPicture::key);
  EXPECT_EQ(found->curve.y, single.agents[0].curve.y);
}

TEST(BanditLab, GreedyMissesTheRingThatThompsonSamplingFinds) {
  BanditLabOptions options;
  options.delta = 0.95;
  options.steps = 2000;
  options.seeds = 10;
  options.agents = {"greedy", "laplace", "linear"};
  const BanditPicture picture = pictureAfter(options, 2000, 2, 2000);
  const auto& greedy = picture.agents[0];
  // Without the ring, the safe arm alone is worse than arms at random.
  const double stuck = 1.1 * *picture.expected_uniform_regret * 2000.0;
  const auto stuck_games = std::ranges::count_if(greedy.regret_of_games,
                                                 [stuck](double regret) { return regret > stuck; });
  EXPECT_GE(stuck_games, 7);
  for (std::size_t a = 1; a < 3; ++a) {
    int better = 0;
    for (std::size_t g = 0; g < 10; ++g) {
      better += picture.agents[a].regret_of_games[g] < 0.75 * greedy.regret_of_games[g] ? 1 : 0;
    }
    EXPECT_GE(better, 8) << picture.agents[a].key;
    EXPECT_LT(picture.agents[a].normalised.mean, 70.0) << picture.agents[a].key;
  }
}

TEST(BanditLab, CurvesAreMeansOverTheGames) {
  BanditLabOptions options = everyAgent();
  options.agents = {"uniform"};
  options.seeds = 4;
  options.steps = 1000;
  const BanditPicture picture = pictureAfter(options, 1000, 2, 1000);
  const BanditAgentPicture& agent = picture.agents[0];
  const auto& games = agent.regret_of_games;
  ASSERT_EQ(games.size(), 4U);
  const double mean = (games[0] + games[1] + games[2] + games[3]) / 4.0;
  double squares = 0.0;
  for (const double regret : games) {
    squares += (regret - mean) * (regret - mean);
  }
  const double error = std::sqrt(squares / 3.0 / 4.0);
  EXPECT_EQ(agent.curve.x.front(), 0.0);
  EXPECT_EQ(agent.curve.y.front(), 0.0);
  EXPECT_EQ(agent.curve.x.back(), 1000.0);
  EXPECT_NEAR(agent.curve.y.back(), mean, 1e-9);
  EXPECT_NEAR(agent.band.back().high, mean + 2.0 * error, 1e-9);
  EXPECT_NEAR(agent.regret.standard_error, error, 1e-9);
  EXPECT_LE(agent.curve.x.size(), 402U);
  EXPECT_EQ(agent.arm_counts[0] + agent.arm_counts[1] + agent.arm_counts[2] + agent.arm_counts[3] +
                agent.arm_counts[4],
            4000);
  // Regret grows.
  EXPECT_TRUE(std::ranges::is_sorted(agent.curve.y));
  // A single game has no error.
  options.seeds = 1;
  EXPECT_TRUE(std::isnan(pictureAfter(options, 10, 1, 10).agents[0].regret.standard_error));
}

TEST(BanditLab, EndsAfterItsRounds) {
  BanditLabOptions options = everyAgent();
  options.agents = {"uniform"};
  options.steps = 50;
  EXPECT_EQ(pictureAfter(options, 80, 1, 30).done, 50);
}

TEST(BanditLab, PlaysTheSmallWorld) {
  BanditLabOptions options;
  options.problem = "agent";
  options.agents = {"mc-dropout", "epsilon-greedy", "uniform"};
  options.steps = 600;
  options.seeds = 2;
  const BanditPicture picture = pictureAfter(options, 600, 1, 600);
  expectSame(picture, pictureAfter(options, 600, 3, 17));
  EXPECT_TRUE(picture.is_world);
  for (const BanditAgentPicture& agent : picture.agents) {
    EXPECT_EQ(agent.curve.x.size(), 60U);
    EXPECT_TRUE(std::isnan(agent.regret.mean));
    ASSERT_TRUE(agent.world);
    EXPECT_EQ(agent.world->steps, 600);
  }
  EXPECT_EQ(picture.agents[2].world->random_share, 1.0);
}

TEST(BanditLab, SaysWhatIsWrong) {
  BanditLabOptions options;
  options.agents = {"oracle"};
  EXPECT_NE(errorOf(options).find("unknown agent"), std::string::npos);
  options.agents = {};
  EXPECT_NE(errorOf(options).find("no agent"), std::string::npos);
  options.agents = {"linear", "linear"};
  EXPECT_NE(errorOf(options).find("twice"), std::string::npos);
  options.problem = "agent";
  options.agents = {"laplace"};
  EXPECT_NE(errorOf(options).find("small world"), std::string::npos);
  options = {};
  options.delta = 1.5;
  EXPECT_NE(errorOf(options).find("δ is 1.5"), std::string::npos);
  EXPECT_EQ(options.check().error().remedy.settings, std::vector{setting("delta")});
  options = {};
  options.steps = 200000;
  options.seeds = 100;
  EXPECT_NE(errorOf(options).find("remembered"), std::string::npos);
}

TEST(BanditLab, AgentsSayThatTheirNetworkDiverges) {
  BanditAgentOptions options;
  options.learning_rate = 1e200;
  for (const char* key : {"greedy", "mc-dropout", "ensemble", "laplace"}) {
    const auto agent = findBanditAgent(key)->make({2, 1, 7}, options);
    Status learned;
    for (std::uint32_t step = 0; step < 100 && learned; ++step) {
      const std::vector<double> context = {0.1 * step};
      learned = agent->learn(step, context, step % 2, 1.0 + step % 2);
    }
    ASSERT_FALSE(learned) << key;
    EXPECT_NE(learned.error().message.find("lower the learning rate"), std::string::npos);
  }
}

TEST(BanditLab, IsCancelledWithinARound) {
  BanditLabOptions options;
  RunContext context;
  auto lab = BanditLab::start(options, 0, context);
  ASSERT_TRUE(lab);
  context.control()->requestCancel();
  const Status played = lab->advance(1000, context);
  ASSERT_FALSE(played);
  EXPECT_EQ(played.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace dubito
