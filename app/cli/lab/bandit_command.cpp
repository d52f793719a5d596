// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/csv_text.h"
#include "app/cli/lab/experiment.h"
#include "app/cli/lab/lab_commands.h"
#include "core/base/info_keys.h"
#include "core/base/stopwatch.h"
#include "core/labs/bandit/bandit_lab.h"

namespace dubito::cli {
namespace {

using nlohmann::json;

struct BanditArguments : ExperimentArguments<BanditLabOptions> {
  CLI::Option* agents = nullptr;

  [[nodiscard]] Status prepare(RunContext& context) {
    if (options.isWorld() && agents->count() == 0) {
      options.agents = {"mc-dropout", "epsilon-greedy"};
    }
    return ExperimentArguments::prepare(context);
  }
};

/// {"mean", "standard_error"}; the error of a single game is absent.
json meanToJson(const MeanWithError& value) {
  json result = {{"mean", value.mean}};
  if (std::isfinite(value.standard_error)) {
    result["standard_error"] = value.standard_error;
  }
  return result;
}

json agentToJson(const BanditAgentPicture& agent, const BanditPicture& picture) {
  json low = json::array();
  json high = json::array();
  for (const Interval& interval : agent.band) {
    low.push_back(interval.low);
    high.push_back(interval.high);
  }
  json counts = json::object();
  for (std::size_t arm = 0; arm < agent.arm_counts.size(); ++arm) {
    counts[picture.arm_names[arm]] = agent.arm_counts[arm];
  }
  json result = {{"key", agent.key},
                 {"name", agent.name},
                 {"reward", meanToJson(agent.reward)},
                 {picture.is_world ? "actions" : "pulls", counts},
                 {"curve",
                  {{"round", agent.curve.x},
                   {picture.is_world ? "reward" : "regret", agent.curve.y},
                   {"low", low},
                   {"high", high}}}};
  if (picture.is_world) {
    result["eaten_good"] = agent.eaten_good;
    result["eaten_bad"] = agent.eaten_bad;
  } else {
    result["regret"] = meanToJson(agent.regret);
    result["normalised_regret"] = meanToJson(agent.normalised);
    result["regret_of_games"] = agent.regret_of_games;
  }
  return result;
}

json banditToJson(const BanditPicture& picture, double seconds) {
  json agents = json::array();
  for (const BanditAgentPicture& agent : picture.agents) {
    agents.push_back(agentToJson(agent, picture));
  }
  json result = {{"rounds", picture.done},
                 {"games", picture.seeds},
                 {"agents", agents},
                 {"notes", picture.notes},
                 {"seconds", seconds}};
  if (picture.expected_uniform_regret) {
    result["uniform_regret_per_round"] = *picture.expected_uniform_regret;
  }
  return result;
}

/// "12.3 ± 0.4", or "12.3" for a single game.
std::string withError(const MeanWithError& value) {
  return std::isfinite(value.standard_error)
             ? fmt::format("{:.4g} ± {:.2g}", value.mean, value.standard_error)
             : fmt::format("{:.4g}", value.mean);
}

std::string banditToText(const BanditArguments& arguments, const BanditPicture& picture,
                         double seconds) {
  std::string text =
      fmt::format("{}, {} {} of {} rounds, seed {}\n",
                  picture.is_world ? "small world" : arguments.options.problem, picture.seeds,
                  picture.seeds == 1 ? "game" : "games", picture.done, arguments.seed);
  text += noteLines(picture.notes);
  text += picture.is_world
              ? fmt::format("{:<32}{:>20}{:>12}{:>12}\n", "", "reward per step", "good", "bad")
              : fmt::format("{:<32}{:>20}{:>20}{:>20}\n", "", "regret", "% of uniform",
                            "reward per round");
  for (const BanditAgentPicture& agent : picture.agents) {
    text += picture.is_world
                ? fmt::format("{:<32}{:>20}{:>12}{:>12}\n", agent.name, withError(agent.reward),
                              agent.eaten_good, agent.eaten_bad)
                : fmt::format("{:<32}{:>20}{:>20}{:>20}\n", agent.name, withError(agent.regret),
                              withError(agent.normalised), withError(agent.reward));
  }
  return text + fmt::format("{:.2f} s\n", seconds);
}

Expected<ExperimentReport> playGames(const BanditArguments& arguments, RunContext& context) {
  auto lab = BanditLab::start(arguments.options, arguments.seed, context);
  if (!lab) {
    return failWith(lab);
  }
  const Stopwatch watch;
  if (Status finished = runToEnd(*lab, "Playing", context); !finished) {
    return failWith(finished);
  }
  const double seconds = watch.seconds();
  const BanditPicture picture = lab->picture();
  const std::int64_t points = std::ssize(picture.agents.front().curve.x);
  // One line per agent and point of its curve.
  return ExperimentReport{
      banditToJson(picture, seconds), banditToText(arguments, picture, seconds),
      picture.is_world ? "agent,step,reward,low,high" : "agent,round,regret,low,high",
      points * std::ssize(picture.agents), [picture, points](std::int64_t row) {
        const auto& agent = picture.agents[static_cast<std::size_t>(row / points)];
        const auto i = static_cast<std::size_t>(row % points);
        return fmt::format("{},{},{},{},{}", agent.key, agent.curve.x[i],
                           numberText(agent.curve.y[i]), numberText(agent.band[i].low),
                           numberText(agent.band[i].high));
      }};
}

}  // namespace

Command labBanditCommand(CLI::App& app) {
  const auto arguments = std::make_shared<BanditArguments>();
  arguments->agents =
      app.add_option("--agents", arguments->options.agents,
                     fmt::format("agents, separated by commas: {}",
                                 fmt::join(infoKeys(banditAgents()), ", ")))
          ->delimiter(',')
          ->default_str(fmt::format("{}", fmt::join(arguments->options.agents, ",")));
  arguments->declare(app, "Options of the games", "seed of all games");
  arguments->output.declare(app, "CSV file to write: the curves with their bands");
  return experimentCommand(arguments, playGames);
}

}  // namespace dubito::cli
