// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "core/labs/bandit/agent_parts.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

class UniformAgent : public BanditAgent {
 public:
  explicit UniformAgent(const BanditGame& game) : game_(game) {}

  [[nodiscard]] std::int64_t choose(std::uint32_t step,
                                    std::span<const double> /*context*/) override {
    return *randomArm(1.0, game_, step);
  }
  [[nodiscard]] Status learn(std::uint32_t /*step*/, std::span<const double> /*context*/,
                             std::int64_t /*arm*/, double /*reward*/) override {
    return {};
  }

 private:
  BanditGame game_;
};

BanditAgentInfo uniformAgent() {
  return {"uniform", "Uniform", "Uniform",
          "Pulls an arm at random and learns nothing: the scale of the regret.",
          [](const BanditGame& game, const BanditAgentOptions& /*options*/)
              -> std::unique_ptr<BanditAgent> { return std::make_unique<UniformAgent>(game); }};
}

}  // namespace

std::int64_t bestArm(std::span<const double> values) {
  return std::ranges::max_element(values) - values.begin();
}

std::optional<std::int64_t> randomArm(double epsilon, const BanditGame& game, std::uint32_t step) {
  std::array<double, 2> values{};
  KeyedRandom(game.seed, LabSite::kAgent).uniforms(step, values);
  if (values[0] >= epsilon) {
    return std::nullopt;
  }
  const auto arm = static_cast<std::int64_t>(values[1] * static_cast<double>(game.arms));
  return std::min(arm, game.arms - 1);
}

const std::vector<BanditAgentInfo>& banditAgents() {
  static const std::vector<BanditAgentInfo> agents{
      laplaceThompsonAgent(),     dropoutThompsonAgent(), ensembleThompsonAgent(),
      linearThompsonAgent(),      epsilonGreedyAgent(),   greedyAgent(),
      linearEpsilonGreedyAgent(), linearGreedyAgent(),    uniformAgent()};
  return agents;
}

const BanditAgentInfo* findBanditAgent(std::string_view key) {
  const auto& all = banditAgents();
  const auto found = std::ranges::find(all, key, &BanditAgentInfo::key);
  return found == all.end() ? nullptr : &*found;
}

std::vector<Field> BanditAgentOptions::fields() {
  return {
      {{.name = "epsilon",
        .label = "ε",
        .help = "probability with which an epsilon-greedy agent takes a random choice; the agent "
                "of the small world begins at 1 and comes down to it",
        .min = 0.0,
        .max = 1.0},
       &epsilon},
      {{.name = "drop_rate",
        .label = "Drop rate",
        .help = "probability that a hidden unit is dropped, of MC dropout",
        .min = 0.0,
        .max = 0.95},
       &drop_rate},
      {{.name = "members",
        .label = "Members",
        .help = "networks of the ensemble",
        .min = 1,
        .max = 50},
       &members},
      {{.name = "inclusion",
        .label = "Inclusion",
        .help = "probability with which a member of the ensemble learns from a round; 1: the "
                "members differ in their starting points alone",
        .min = 0.01,
        .max = 1.0,
        .advanced = true},
       &inclusion},
      {{.name = "prior_precision",
        .label = "Prior precision",
        .help = "precision of the weights of a linear model relative to that of the noise",
        .min = 1e-9,
        .max = 1e9,
        .advanced = true},
       &prior_precision},
      {{.name = "noise_shape",
        .label = "Noise shape",
        .help = "shape of the inverse gamma prior of the variance of the noise",
        .min = 1.0,
        .max = 1e9,
        .advanced = true},
       &noise_shape},
      {{.name = "noise_rate",
        .label = "Noise rate",
        .help = "rate of the inverse gamma prior of the variance of the noise",
        .min = 1e-12,
        .max = 1e9,
        .advanced = true},
       &noise_rate},
      {{.name = "initial_pulls",
        .label = "Initial pulls",
        .help = "pulls of each arm in turn before an agent decides",
        .min = 0,
        .max = 1000,
        .advanced = true},
       &initial_pulls},
      {{.name = "hidden_units",
        .label = "Hidden units",
        .help = "units of the hidden layer of a network",
        .min = 1,
        .max = 256,
        .advanced = true},
       &hidden_units},
      {{.name = "train_every",
        .label = "Train every",
        .help = "rounds between two trainings of a network",
        .min = 1,
        .max = 10000,
        .advanced = true},
       &train_every},
      {{.name = "batches",
        .label = "Batches",
        .help = "steps of the optimiser per training",
        .min = 1,
        .max = 10000,
        .advanced = true},
       &batches},
      {{.name = "batch_size",
        .label = "Batch size",
        .help = "rounds per step of the optimiser",
        .min = 1,
        .max = 4096,
        .advanced = true},
       &batch_size},
      {{.name = "learning_rate",
        .label = "Learning rate",
        .help = "step size of Adam",
        .min = 1e-7,
        .max = 10.0},
       &learning_rate},
  };
}

Status BanditAgentOptions::check() const {
  BanditAgentOptions copy = *this;
  return checkFields(copy.fields());
}

}  // namespace dubito
