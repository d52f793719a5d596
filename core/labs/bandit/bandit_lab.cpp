// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/bandit/bandit_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/nan.h"
#include "core/base/splitmix64.h"
#include "core/labs/bandit/table_bandit.h"

namespace dubito {
namespace {

/// Points of a curve, at most about.
constexpr std::int64_t kCurvePoints = 400;
/// Fewer for the world: each is a mean over the steps since the one before.
constexpr std::int64_t kWorldPoints = 60;
/// Numbers that all games together may remember: 800 MB.
constexpr std::int64_t kMaxRemembered = 100'000'000;

Expected<BanditProblemPtr> openProblem(const BanditLabOptions& options, RunContext& context) {
  if (options.isWorld()) {
    return nullptr;
  }
  if (options.problem == "wheel") {
    return std::make_shared<WheelBandit>(options.delta);
  }
  if (options.problem == "linear") {
    return std::make_shared<LinearBandit>(options.arms, options.dimensions, options.reward_noise);
  }
  auto table = readLabelledTable(options.problem, context);
  if (!table) {
    return failWith(table);
  }
  return std::make_shared<TableBandit>(*std::move(table));
}

QLearnerOptions learnerOptions(const BanditLabOptions& options, const std::string& agent) {
  return {.exploration = agent == "mc-dropout" ? Exploration::kThompson
                         : agent == "uniform"  ? Exploration::kUniform
                                               : Exploration::kEpsilonGreedy,
          .epsilon = options.agent.epsilon,
          .exploration_steps = options.exploration_steps,
          .drop_rate = options.agent.drop_rate,
          .hidden_units = options.agent.hidden_units,
          .learning_rate = options.agent.learning_rate,
          .batch_size = options.agent.batch_size};
}

}  // namespace

std::uint64_t seedOfGame(std::uint64_t seed, std::int64_t game) {
  return splitmix64(splitmix64(seed) + static_cast<std::uint64_t>(game));
}

Expected<BanditLab> BanditLab::start(const BanditLabOptions& options, std::uint64_t seed,
                                     RunContext& context) {
  if (const Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  auto problem = openProblem(options, context);
  if (!problem) {
    return failWith(problem);
  }
  const std::int64_t width = *problem ? (*problem)->contextSize() + 4 : 0;
  const std::int64_t games = options.seeds * std::ssize(options.agents);
  if (width * games * options.steps > kMaxRemembered) {
    return fail(ErrorCode::kOutOfMemory,
                fmt::format("{} games of {} rounds are too many to be remembered; play fewer games "
                            "or rounds",
                            games, options.steps));
  }
  BanditLab lab(options, *std::move(problem));
  lab.addTrials(seed);
  return lab;
}

std::int64_t BanditLab::stride() const {
  const std::int64_t points = options_.isWorld() ? kWorldPoints : kCurvePoints;
  return (options_.steps + points - 1) / points;
}

void BanditLab::addTrials(std::uint64_t seed) {
  for (const std::string& agent : options_.agents) {
    for (std::int64_t g = 0; g < options_.seeds; ++g) {
      const std::uint64_t game_seed = seedOfGame(seed, g);
      if (!problem_) {
        trials_.push_back(makeWorldTrial(learnerOptions(options_, agent), game_seed, stride()));
        continue;
      }
      const BanditGame game{problem_->armCount(), problem_->contextSize(), game_seed};
      trials_.push_back(
          makeBanditTrial(problem_, findBanditAgent(agent)->make(game, options_.agent), game_seed,
                          stride(), g == 0 && problem_->contextSize() == 2));
    }
  }
}

Status BanditLab::advance(std::int64_t rounds, RunContext& context) {
  const std::int64_t count = std::min(rounds, total() - done_);
  if (count < 1) {
    return {};
  }
  std::vector<Status> statuses(trials_.size());
  context.forEach(trials_.size(),
                  [&](std::size_t i) { statuses[i] = trials_[i]->advance(count, context); });
  const auto failed =
      std::ranges::find_if(statuses, [](const Status& status) { return !status.has_value(); });
  if (failed != statuses.end()) {
    return *failed;
  }
  done_ += count;
  return {};
}

void BanditLab::addCurve(BanditAgentPicture& agent, std::size_t first) const {
  const auto seeds = static_cast<std::size_t>(options_.seeds);
  const auto addPoint = [&](double x, const auto& value_of) {
    std::vector<double> values;
    for (std::size_t g = 0; g < seeds; ++g) {
      values.push_back(value_of(trials_[first + g]->record()));
    }
    const MeanWithError point = meanWithError(values);
    const double reach = std::isnan(point.standard_error) ? 0.0 : 2.0 * point.standard_error;
    agent.curve.x.push_back(x);
    agent.curve.y.push_back(point.mean);
    agent.band.push_back({point.mean - reach, point.mean + reach});
  };
  agent.curve.name = agent.name;
  agent.curve.summary = kNaN;
  if (!options_.isWorld()) {
    addPoint(0.0, [](const TrialRecord&) { return 0.0; });
  }
  const std::size_t points = trials_[first]->record().values.size();
  for (std::size_t i = 0; i < points; ++i) {
    addPoint(static_cast<double>(stride() * static_cast<std::int64_t>(i + 1)),
             [i](const TrialRecord& record) { return record.values[i]; });
  }
  // The rounds since the last point.
  if (!options_.isWorld() && done_ % stride() != 0) {
    addPoint(static_cast<double>(done_), [](const TrialRecord& record) { return record.regret; });
  }
}

void BanditLab::addNumbers(BanditAgentPicture& agent, std::size_t first) const {
  std::vector<double> normalised;
  std::vector<double> rewards;
  agent.arm_counts.assign(trials_[first]->record().arm_counts.size(), 0);
  for (std::size_t g = 0; g < static_cast<std::size_t>(options_.seeds); ++g) {
    const TrialRecord& record = trials_[first + g]->record();
    agent.regret_of_games.push_back(record.regret);
    normalised.push_back(record.uniform_regret > 0.0 ? 100.0 * record.regret / record.uniform_regret
                                                     : kNaN);
    rewards.push_back(record.reward / static_cast<double>(std::max(record.done, std::int64_t{1})));
    agent.eaten_good += record.eaten_good;
    agent.eaten_bad += record.eaten_bad;
    for (std::size_t arm = 0; arm < agent.arm_counts.size(); ++arm) {
      agent.arm_counts[arm] += record.arm_counts[arm];
    }
  }
  agent.reward = meanWithError(rewards);
  agent.regret = {kNaN, kNaN};
  agent.normalised = {kNaN, kNaN};
  if (!options_.isWorld()) {
    agent.regret = meanWithError(agent.regret_of_games);
    agent.normalised = meanWithError(normalised);
  } else {
    agent.regret_of_games.clear();
  }
}

BanditPicture BanditLab::picture() const {
  BanditPicture picture;
  picture.is_world = options_.isWorld();
  picture.done = done_;
  picture.total = total();
  picture.seeds = options_.seeds;
  if (problem_) {
    picture.arm_names = problem_->armNames();
    picture.plane_names = problem_->planeNames();
    picture.expected_uniform_regret = problem_->expectedUniformRegret();
    picture.notes = problem_->notes();
  } else {
    picture.arm_names = {"straight on", "left", "right", "sharp left", "sharp right"};
  }
  for (std::size_t a = 0; a < options_.agents.size(); ++a) {
    const BanditAgentInfo& info = *findBanditAgent(options_.agents[a]);
    const std::size_t first = a * static_cast<std::size_t>(options_.seeds);
    BanditAgentPicture agent;
    agent.key = info.key;
    agent.name = info.name;
    agent.short_name = info.short_name;
    addCurve(agent, first);
    addNumbers(agent, first);
    agent.pulls = trials_[first]->pulls();
    agent.world = trials_[first]->world();
    picture.agents.push_back(std::move(agent));
  }
  return picture;
}

}  // namespace dubito
