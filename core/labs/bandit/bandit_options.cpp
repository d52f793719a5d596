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
