// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/bandit/lab_trial.h"

#include <algorithm>
#include <deque>
#include <utility>

namespace dubito {
namespace {

class BanditTrial : public LabTrial {
 public:
  BanditTrial(BanditProblemPtr problem, std::unique_ptr<BanditAgent> agent, std::uint64_t seed,
              std::int64_t stride, bool keeps_pulls)
      : problem_(std::move(problem)),
        agent_(std::move(agent)),
        seed_(seed),
        stride_(stride),
        keeps_pulls_(keeps_pulls) {
    record_.arm_counts.resize(static_cast<std::size_t>(problem_->armCount()));
  }

  [[nodiscard]] Status advance(std::int64_t rounds, const RunContext& context) override {
    BanditRound round;
    for (std::int64_t i = 0; i < rounds; ++i) {
      if (context.cancelRequested()) {
        return cancelled();
      }
      const auto step = static_cast<std::uint32_t>(record_.done);
      problem_->play(seed_, step, round);
      const std::int64_t arm = agent_->choose(step, round.context);
      const auto index = static_cast<std::size_t>(arm);
      if (Status learned = agent_->learn(step, round.context, arm, round.rewards[index]);
          !learned) {
        return learned;
      }
      const double regret = round.best() - round.expected[index];
      record_.regret += regret;
      record_.uniform_regret += round.uniformRegret();
      record_.reward += round.rewards[index];
      ++record_.arm_counts[index];
      ++record_.done;
      if (record_.done % stride_ == 0) {
        record_.values.push_back(record_.regret);
      }
      if (keeps_pulls_) {
        if (pulls_.size() == kMaxPulls) {
          pulls_.pop_front();
        }
        pulls_.push_back({round.context[0], round.context[1], arm, regret});
      }
    }
    return {};
  }
  [[nodiscard]] std::vector<PlanePull> pulls() const override {
    return {pulls_.begin(), pulls_.end()};
  }

 private:
  BanditProblemPtr problem_;
  std::unique_ptr<BanditAgent> agent_;
  std::uint64_t seed_;
  std::int64_t stride_;
  bool keeps_pulls_;
  std::deque<PlanePull> pulls_;
};

class WorldTrial : public LabTrial {
 public:
  WorldTrial(const QLearnerOptions& options, std::uint64_t seed, std::int64_t stride)
      : world_(seed),
        learner_(FoodWorld::kStateSize, FoodWorld::kActions, options, seed),
        stride_(stride),
        state_(world_.state()) {
    record_.arm_counts.resize(FoodWorld::kActions);
  }

  [[nodiscard]] Status advance(std::int64_t rounds, const RunContext& context) override {
    for (std::int64_t i = 0; i < rounds; ++i) {
      if (context.cancelRequested()) {
        return cancelled();
      }
      const int action = learner_.choose(static_cast<std::uint32_t>(record_.done), state_);
      last_reward_ = world_.act(action);
      std::vector<double> next = world_.state();
      if (Status learned = learner_.learn(state_, action, last_reward_, next); !learned) {
        return learned;
      }
      state_ = std::move(next);
      record_.reward += last_reward_;
      window_ += last_reward_;
      ++record_.arm_counts[static_cast<std::size_t>(action)];
      ++record_.done;
      if (record_.done % stride_ == 0) {
        record_.values.push_back(window_ / static_cast<double>(stride_));
        window_ = 0.0;
      }
      constexpr std::size_t kTrail = 120;
      if (trail_.size() == kTrail) {
        trail_.pop_front();
      }
      trail_.push_back(world_.agent());
    }
    record_.eaten_good = world_.eatenGood();
    record_.eaten_bad = world_.eatenBad();
    return {};
  }
  [[nodiscard]] std::shared_ptr<const WorldPicture> world() const override {
    auto picture = std::make_shared<WorldPicture>();
    picture->walls = world_.walls();
    picture->items = world_.items();
    picture->agent = world_.agent();
    picture->eyes = world_.eyes();
    for (std::size_t eye = 0; eye < picture->eye_ends.size(); ++eye) {
      picture->eye_ends[eye] = world_.endOf(static_cast<int>(eye));
    }
    picture->trail.assign(trail_.begin(), trail_.end());
    picture->steps = world_.steps();
    picture->eaten_good = world_.eatenGood();
    picture->eaten_bad = world_.eatenBad();
    picture->last_reward = last_reward_;
    picture->random_share = learner_.randomShare(static_cast<std::uint32_t>(record_.done));
    return picture;
  }

 private:
  FoodWorld world_;
  QLearner learner_;
  std::int64_t stride_;
  std::vector<double> state_;
  std::deque<WorldPoint> trail_;
  double window_ = 0.0;  ///< sum of the rewards since the last value
  double last_reward_ = 0.0;
};

}  // namespace

std::unique_ptr<LabTrial> makeBanditTrial(BanditProblemPtr problem,
                                          std::unique_ptr<BanditAgent> agent, std::uint64_t seed,
                                          std::int64_t stride, bool keeps_pulls) {
  return std::make_unique<BanditTrial>(std::move(problem), std::move(agent), seed, stride,
                                       keeps_pulls);
}

std::unique_ptr<LabTrial> makeWorldTrial(const QLearnerOptions& options, std::uint64_t seed,
                                         std::int64_t stride) {
  return std::make_unique<WorldTrial>(options, seed, stride);
}

}  // namespace dubito
