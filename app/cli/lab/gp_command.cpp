// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/lab/experiment.h"
#include "app/cli/lab/lab_commands.h"
#include "core/labs/data/regression_files.h"
#include "core/labs/gaussian/gp_fit.h"

namespace dubito::cli {
namespace {

using nlohmann::json;

struct GpArguments : ExperimentArguments<GpFitOptions> {
  std::string csv;
};

json gpToJson(const GpArguments& arguments, std::int64_t points, const GpFit& fit,
              const std::vector<std::string>& notes) {
  json parameters = json::array();
  for (const GpFitParameter& parameter : fit.parameters) {
    parameters.push_back(
        {{"key", parameter.key}, {"value", parameter.value}, {"gradient", parameter.gradient}});
  }
  json object{{"data", arguments.csv},
              {"n", points},
              {"kernel", fit.kernel},
              {"parameters", std::move(parameters)},
              {"log_evidence", fit.log_evidence},
              {"jitter", fit.jitter},
              {"mean_of_y", fit.mean_of_y},
              {"x", fit.x},
              {"mean", fit.mean},
              {"std_epistemic", fit.std_epistemic},
              {"std_total", fit.std_total},
              {"warnings", fit.warnings},
              {"notes", notes}};
  if (fit.log_evidence_given) {
    object["log_evidence_given"] = *fit.log_evidence_given;
  }
  return object;
}

std::string gpToText(const GpArguments& arguments, std::int64_t points, const GpFit& fit,
                     const std::vector<std::string>& notes) {
  std::string text = fmt::format("{}, {} points\n", arguments.csv, points);
  text += noteLines(notes) + noteLines(fit.warnings);
  text += fmt::format("kernel        {}\n", fit.kernel);
  text += fmt::format("log evidence  {:.10g}", fit.log_evidence);
  if (fit.log_evidence_given) {
    text += fmt::format(" ({:.10g} as given)", *fit.log_evidence_given);
  }
  text += fmt::format("\n\n{:<20}{:>14}{:>20}\n", "parameter", "value", "d log p / d log");
  for (const GpFitParameter& parameter : fit.parameters) {
    text += fmt::format("{:<20}{:>14.6g}{:>20.6g}\n", parameter.key, parameter.value,
                        parameter.gradient);
  }
  text += fmt::format("\n{:>14}{:>14}{:>14}{:>14}\n", "x", "mean", "std of f", "with noise");
  for (std::size_t i = 0; i < fit.x.size(); ++i) {
    text += fmt::format("{:>14.6g}{:>14.6g}{:>14.6g}{:>14.6g}\n", fit.x[i], fit.mean[i],
                        fit.std_epistemic[i], fit.std_total[i]);
  }
  return text;
}

Expected<ExperimentReport> fitProcess(const GpArguments& arguments, RunContext& context) {
  const auto file = readRegressionCsv(arguments.csv, context);
  if (!file) {
    return failWith(file);
  }
  const RegressionPoints& points = file->points;
  const auto fit = fitGp(points.x, points.y, estimateNoiseStd(points), arguments.options, context);
  if (!fit) {
    return failWith(fit);
  }
  return ExperimentReport{gpToJson(arguments, points.size(), *fit, file->notes),
                          gpToText(arguments, points.size(), *fit, file->notes)};
}

}  // namespace

Command labGpCommand(CLI::App& app) {
  const auto arguments = std::make_shared<GpArguments>();
  app.add_option("--csv", arguments->csv,
                 "points to learn from: FILE?x=COLUMN&y=COLUMN, by default the first two columns "
                 "with numbers")
      ->required();
  app.add_option("--seed", arguments->seed, "seed of further starting points")
      ->capture_default_str();
  arguments->OptionArguments::declare(app, "Options");
  arguments->output.declareJson(app);
  return experimentCommand(arguments, fitProcess);
}

}  // namespace dubito::cli
