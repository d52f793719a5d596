// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "core/base/in_quotes.h"
#include "core/labs/bandit/bandit_lab.h"

namespace dubito {
namespace {

constexpr std::array kWorldAgents{"mc-dropout", "epsilon-greedy", "uniform"};

/// Options of agents with an effect in the small world.
constexpr std::array kWorldOptions{"epsilon", "drop_rate", "hidden_units", "batch_size",
                                   "learning_rate"};

}  // namespace

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

bool playsWorld(const std::string& agent) {
  return std::ranges::find(kWorldAgents, agent) != kWorldAgents.end();
}

std::vector<Field> BanditLabOptions::fields() {
  const auto requires_problem = [this](const char* wanted) {
    return allUnless(problem == wanted, {setting("problem", wanted)});
  };
  std::vector<Field> all{
      {{.name = "problem",
        .label = "Problem",
        .help = "what is played: wheel, linear, agent, or csv:FILE?label=COLUMN with an arm per "
                "class"},
       &problem},
      {{.name = "delta",
        .label = "δ",
        .help = "radius of the wheel beyond which one arm pays 50; the larger, the rarer",
        .min = 0.0,
        .max = 0.9999,
        .unmet_requirement = requires_problem("wheel")},
       &delta},
      {{.name = "arms",
        .label = "Arms",
        .help = "arms of the linear bandit",
        .min = 2,
        .max = 20,
        .unmet_requirement = requires_problem("linear")},
       &arms},
      {{.name = "dimensions",
        .label = "Dimensions",
        .help = "width of a context of the linear bandit",
        .min = 1,
        .max = 50,
        .unmet_requirement = requires_problem("linear")},
       &dimensions},
      {{.name = "reward_noise",
        .label = "Reward noise",
        .help = "standard deviation of a reward of the linear bandit",
        .min = 0.0,
        .max = 100.0,
        .unmet_requirement = requires_problem("linear")},
       &reward_noise},
      {{.name = "steps",
        .label = "Steps",
        .help = "rounds of a game, or steps in the small world",
        .min = 1,
        .max = 200000},
       &steps},
      {{.name = "seeds",
        .label = "Games",
        .help = "games per agent, each with random numbers of its own; bands need two",
        .min = 1,
        .max = 100},
       &seeds},
      {{.name = "exploration_steps",
        .label = "Exploration steps",
        .help = "steps over which epsilon-greedy in the small world comes down from random actions",
        .min = 0,
        .max = 1e6,
        .unmet_requirement = requires_problem("agent")},
       &exploration_steps},
  };
  std::vector<Field> of_agents = agent.fields();
  for (Field& field : of_agents) {
    if (isWorld() && std::ranges::find(kWorldOptions, field.info.name) == kWorldOptions.end()) {
      field.info.unmet_requirement = Requirement{{setting("problem", "wheel, linear or csv:FILE")}};
    }
  }
  std::ranges::move(of_agents, std::back_inserter(all));
  return all;
}

Status BanditLabOptions::check() const {
  BanditLabOptions copy = *this;
  if (Status checked = checkFields(copy.fields()); !checked) {
    return checked;
  }
  if (agents.empty()) {
    return fail(ErrorCode::kInvalidArgument, "no agent plays; choose at least one");
  }
  for (std::size_t i = 0; i < agents.size(); ++i) {
    if (findBanditAgent(agents[i]) == nullptr) {
      std::string known;
      for (const BanditAgentInfo& info : banditAgents()) {
        known += (known.empty() ? "" : ", ") + std::string(info.key);
      }
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: unknown agent; use {}", inQuotes(agents[i]), known));
    }
    if (std::ranges::find(agents.begin(), agents.begin() + static_cast<std::ptrdiff_t>(i),
                          agents[i]) != agents.begin() + static_cast<std::ptrdiff_t>(i)) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("the agent {} is named twice; name each once", agents[i]));
    }
    if (isWorld() && !playsWorld(agents[i])) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("the agent {} does not live in the small world; use mc-dropout, "
                              "epsilon-greedy or uniform",
                              agents[i]));
    }
  }
  return {};
}

}  // namespace dubito
