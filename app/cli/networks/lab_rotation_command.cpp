// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "app/cli/csv_text.h"
#include "app/cli/lab/experiment.h"
#include "app/cli/lab/lab_commands.h"
#include "app/cli/networks/compute_flags.h"
#include "app/cli/networks/dataset_help.h"
#include "core/data/items/dataset.h"
#include "core/labs/rotation/rotation_lab.h"
#include "core/models/model.h"

namespace dubito::cli {
namespace {

using nlohmann::json;

struct RotationArguments : OptionArguments<RotationOptions> {
  std::string model;
  LoadModelOptions loading;
  std::string dataset;
  std::int64_t item = 0;
  ComputeFlags compute;

  [[nodiscard]] Status prepare(RunContext& context) {
    const Status checked = check();
    return checked ? compute.apply(context) : checked;
  }
};

/// [G][T] of class `k`.
json drawsOfClass(const Array<float>& values, std::int64_t k) {
  json steps = json::array();
  for (std::int64_t step = 0; step < values.extent(1); ++step) {
    json draws = json::array();
    for (std::int64_t t = 0; t < values.extent(0); ++t) {
      draws.push_back(values.data()[(t * values.extent(1) + step) * values.extent(2) + k]);
    }
    steps.push_back(std::move(draws));
  }
  return steps;
}

json rotationToJson(const RotationArguments& arguments, const RotationResult& result) {
  json classes = json::array();
  for (const std::int64_t k : result.classes) {
    json mean = json::array();
    for (std::int64_t step = 0; step < result.steps(); ++step) {
      mean.push_back(result.summary.mean_probs.row(step)[static_cast<std::size_t>(k)]);
    }
    classes.push_back({{"class", k},
                       {"name", result.class_names[static_cast<std::size_t>(k)]},
                       {"mean", std::move(mean)},
                       {"inputs", drawsOfClass(result.inputs, k)},
                       {"outputs", drawsOfClass(result.outputs, k)}});
  }
  const PredictiveSummary& summary = result.summary;
  json object{{"model", arguments.model},
              {"data", arguments.dataset},
              {"item", result.item},
              {"item_name", result.item_name},
              {"label", result.label},
              {"method", result.method},
              {"draws", result.draws()},
              {"seed", arguments.compute.seed},
              {"positions", result.path.positions},
              {"inputs_are", result.has_logits ? "logits" : "log-probabilities"},
              {"classes", std::move(classes)},
              {"predictions", summary.predictions.values()},
              {"confidence", summary.confidence.values()},
              {"entropy", summary.entropy.values()}};
  if (result.hasDraws()) {
    object["expected_entropy"] = summary.expected_entropy.values();
    object["mutual_information"] = summary.mutual_information.values();
  }
  return object;
}

std::string rotationToText(const RotationResult& result) {
  std::string text = fmt::format("{}, {}, {} {}\n", result.item_name, result.method, result.draws(),
                                 result.draws() == 1 ? "pass" : "draws");
  text +=
      fmt::format("{:>10}{:>16}{:>12}{:>10}", "position", "prediction", "confidence", "entropy");
  if (result.hasDraws()) {
    text += fmt::format("{:>11}{:>11}", "aleatoric", "epistemic");
  }
  text += "\n";
  for (std::int64_t step = 0; step < result.steps(); ++step) {
    const auto at = static_cast<std::size_t>(step);
    const PredictiveSummary& summary = result.summary;
    text +=
        fmt::format("{:>10.4g}{:>16}{:>12.4f}{:>10.4f}", result.path.positions[at],
                    result.class_names[static_cast<std::size_t>(summary.predictions.data()[step])],
                    summary.confidence.data()[step], summary.entropy.data()[step]);
    if (result.hasDraws()) {
      text += fmt::format("{:>11.4f}{:>11.4f}", summary.expected_entropy.data()[step],
                          summary.mutual_information.data()[step]);
    }
    text += "\n";
  }
  return text;
}

Expected<ExperimentReport> rotateItem(const RotationArguments& arguments, RunContext& context) {
  const auto model = loadModel(arguments.model, arguments.loading, context);
  if (!model) {
    return failWith(model);
  }
  const auto dataset = openDataset(arguments.dataset, context);
  if (!dataset) {
    return failWith(dataset);
  }
  const auto followed = followItem(**model, **dataset, arguments.item, arguments.options, context);
  if (!followed) {
    return failWith(followed);
  }
  const RotationResult& result = *followed;
  const std::int64_t classes = std::ssize(result.classes);
  // One line per step, draw and class shown.
  return ExperimentReport{
      rotationToJson(arguments, result), rotationToText(result), "position,draw,class,input,output",
      result.steps() * result.draws() * classes, [result, classes](std::int64_t row) {
        const std::int64_t k = result.classes[static_cast<std::size_t>(row % classes)];
        const std::int64_t t = row / classes % result.draws();
        const std::int64_t step = row / classes / result.draws();
        const std::int64_t at = (t * result.steps() + step) * result.inputs.extent(2) + k;
        return fmt::format("{},{},{},{},{}",
                           numberText(result.path.positions[static_cast<std::size_t>(step)]), t, k,
                           result.inputs.data()[at], result.outputs.data()[at]);
      }};
}

Command labRotationCommand(CLI::App& app) {
  const auto arguments = std::make_shared<RotationArguments>();
  app.add_option("--model", arguments->model, "model (.pt, .ptl)")->required();
  app.add_option("--data", arguments->dataset, datasetHelp())->required();
  app.add_option("--item", arguments->item, "number of the item in the dataset, from 0")
      ->capture_default_str();
  declareFields(app, arguments->loading.fields(), "Model");
  std::vector<Field> fields = arguments->options.fields();
  const auto draws = std::ranges::find(fields, std::string("draws"),
                                       [](const Field& field) { return field.info.name; });
  CLI::Option* const short_draws =
      app.add_option("-T", arguments->options.draws, "short for --draws")
          ->check(CLI::Range(draws->info.min, draws->info.max));
  arguments->flags = declareFields(app, fields, "Options");
  app.get_option("--draws")->excludes(short_draws);
  arguments->compute.declare(app);
  arguments->output.declare(app, "CSV file to write: softmax inputs and outputs of each draw");
  return experimentCommand(arguments, rotateItem);
}

}  // namespace

Command labCommand(CLI::App& app) {
  return labCommandWith(app, {.rotation = labRotationCommand});
}

}  // namespace dubito::cli
