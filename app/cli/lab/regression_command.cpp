// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/csv_text.h"
#include "app/cli/lab/lab_commands.h"
#include "app/cli/lab/method_arguments.h"
#include "core/base/find_by_key.h"
#include "core/io/item_lines.h"
#include "core/labs/data/regression_files.h"
#include "core/labs/data/regression_sets.h"
#include "core/labs/regression/regression_kind.h"

namespace dubito::cli {
namespace {

using nlohmann::json;

using Arguments = MethodArguments<RegressionKind>;

/// All numbers of the picture; what a method does not give is absent.
json toJson(const Arguments& arguments, const RegressionData& data, RegressionMethod& method,
            const RegressionPicture& picture) {
  const RegressionScores& scores = picture.scores;
  json coverage = json::object();
  for (std::size_t i = 0; i < scores.coverage.size(); ++i) {
    coverage[fmt::format("{}", 100.0 * kCoverageLevels[i])] = scores.coverage[i];
  }
  json object = methodJson(arguments, data, method, picture);
  object.update({{"x", picture.x},
                 {"mean", picture.mean},
                 {"std_epistemic", picture.std_epistemic},
                 {"std_total", picture.std_total},
                 {"rmse", scores.rmse},
                 {"log_likelihood", scores.log_likelihood},
                 {"crps", scores.crps},
                 {"coverage", coverage}});
  return object;
}

std::string toText(const Arguments& arguments, const RegressionData& data,
                   const RegressionPicture& picture) {
  const RegressionScores& scores = picture.scores;
  std::string text = fmt::format("{} on {}, {} points, seed {}\n", arguments.method, data.name,
                                 data.train.size(), arguments.seed);
  text += methodNotes(data, picture);
  text += fmt::format("RMSE            {:.4g}\n", scores.rmse);
  text += fmt::format("log likelihood  {:.4g}\n", scores.log_likelihood);
  text += fmt::format("CRPS            {:.4g}\n", scores.crps);
  for (std::size_t i = 0; i < scores.coverage.size(); ++i) {
    text += fmt::format("inside {:>2} %     {:.1f} %\n", 100.0 * kCoverageLevels[i],
                        100.0 * scores.coverage[i]);
  }
  return text + methodDiagnostics(picture, 16);
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

}  // namespace

Command labRegressionCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  arguments->method = "gp";
  arguments->data = "sine";
  declareMethodArguments(
      app, *arguments,
      fmt::format("{}{} or csv:FILE?x=COLUMN&y=COLUMN", keysOf(regressionSets()), kCo2Key),
      "CSV file to write: the curve and its standard deviations");
  return {[arguments](RunContext& context) {
    return fitMethod(*arguments, context, toJson, toText, writeCurve);
  }};
}

}  // namespace dubito::cli
