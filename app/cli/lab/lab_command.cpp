// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "app/cli/lab/lab_commands.h"
#include "app/cli/report_flags.h"
#include "core/labs/catalogue/laboratories.h"

namespace dubito::cli {
namespace {

using Declare = Command (*)(CLI::App& app);

Declare commandOf(Laboratory laboratory, const NetworkLabCommands& networks) {
  switch (laboratory) {
    case Laboratory::kRegressionMethods:
      return labRegressionCommand;
    case Laboratory::kSampler:
      return labSamplerCommand;
    case Laboratory::kSimplex:
      return labSimplexCommand;
    case Laboratory::kSamples:
      return labSamplesCommand;
    case Laboratory::kBandit:
      return labBanditCommand;
    case Laboratory::kClassificationMethods:
      return labClassificationCommand;
    case Laboratory::kDropoutRate:
      return labDropoutRateCommand;
    case Laboratory::kReferral:
      return labReferralCommand;
    case Laboratory::kRotation:
      return networks.rotation;
    case Laboratory::kUci:
      return labUciCommand;
  }
  throw std::logic_error("commandOf: unknown laboratory");
}

/// A subcommand without a page of its own.
struct LabTool {
  const char* key;
  const char* explanation;
  Declare declare;
};

constexpr std::array kTools{LabTool{
    "gp", "One Gaussian process in the units of the data: evidence, its gradient, predictions.",
    labGpCommand}};

struct Arguments {
  bool list = false;
  ReportFlags output;
};

Status listLaboratories(const Arguments& arguments) {
  nlohmann::json list = nlohmann::json::array();
  std::string text;
  for (const LaboratoryInfo& info : laboratories()) {
    list.push_back({{"key", info.key}, {"name", info.name}, {"explanation", info.explanation}});
    text += fmt::format("{:<16}{}\n", info.key, info.explanation);
  }
  nlohmann::json tools = nlohmann::json::array();
  text += "\nWithout a page in the window:\n";
  for (const LabTool& tool : kTools) {
    tools.push_back({{"key", tool.key}, {"explanation", tool.explanation}});
    text += fmt::format("{:<16}{}\n", tool.key, tool.explanation);
  }
  return arguments.output.report({{"laboratories", list}, {"tools", tools}}, text);
}

}  // namespace

Command labCommandWith(CLI::App& app, const NetworkLabCommands& networks) {
  const auto arguments = std::make_shared<Arguments>();
  const auto chosen = std::make_shared<Command>();
  app.require_subcommand(0, 1);
  app.add_flag("--list", arguments->list, "list the laboratories");
  arguments->output.declareJson(app);
  const auto add = [&app, chosen](const char* key, const char* explanation, Declare declare) {
    CLI::App* const sub = app.add_subcommand(key, explanation);
    sub->preparse_callback([chosen, declare, sub](std::size_t) { *chosen = declare(*sub); });
  };
  for (const LaboratoryInfo& info : laboratories()) {
    add(info.key, info.explanation, commandOf(info.id, networks));
  }
  for (const LabTool& tool : kTools) {
    add(tool.key, tool.explanation, tool.declare);
  }
  return {[arguments, chosen](RunContext& context) {
    if (chosen->run) {
      return chosen->run(context);
    }
    return arguments->list ? listLaboratories(*arguments)
                           : usageError("lab: name a laboratory; lab --list shows them");
  }};
}

}  // namespace dubito::cli
