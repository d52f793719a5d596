// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/csv_text.h"
#include "app/cli/lab/experiment.h"
#include "app/cli/lab/lab_commands.h"
#include "core/base/stopwatch.h"
#include "core/io/item_lines.h"
#include "core/labs/dropout_rate/dropout_rate_lab.h"

namespace dubito::cli {
namespace {

using nlohmann::json;

using RateArguments = ExperimentArguments<DropoutRateOptions>;

json termsToJson(const ElboTerms& terms) {
  return {{"total", terms.total()},
          {"log_likelihood", terms.log_likelihood},
          {"log_prior", terms.log_prior},
          {"entropy", terms.entropy}};
}

json pictureToJson(const DropoutRatePicture& picture) {
  json starts = json::array();
  for (const RateTrajectory& run : picture.trajectories) {
    starts.push_back(
        {{"estimator", infoOf(run.estimator).key},
         {"start", run.start},
         {"keep", run.keep},
         {"end", keyOf(run.end)},
         {"mean_keep", run.mean_keep},
         {"smallest_keep", run.smallest_keep},
         {"largest_keep", run.largest_keep},
         {"elbo", termsToJson(run.elbo)},
         {"trace", {{"step", run.keeps.x}, {"keep", run.keeps.y}, {"elbo", run.elbos.y}}}});
  }
  json grid = json::array();
  for (const RateGridPoint& point : picture.grid) {
    json entry = {{"keep", point.keep},
                  {"elbo", termsToJson(point.elbo)},
                  {"estimate", point.estimate},
                  {"standard_error", point.standard_error}};
    if (std::isfinite(point.tail_mean)) {
      entry["tail_mean"] = point.tail_mean;
    }
    grid.push_back(std::move(entry));
  }
  return {{"steps", picture.done},
          {"starts", starts},
          {"grid", grid},
          {"best_keep", picture.grid[picture.best].keep},
          {"warnings", picture.warnings}};
}

std::string pictureToText(const RateArguments& arguments, const DropoutRatePicture& picture,
                          double seconds) {
  std::string text = fmt::format("p is the probability that a unit is kept; {} steps, seed {}\n",
                                 picture.done, arguments.seed);
  text += noteLines(picture.warnings);
  text +=
      fmt::format("\n{:<12}{:>8}{:>10}{:>10}{:>12}\n", "gradient", "start", "p", "mean p", "ELBO");
  for (const RateTrajectory& run : picture.trajectories) {
    text += fmt::format("{:<12}{:>8.3g}{:>10.4f}{:>10.4f}{:>12.4g}\n", infoOf(run.estimator).key,
                        run.start, run.keep, run.mean_keep, run.elbo.total());
  }
  text += fmt::format("\n{:>8}{:>12}{:>12}{:>10}{:>12}{:>12}{:>12}\n", "p", "ELBO", "by masks",
                      "+-", "likelihood", "prior", "entropy");
  for (const RateGridPoint& point : picture.grid) {
    text += fmt::format("{:>8.3g}{:>12.4g}{:>12.4g}{:>10.2g}{:>12.4g}{:>12.4g}{:>12.4g}\n",
                        point.keep, point.elbo.total(), point.estimate, point.standard_error,
                        point.elbo.log_likelihood, point.elbo.log_prior, point.elbo.entropy);
  }
  return text + fmt::format("\nlargest ELBO of the grid at p = {:.3g}; {:.2f} s\n",
                            picture.grid[picture.best].keep, seconds);
}

/// One line per start and kept step.
Status writeTrajectories(const std::string& path, const DropoutRatePicture& picture,
                         RunContext& context) {
  const auto kept = std::ssize(picture.trajectories.front().keeps.y);
  return writeItemLines(
      path, "estimator,start,step,keep,elbo", kept * std::ssize(picture.trajectories),
      [&](std::int64_t row) {
        const RateTrajectory& run = picture.trajectories[static_cast<std::size_t>(row / kept)];
        const auto step = static_cast<std::size_t>(row % kept);
        return fmt::format("{},{},{},{},{}", infoOf(run.estimator).key, numberText(run.start),
                           run.keeps.x[step], numberText(run.keeps.y[step]),
                           numberText(run.elbos.y[step]));
      },
      context);
}

Status runDropoutRate(const RateArguments& arguments, RunContext& context) {
  if (Status checked = arguments.check(); !checked) {
    return checked;
  }
  context.seed = arguments.seed;
  const auto lab = DropoutRateLab::start(arguments.options, arguments.seed);
  if (!lab) {
    return failWith(lab);
  }
  const Stopwatch watch;
  constexpr std::int64_t kStepsPerReport = 50;
  while ((*lab)->done() < (*lab)->total()) {
    if (Status advanced = (*lab)->advance(kStepsPerReport, context); !advanced) {
      return advanced;
    }
    if (context.step("steps", (*lab)->done(), (*lab)->total()) == Step::kCancel) {
      return cancelled();
    }
  }
  const double seconds = watch.seconds();
  const DropoutRatePicture picture = (*lab)->picture(context);
  json object = pictureToJson(picture);
  object["options"] = labOptionsToJson(arguments.options);
  object["seed"] = arguments.seed;
  object["seconds"] = seconds;
  return reportWithCsv(
      arguments.output,
      [&](const std::string& path) { return writeTrajectories(path, picture, context); }, object,
      pictureToText(arguments, picture, seconds));
}

}  // namespace

Command labDropoutRateCommand(CLI::App& app) {
  const auto arguments = std::make_shared<RateArguments>();
  arguments->flags = declareFields(app, arguments->options.fields(), "Options");
  app.add_option("--seed", arguments->seed, "seed of the data, the weights and the masks")
      ->capture_default_str();
  arguments->output.declare(app, "CSV file to write: p and the ELBO against the step");
  return {[arguments](RunContext& context) { return runDropoutRate(*arguments, context); }};
}

}  // namespace dubito::cli
