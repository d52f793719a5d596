// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/csv_text.h"
#include "app/cli/lab/experiment.h"
#include "app/cli/lab/lab_commands.h"
#include "core/io/item_lines.h"
#include "core/labs/simplex/gaussian_choice.h"
#include "core/labs/simplex/simplex_json.h"
#include "core/labs/simplex/simplex_lab.h"

namespace dubito::cli {
namespace {

using nlohmann::json;

struct Arguments : ExperimentArguments<SimplexOptions> {
  GaussianChoice choice;
  FieldFlags choice_flags;
};

std::string numberOrDash(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? fmt::format("{:.4g}", *value) : "-";
}

std::string toText(const Arguments& arguments, const SimplexResult& result) {
  std::string text =
      fmt::format("{} over {} classes, {} samples, seed {}\n", arguments.choice.gaussian,
                  result.classes(), result.samples.extent(0), arguments.seed);
  text += noteLines(result.warnings);
  std::vector<double> deviation;
  for (const double variance : result.moments.variance) {
    deviation.push_back(std::sqrt(variance));
  }
  text += fmt::format("mean probabilities   {:.4g}\n", fmt::join(result.moments.mean, ", "));
  text += fmt::format("standard deviations  {:.4g}\n\n", fmt::join(deviation, ", "));
  text += fmt::format("{:<17}{:>12}{:>20}{:>12}{:>10}  {}\n", "approximation", "KL(p||Dir)",
                      "from samples", "KL(Dir||p)", "TV", "alpha");
  for (const SimplexApproximation& row : result.approximations) {
    const std::string sampled =
        row.sampled_divergence
            ? fmt::format("{:.3g} +- {:.1g}", *row.sampled_divergence, row.sampled_divergence_error)
            : "-";
    const auto compared = [&row](double DensityComparison::*member) {
      return row.comparison ? std::optional(row.comparison.value().*member) : std::nullopt;
    };
    text +=
        fmt::format("{:<17}{:>12}{:>20}{:>12}{:>10}  {}\n", row.form.key,
                    numberOrDash(compared(&DensityComparison::divergence)), sampled,
                    numberOrDash(row.reverse_divergence),
                    numberOrDash(compared(&DensityComparison::total_variation)),
                    row.alpha.empty() ? "-" : fmt::format("{:.4g}", fmt::join(row.alpha, ", ")));
  }
  text += "\nchange of softmax(z), largest over the classes\n";
  for (const TransformEffect& effect : result.transforms) {
    text += fmt::format("{:<28}mean {:.3g}, variance {:.3g}, total variation {}\n", effect.name,
                        effect.largest_mean_change, effect.largest_variance_change,
                        numberOrDash(effect.total_variation));
  }
  return text;
}

Status writeSamples(const std::string& path, const SimplexResult& result, RunContext& context) {
  std::string header = "p_1";
  for (std::int64_t k = 1; k < result.classes(); ++k) {
    header += fmt::format(",p_{}", k + 1);
  }
  return writeItemLines(
      path, header, result.samples.extent(0),
      [&result](std::int64_t row) {
        std::string line;
        for (const double p : result.samples.row(row)) {
          line += (line.empty() ? "" : ",") + numberText(p);
        }
        return line;
      },
      context);
}

Status compareDirichlets(const Arguments& arguments, RunContext& context) {
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
  const auto result = analyseSimplex(*gaussian, arguments.options, context);
  if (!result) {
    return failWith(result);
  }
  json object = simplexToJson(*result);
  object["choice"] = labOptionsToJson(arguments.choice);
  object["options"] = labOptionsToJson(arguments.options);
  object["seed"] = arguments.seed;
  return reportWithCsv(
      arguments.output,
      [&](const std::string& path) { return writeSamples(path, *result, context); }, object,
      toText(arguments, *result));
}

}  // namespace

Command labSimplexCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  arguments->choice_flags = declareFields(app, arguments->choice.fields(), "The Gaussian");
  arguments->flags = declareFields(app, arguments->options.fields(), "Options");
  app.add_option("--seed", arguments->seed, "seed of the samples and of a random Gaussian")
      ->capture_default_str();
  arguments->output.declare(app, "CSV file to write: the samples of softmax(z)");
  return {[arguments](RunContext& context) { return compareDirichlets(*arguments, context); }};
}

}  // namespace dubito::cli
