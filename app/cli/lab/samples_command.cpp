// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/csv_text.h"
#include "app/cli/lab/experiment.h"
#include "app/cli/lab/lab_commands.h"
#include "core/io/item_lines.h"
#include "core/labs/simplex/gaussian_choice.h"
#include "core/labs/simplex/sample_worth.h"
#include "core/labs/simplex/simplex_json.h"

namespace dubito::cli {
namespace {

using nlohmann::json;

struct Arguments : ExperimentArguments<SampleWorthOptions> {
  GaussianChoice choice;
  FieldFlags choice_flags;
};

std::string toText(const Arguments& arguments, const SampleWorthResult& result,
                   const SampleWorthTimes& times) {
  std::string text =
      fmt::format("{}, {} true samples, {} replicates, seed {}\n", arguments.choice.gaussian,
                  result.truth_samples, result.replicates, arguments.seed);
  text += fmt::format("compared: {}\n", result.description);
  text += noteLines(result.warnings);
  text += fmt::format("\n{:>10}{:>14}{:>12}\n", "samples", "KL (nats)", "+-");
  for (std::size_t i = 0; i < result.mean.size(); ++i) {
    text += fmt::format("{:>10}{:>14.4g}{:>12.2g}\n", result.counts[i], result.mean[i],
                        result.standard_error[i]);
  }
  text += fmt::format("error of the truth itself: {:.2g}\n\n", result.truth_error);
  for (std::size_t i = 0; i < result.approximations.size(); ++i) {
    const ApproximationWorth& worth = result.approximations[i];
    text += fmt::format("KL {:<12.4g}{}", worth.divergence, worthText(worth, result.counts));
    const double seconds = times.seconds_of_approximations[i];
    if (std::isfinite(seconds)) {
      text += fmt::format("; computed in the time of {:.2g} samples",
                          seconds / times.seconds_per_sample);
    }
    text += "\n";
  }
  return text;
}

Status writeDivergences(const std::string& path, const SampleWorthResult& result,
                        RunContext& context) {
  return writeItemLines(
      path, "samples,divergence,standard_error", static_cast<std::int64_t>(result.mean.size()),
      [&result](std::int64_t row) {
        const auto i = static_cast<std::size_t>(row);
        return fmt::format("{},{},{}", result.counts[i], numberText(result.mean[i]),
                           numberText(result.standard_error[i]));
      },
      context);
}

Status countSamples(const Arguments& arguments, RunContext& context) {
  for (const Status& checked :
       {checkOptions(arguments.choice_flags, arguments.choice), arguments.check()}) {
    if (!checked) {
      return checked;
    }
  }
  context.seed = arguments.seed;
  const auto gaussian = chosenGaussian(arguments.choice, arguments.seed);
  if (!gaussian) {
    return failWith(gaussian);
  }
  const auto worth = SampleWorth::start(*gaussian, arguments.options, arguments.seed);
  if (!worth) {
    return failWith(worth);
  }
  SampleWorth& lab = **worth;
  if (Status advanced = lab.advance(lab.total(), context); !advanced) {
    return advanced;
  }
  const SampleWorthResult result = lab.result();
  json object = sampleWorthToJson(result, lab.times());
  object["choice"] = labOptionsToJson(arguments.choice);
  object["options"] = labOptionsToJson(arguments.options);
  object["seed"] = arguments.seed;
  return reportWithCsv(
      arguments.output,
      [&](const std::string& path) { return writeDivergences(path, result, context); }, object,
      toText(arguments, result, lab.times()));
}

}  // namespace

Command labSamplesCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  arguments->choice_flags = declareFields(app, arguments->choice.fields(), "The Gaussian");
  arguments->flags = declareFields(app, arguments->options.fields(), "Options");
  app.add_option("--seed", arguments->seed, "seed of the samples and of a random Gaussian")
      ->capture_default_str();
  arguments->output.declare(app, "CSV file to write: the divergence per number of samples");
  return {[arguments](RunContext& context) { return countSamples(*arguments, context); }};
}

}  // namespace dubito::cli
