// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "app/cli/lab/lab_commands.h"
#include "app/cli/report_flags.h"
#include "core/labs/catalogue/laboratories.h"

namespace dubito::cli {
namespace {

using Declare = Command (*)(CLI::App& app);

Declare commandOf(Laboratory laboratory) {
  switch (laboratory) {
    case Laboratory::kRegression:
      return labRegressionCommand;
    case Laboratory::kSampler:
      return labSamplerCommand;
    case Laboratory::kSimplex:
      return labSimplexCommand;
    case Laboratory::kSamples:
      return labSamplesCommand;
    case Laboratory::kUci:
      return labUciCommand;
  }
  throw std::logic_error("commandOf: unknown laboratory");
}

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
  return arguments.output.report({{"laboratories", list}}, text);
}

}  // namespace

Command labCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  const auto chosen = std::make_shared<Command>();
  app.require_subcommand(0, 1);
  app.add_flag("--list", arguments->list, "list the laboratories");
  arguments->output.declareJson(app);
  for (const LaboratoryInfo& info : laboratories()) {
    CLI::App* const sub = app.add_subcommand(info.key, info.explanation);
    sub->preparse_callback(
        [chosen, &info, sub](std::size_t) { *chosen = commandOf(info.id)(*sub); });
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
