// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

#include "core/base/in_quotes.h"
#include "core/base/info_keys.h"
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
      field(&epsilon, "epsilon", "ε",
            "probability with which an epsilon-greedy agent takes a random choice; the agent of "
            "the small world begins at 1 and comes down to it",
            {.min = 0.0, .max = 1.0}),
      field(&drop_rate, "drop_rate", "Drop rate",
            "probability that a hidden unit is dropped, of MC dropout", {.min = 0.0, .max = 0.95}),
      field(&members, "members", "Members", "networks of the ensemble", {.min = 1, .max = 50}),
      field(&inclusion, "inclusion", "Inclusion",
            "probability with which a member of the ensemble learns from a round; 1: the members "
            "differ in their starting points alone",
            {.min = 0.01, .max = 1.0, .advanced = true}),
      field(&prior_precision, "prior_precision", "Prior precision",
            "precision of the weights of a linear model relative to that of the noise",
            {.min = 1e-9, .max = 1e9, .advanced = true}),
      field(&noise_shape, "noise_shape", "Noise shape",
            "shape of the inverse gamma prior of the variance of the noise",
            {.min = 1.0, .max = 1e9, .advanced = true}),
      field(&noise_rate, "noise_rate", "Noise rate",
            "rate of the inverse gamma prior of the variance of the noise",
            {.min = 1e-12, .max = 1e9, .advanced = true}),
      field(&initial_pulls, "initial_pulls", "Initial pulls",
            "pulls of each arm in turn before an agent decides",
            {.min = 0, .max = 1000, .advanced = true}),
      field(&hidden_units, "hidden_units", "Hidden units", "units of the hidden layer of a network",
            {.min = 1, .max = 256, .advanced = true}),
      field(&train_every, "train_every", "Train every", "rounds between two trainings of a network",
            {.min = 1, .max = 10000, .advanced = true}),
      field(&batches, "batches", "Batches", "steps of the optimiser per training",
            {.min = 1, .max = 10000, .advanced = true}),
      field(&batch_size, "batch_size", "Batch size", "rounds per step of the optimiser",
            {.min = 1, .max = 4096, .advanced = true}),
      field(&learning_rate, "learning_rate", "Learning rate", "step size of Adam",
            {.min = 1e-7, .max = 10.0}),
  };
}

bool playsWorld(const std::string& agent) {
  return std::ranges::find(kWorldAgents, agent) != kWorldAgents.end();
}

std::vector<Field> BanditLabOptions::fields() {
  const auto requires_problem = [this](const char* wanted) {
    return allUnless(problem == wanted, {setting("problem", wanted)});
  };
  std::vector<Field> all{
      field(&problem, "problem", "Problem",
            "what is played: wheel, linear, agent, or csv:FILE?label=COLUMN with an arm per class"),
      field(&delta, "delta", "δ",
            "radius of the wheel beyond which one arm pays 50; the larger, the rarer",
            {.min = 0.0, .max = 0.9999, .unmet_requirement = requires_problem("wheel")}),
      field(&arms, "arms", "Arms", "arms of the linear bandit",
            {.min = 2, .max = 20, .unmet_requirement = requires_problem("linear")}),
      field(&dimensions, "dimensions", "Dimensions", "width of a context of the linear bandit",
            {.min = 1, .max = 50, .unmet_requirement = requires_problem("linear")}),
      field(&reward_noise, "reward_noise", "Reward noise",
            "standard deviation of a reward of the linear bandit",
            {.min = 0.0, .max = 100.0, .unmet_requirement = requires_problem("linear")}),
      field(&steps, "steps", "Steps", "rounds of a game, or steps in the small world",
            {.min = 1, .max = 200000}),
      field(&seeds, "seeds", "Games",
            "games per agent, each with random numbers of its own; bands need two",
            {.min = 1, .max = 100}),
      field(&exploration_steps, "exploration_steps", "Exploration steps",
            "steps over which epsilon-greedy in the small world comes down from random actions",
            {.min = 0, .max = 1e6, .unmet_requirement = requires_problem("agent")}),
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
  if (Status checked = checkFieldsOf(*this); !checked) {
    return checked;
  }
  if (agents.empty()) {
    return fail(ErrorCode::kInvalidArgument, "no agent plays; choose at least one");
  }
  for (std::size_t i = 0; i < agents.size(); ++i) {
    if (findBanditAgent(agents[i]) == nullptr) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: unknown agent; use {}", inQuotes(agents[i]),
                              fmt::join(infoKeys(banditAgents()), ", ")));
    }
    if (std::ranges::count(std::span(agents).first(i), agents[i]) > 0) {
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
