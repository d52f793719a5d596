// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/csv_text.h"
#include "app/cli/field_flags.h"
#include "app/cli/lab/alternative_flags.h"
#include "app/cli/lab/lab_commands.h"
#include "app/cli/report_flags.h"
#include "core/io/item_lines.h"
#include "core/labs/data/regression_files.h"
#include "core/labs/data/regression_sets.h"
#include "core/labs/regression/regression_lab.h"
#include "core/labs/regression/regression_methods.h"

namespace dubito::cli {
namespace {

using nlohmann::json;

struct Arguments {
  std::string method = "gp";
  std::string data = "sine";
  std::uint64_t seed = 0;
  RegressionLabOptions options;
  AlternativeFlags method_flags;
  ReportFlags output;
};

/// All numbers of the picture; what a method does not give is absent.
json toJson(const Arguments& arguments, const RegressionData& data, RegressionMethod& method,
            const RegressionPicture& picture) {
  const RegressionScores& scores = picture.scores;
  json coverage = json::object();
  for (std::size_t i = 0; i < scores.coverage.size(); ++i) {
    coverage[fmt::format("{}", 100.0 * kCoverageLevels[i])] = scores.coverage[i];
  }
  json diagnostics = json::object();
  for (const LabDiagnostic& number : picture.diagnostics.numbers) {
    diagnostics[number.key] = number.value;
  }
  RegressionLabOptions options = arguments.options;
  return {{"method", arguments.method},
          {"data", arguments.data},
          {"seed", arguments.seed},
          {"n", data.train.size()},
          {"options", fieldsToJson(options.fields())},
          {"method_options", fieldsToJson(method.fields())},
          {"x", picture.x},
          {"mean", picture.mean},
          {"std_epistemic", picture.std_epistemic},
          {"std_total", picture.std_total},
          {"rmse", scores.rmse},
          {"log_likelihood", scores.log_likelihood},
          {"crps", scores.crps},
          {"coverage", coverage},
          {"scored_points", picture.scored_points},
          {"scored_on_training_points", picture.scored_on_training_points},
          {"units", picture.done},
          {"seconds", picture.seconds},
          {"diagnostics", diagnostics},
          {"warnings", picture.diagnostics.warnings},
          {"notes", data.notes}};
}

std::string toText(const Arguments& arguments, const RegressionData& data,
                   const RegressionPicture& picture) {
  const RegressionScores& scores = picture.scores;
  std::string text = fmt::format("{} on {}, {} points, seed {}\n", arguments.method, data.name,
                                 data.train.size(), arguments.seed);
  for (const std::string& note : data.notes) {
    text += fmt::format("note: {}\n", note);
  }
  for (const std::string& warning : picture.diagnostics.warnings) {
    text += fmt::format("note: {}\n", warning);
  }
  text += fmt::format("on {} {} points:\n", picture.scored_points,
                      picture.scored_on_training_points ? "training" : "test");
  text += fmt::format("RMSE            {:.4g}\n", scores.rmse);
  text += fmt::format("log likelihood  {:.4g}\n", scores.log_likelihood);
  text += fmt::format("CRPS            {:.4g}\n", scores.crps);
  for (std::size_t i = 0; i < scores.coverage.size(); ++i) {
    text += fmt::format("inside {:>2} %     {:.1f} %\n", 100.0 * kCoverageLevels[i],
                        100.0 * scores.coverage[i]);
  }
  for (const LabDiagnostic& number : picture.diagnostics.numbers) {
    text += fmt::format("{:<16}{:.5g}\n", number.name, number.value);
  }
  return text + fmt::format("{:.2f} s\n", picture.seconds);
}

Status writeCurve(const std::string& path, const RegressionPicture& picture, RunContext& context) {
  return writeItemLines(
      path, "x,mean,std_epistemic,std_total", static_cast<std::int64_t>(picture.x.size()),
      [&picture](std::int64_t row) {
        const auto i = static_cast<std::size_t>(row);
        return fmt::format("{},{},{},{}", numberText(picture.x[i]), numberText(picture.mean[i]),
                           numberText(picture.std_epistemic[i]), numberText(picture.std_total[i]));
      },
      context);
}

Status fitCurve(const Arguments& arguments, RunContext& context) {
  const auto method = findRegressionMethod(arguments.method)->make();  // checked by the parser
  if (Status applied = arguments.method_flags.apply(arguments.method, method->fields()); !applied) {
    return applied;
  }
  for (const Status& checked : {arguments.options.check(), method->check()}) {
    if (!checked) {
      return usageError(checked.error().message);
    }
  }
  context.seed = arguments.seed;
  const auto data =
      openRegressionData(arguments.data, arguments.options.points, arguments.seed, context);
  if (!data) {
    return failWith(data);
  }
  auto lab = RegressionLab::start(*data, *method, arguments.options, arguments.seed);
  if (!lab) {
    return failWith(lab);
  }
  // In about a hundred parts, so that progress is shown.
  const std::int64_t units = std::max(lab->total() / 100, std::int64_t{1});
  while (lab->done() < lab->total()) {
    if (Status advanced = lab->advance(units, context); !advanced) {
      return advanced;
    }
    if (context.step("Fitting", lab->done(), lab->total()) == Step::kCancel) {
      return cancelled();
    }
  }
  const auto picture = lab->picture(context);
  if (!picture) {
    return failWith(picture);
  }
  if (!arguments.output.csv.empty()) {
    if (Status written = writeCurve(arguments.output.csv, *picture, context); !written) {
      return written;
    }
  }
  return arguments.output.report(toJson(arguments, *data, *method, *picture),
                                 toText(arguments, *data, *picture));
}

std::vector<std::string> methodKeys() {
  std::vector<std::string> keys;
  for (const RegressionMethodInfo& info : regressionMethods()) {
    keys.emplace_back(info.key);
  }
  return keys;
}

std::string dataHelp() {
  std::string help;
  for (const RegressionSetInfo& set : regressionSets()) {
    help += fmt::format("{}, ", set.key);
  }
  return help + fmt::format("{} or csv:FILE?x=COLUMN&y=COLUMN", kCo2Key);
}

}  // namespace

Command labRegressionCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("--method", arguments->method, "method")
      ->check(CLI::IsMember(methodKeys()))
      ->capture_default_str();
  app.add_option("--data", arguments->data, dataHelp())->capture_default_str();
  app.add_option("--seed", arguments->seed, "seed of data and method")->capture_default_str();
  declareFields(app, arguments->options.fields(), "Options of all methods");
  for (const RegressionMethodInfo& info : regressionMethods()) {
    arguments->method_flags.add(info.key, info.make()->fields());
  }
  arguments->method_flags.declare(app, "--method");
  arguments->output.declare(app, "CSV file to write: the curve and its standard deviations");
  return {[arguments](RunContext& context) { return fitCurve(*arguments, context); }};
}

}  // namespace dubito::cli
