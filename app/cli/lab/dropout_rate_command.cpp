// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/csv_text.h"
#include "app/cli/lab/experiment.h"
#include "app/cli/lab/lab_commands.h"
#include "core/base/stopwatch.h"
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

json pictureToJson(const DropoutRatePicture& picture, double seconds) {
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
          {"warnings", picture.warnings},
          {"seconds", seconds}};
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

Expected<ExperimentReport> runDropoutRate(const RateArguments& arguments, RunContext& context) {
  const auto lab = DropoutRateLab::start(arguments.options, arguments.seed);
  if (!lab) {
    return failWith(lab);
  }
  const Stopwatch watch;
  if (Status finished = runToEnd(**lab, "steps", context); !finished) {
    return failWith(finished);
  }
  const double seconds = watch.seconds();
  const DropoutRatePicture picture = (*lab)->picture(context);
  const auto kept = std::ssize(picture.trajectories.front().keeps.y);
  // One line per start and kept step.
  return ExperimentReport{
      pictureToJson(picture, seconds), pictureToText(arguments, picture, seconds),
      "estimator,start,step,keep,elbo", kept * std::ssize(picture.trajectories),
      [picture, kept](std::int64_t row) {
        const RateTrajectory& run = picture.trajectories[static_cast<std::size_t>(row / kept)];
        const auto step = static_cast<std::size_t>(row % kept);
        return fmt::format("{},{},{},{},{}", infoOf(run.estimator).key, numberText(run.start),
                           run.keeps.x[step], numberText(run.keeps.y[step]),
                           numberText(run.elbos.y[step]));
      }};
}

}  // namespace

Command labDropoutRateCommand(CLI::App& app) {
  const auto arguments = std::make_shared<RateArguments>();
  arguments->declare(app, "Options", "seed of the data, the weights and the masks");
  arguments->output.declare(app, "CSV file to write: p and the ELBO against the step");
  return experimentCommand(arguments, runDropoutRate);
}

}  // namespace dubito::cli
