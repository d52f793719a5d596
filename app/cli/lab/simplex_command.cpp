// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/cli/csv_text.h"
#include "app/cli/lab/experiment.h"
#include "app/cli/lab/lab_commands.h"
#include "core/labs/simplex/gaussian_choice.h"
#include "core/labs/simplex/sample_worth.h"
#include "core/labs/simplex/simplex_json.h"
#include "core/labs/simplex/simplex_lab.h"

namespace dubito::cli {
namespace {

using nlohmann::json;

/// Arguments of an experiment with a Gaussian over logits.
template <class Options>
struct GaussianArguments : ExperimentArguments<Options> {
  using Base = ExperimentArguments<Options>;

  GaussianChoice choice;
  FieldFlags choice_flags;

  void declare(CLI::App& app, const std::string& csv_help) {
    choice_flags = declareFields(app, choice.fields(), "The Gaussian");
    Base::declare(app, "Options", "seed of the samples and of a random Gaussian");
    this->output.declare(app, csv_help);
  }
  [[nodiscard]] Status prepare(RunContext& context) {
    const Status checked = checkOptions(choice_flags, choice);
    return checked ? Base::prepare(context) : checked;
  }
  void describe(json& report) const {
    Base::describe(report);
    report["choice"] = labOptionsToJson(choice);
  }
};
using SimplexArguments = GaussianArguments<SimplexOptions>;
using SamplesArguments = GaussianArguments<SampleWorthOptions>;

std::string numberOrDash(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? fmt::format("{:.4g}", *value) : "-";
}

std::string toText(const SimplexArguments& arguments, const SimplexResult& result) {
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

std::string lineOf(std::span<const double> numbers) {
  std::string line;
  for (const double number : numbers) {
    line += (line.empty() ? "" : ",") + numberText(number);
  }
  return line;
}

Expected<ExperimentReport> compareDirichlets(const SimplexArguments& arguments,
                                             RunContext& context) {
  const auto gaussian = chosenGaussian(arguments.choice, arguments.seed);
  if (!gaussian) {
    return failWith(gaussian);
  }
  const auto result = analyseSimplex(*gaussian, arguments.options, context);
  if (!result) {
    return failWith(result);
  }
  std::string header = "p_1";
  for (std::int64_t k = 1; k < result->classes(); ++k) {
    header += fmt::format(",p_{}", k + 1);
  }
  const Array<double> samples = result->samples;
  return ExperimentReport{simplexToJson(*result), toText(arguments, *result), header,
                          samples.extent(0),
                          [samples](std::int64_t row) { return lineOf(samples.row(row)); }};
}

std::string worthsToText(const SamplesArguments& arguments, const SampleWorthResult& result,
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

Expected<ExperimentReport> countSamples(const SamplesArguments& arguments, RunContext& context) {
  const auto gaussian = chosenGaussian(arguments.choice, arguments.seed);
  if (!gaussian) {
    return failWith(gaussian);
  }
  const auto lab = SampleWorth::start(*gaussian, arguments.options, arguments.seed);
  if (!lab) {
    return failWith(lab);
  }
  if (Status advanced = (*lab)->advance((*lab)->total(), context); !advanced) {
    return failWith(advanced);
  }
  const SampleWorthResult result = (*lab)->result();
  const SampleWorthTimes times = (*lab)->times();
  return ExperimentReport{
      sampleWorthToJson(result, times), worthsToText(arguments, result, times),
      "samples,divergence,standard_error", std::ssize(result.mean), [result](std::int64_t row) {
        const auto i = static_cast<std::size_t>(row);
        return fmt::format("{},{},{}", result.counts[i], numberText(result.mean[i]),
                           numberText(result.standard_error[i]));
      }};
}

}  // namespace

Command labSimplexCommand(CLI::App& app) {
  const auto arguments = std::make_shared<SimplexArguments>();
  arguments->declare(app, "CSV file to write: the samples of softmax(z)");
  return experimentCommand(arguments, compareDirichlets);
}

Command labSamplesCommand(CLI::App& app) {
  const auto arguments = std::make_shared<SamplesArguments>();
  arguments->declare(app, "CSV file to write: the divergence per number of samples");
  return experimentCommand(arguments, countSamples);
}

}  // namespace dubito::cli
