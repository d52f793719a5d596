// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/field_flags.h"
#include "app/cli/networks/compute_flags.h"
#include "app/cli/networks/dataset_help.h"
#include "app/cli/report_flags.h"
#include "core/attribution/attribute.h"
#include "core/attribution/attribution_methods.h"
#include "core/base/in_quotes.h"
#include "core/base/signed_map.h"
#include "core/data/images/input_range.h"
#include "core/data/images/network_image.h"
#include "core/data/sources/dataset_view.h"
#include "core/io/npy.h"
#include "core/io/png_file.h"
#include "core/models/model.h"
#include "core/models/program/network_format.h"
#include "core/predict/predict.h"

namespace dubito::cli {
namespace {

using nlohmann::json;

/// Side of the pictures of small maps, in pixels.
constexpr std::int64_t kMinPictureSide = 256;

struct Arguments {
  std::string model;
  LoadModelOptions loading;
  std::string dataset;
  std::int64_t item = 0;
  std::string class_text;  ///< name or number; empty: the prediction
  AttributionTarget target;
  AttributionOptions options;
  FieldFlags option_flags;
  McDropoutOptions dropout;
  FieldFlags dropout_flags;
  std::vector<std::string> outputs;
  ComputeFlags compute;
  ReportFlags report;
  CLI::Option* class_flag = nullptr;
};

bool endsWith(const std::string& path, const char* suffix) {
  return std::filesystem::path(path).extension() == suffix;
}

Status checkArguments(const Arguments& arguments) {
  const AttributionTarget& target = arguments.target;
  std::vector<FlagUse> uses{
      {arguments.class_flag,
       allUnless(!target.mutual_information,
                 {neededWords("another number than the mutual information")})}};
  AttributionOptions options = arguments.options;
  std::vector<Field> fields = options.fields();
  for (Field& field : fields) {
    const bool of_path = field.value == FieldValue(&options.steps);
    const bool of_window =
        field.value == FieldValue(&options.window) || field.value == FieldValue(&options.stride);
    const char* const needed = of_path ? "integrated-gradients" : of_window ? "occlusion" : nullptr;
    if (needed != nullptr) {
      field.info.unmet_requirement =
          allUnless(options.method == needed, {setting("method", needed)});
    }
  }
  for (const FlagUse& use : arguments.option_flags.uses(fields)) {
    uses.push_back(use);
  }
  McDropoutOptions dropout = arguments.dropout;
  for (const FlagUse& use : arguments.dropout_flags.uses(
           dropout.fields(),
           oneUnless(target.draw || target.isOfAllDraws(),
                     {setting("draw"), setting("spread"), setting("mutual_information")}))) {
    uses.push_back(use);
  }
  if (Status used = rejectIneffectiveFlags(uses); !used) {
    return used;
  }
  for (const std::string& path : arguments.outputs) {
    if (!endsWith(path, ".png") && !endsWith(path, ".npy")) {
      return usageError(fmt::format("{}: maps are written as .png or .npy", path));
    }
  }
  if (const Status checked = options.check(); !checked) {
    return usageError(checked.error());
  }
  return {};
}

/// The class with this name or number.
Expected<std::int64_t> classOf(const std::string& text, const Model& model) {
  const std::vector<std::string>& names = model.metadata().class_names;
  if (const auto found = std::ranges::find(names, text); found != names.end()) {
    return found - names.begin();
  }
  std::int64_t number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) {
    return number;
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: it has no class {}; use a name or a number of its {} classes",
                          model.path(), inQuotes(text), model.audit().classes),
              {setting("class")});
}

/// A class for display: "cat" or "3".
std::string className(const Model& model, std::int64_t k) {
  const std::vector<std::string>& names = model.metadata().class_names;
  return static_cast<std::size_t>(k) < names.size() ? names[static_cast<std::size_t>(k)]
                                                    : std::to_string(k);
}

/// The class that the network predicts without dropout.
Expected<std::int64_t> predictedClass(const Model& model, const DatasetPtr& dataset,
                                      std::int64_t item, RunContext& context) {
  const DatasetView single(dataset, {item}, dataset->info());
  const auto run = predict(model, single, MapOptions(), PredictOptions(), context);
  if (!run) {
    return failWith(run);
  }
  if (run->itemCount() != 1) {
    return fail(ErrorCode::kReadFailed,
                run->meta.skipped.empty()
                    ? fmt::format("{}: the item has no prediction", dataset->itemName(item))
                    : run->meta.skipped.front().reason);
  }
  return run->predictions.data()[0];
}

/// What the map explains: "draw 3, logit of cat above the mean of the classes".
std::string explainedText(const AttributionTarget& target, const std::string& name) {
  if (target.mutual_information) {
    return "mutual information of class and draw, nats";
  }
  if (target.spread) {
    return fmt::format("standard deviation over the draws of the probability of {}", name);
  }
  return fmt::format("{}logit of {} above the mean of the classes",
                     target.draw ? fmt::format("draw {}, ", *target.draw) : std::string(), name);
}

struct Sums {
  double positive = 0.0;
  double negative = 0.0;
};

Sums sumsOf(const Array<float>& map) {
  Sums sums;
  for (const float pixel : map.values()) {
    (pixel > 0.0F ? sums.positive : sums.negative) += static_cast<double>(pixel);
  }
  return sums;
}

Expected<Image8> pictureOf(const Attribution& answer, const Model& model, const Dataset& dataset,
                           std::int64_t item) {
  const auto sample = dataset.read(item);
  if (!sample) {
    return failWith(sample);
  }
  const auto below =
      toNetworkImage(*sample, preprocessingFor(dataset, model.metadata().preprocessing));
  if (!below) {
    return failWith(below);
  }
  const std::int64_t side = std::min(answer.map.extent(0), answer.map.extent(1));
  return signedMapPicture(answer.map, *below,
                          std::max<std::int64_t>(1, (kMinPictureSide + side - 1) / side));
}

Status writeMaps(const Arguments& arguments, const Attribution& answer, const Model& model,
                 const Dataset& dataset) {
  for (const std::string& path : arguments.outputs) {
    Status written;
    if (endsWith(path, ".npy")) {
      written = writeNpy(path, answer.map);
    } else {
      const auto picture = pictureOf(answer, model, dataset, arguments.item);
      written = picture ? writePng(path, *picture) : Status(failWith(picture));
    }
    if (!written) {
      return written;
    }
  }
  return {};
}

json toJson(const Arguments& arguments, const Attribution& answer, const Model& model,
            const Dataset& dataset) {
  const AttributionTarget& target = arguments.target;
  const bool of_class = !target.mutual_information;
  const Sums sums = sumsOf(answer.map);
  return {{"model", arguments.model},
          {"data", arguments.dataset},
          {"item", arguments.item},
          {"item_name", dataset.itemName(arguments.item)},
          {"class", of_class ? json(target.class_number) : json()},
          {"class_name", of_class ? json(className(model, target.class_number)) : json()},
          {"draw", target.draw ? json(*target.draw) : json()},
          {"spread", target.spread},
          {"mutual_information", target.mutual_information},
          {"method", answer.method},
          {"value", answer.value},
          {"difference", answer.difference},
          {"sum", answer.sum},
          {"positive_sum", sums.positive},
          {"negative_sum", sums.negative},
          {"completeness_gap", answer.completeness_gap ? json(*answer.completeness_gap) : json()},
          {"shape", answer.map.shape()},
          {"notes", answer.notes},
          {"output", arguments.outputs}};
}

std::string toText(const Arguments& arguments, const Attribution& answer, const Model& model,
                   const Dataset& dataset) {
  const Sums sums = sumsOf(answer.map);
  std::string text = fmt::format(
      "{}, {}: {}\n", dataset.itemName(arguments.item), findAttributionMethod(answer.method)->label,
      explainedText(arguments.target, className(model, arguments.target.class_number)));
  text += fmt::format("image             {:.6g}\n", answer.value);
  text += fmt::format("image - baseline  {:.6g}\n", answer.difference);
  text += fmt::format("sum of the map    {:.6g} ({:.6g} for, {:.6g} against)\n", answer.sum,
                      sums.positive, sums.negative);
  text += answer.completeness_gap
              ? fmt::format("completeness gap  {:.3g} %\n", 100.0 * *answer.completeness_gap)
              : std::string(
                    "completeness gap  none: maps of this method need not sum to the "
                    "difference\n");
  for (const std::string& path : arguments.outputs) {
    text += fmt::format("{}: {} x {} pixels\n", path, answer.map.extent(0), answer.map.extent(1));
  }
  for (const std::string& note : answer.notes) {
    text += fmt::format("note: {}\n", note);
  }
  return text;
}

Status explain(Arguments& arguments, RunContext& context) {
  if (Status checked = checkArguments(arguments); !checked) {
    return checked;
  }
  if (Status applied = arguments.compute.apply(context); !applied) {
    return applied;
  }
  const auto model = loadModel(arguments.model, arguments.loading, context);
  if (!model) {
    return failWith(model);
  }
  const auto dataset = openDataset(arguments.dataset, context);
  if (!dataset) {
    return failWith(dataset);
  }
  if (arguments.item < 0 || arguments.item >= (*dataset)->size()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: item {} does not exist; it has {} items, from 0",
                            (*dataset)->info().name, arguments.item, (*dataset)->size()),
                {setting("item")});
  }
  AttributionTarget& target = arguments.target;
  if (!target.mutual_information) {
    const auto chosen = arguments.class_text.empty()
                            ? predictedClass(**model, *dataset, arguments.item, context)
                            : classOf(arguments.class_text, **model);
    if (!chosen) {
      return failWith(chosen);
    }
    target.class_number = *chosen;
  }
  const MethodOptions method = target.draw || target.isOfAllDraws()
                                   ? MethodOptions(arguments.dropout)
                                   : MethodOptions(MapOptions());
  const auto answer =
      attribute(**model, **dataset, arguments.item, method, target, arguments.options, context);
  if (!answer) {
    return failWith(answer);
  }
  if (Status written = writeMaps(arguments, *answer, **model, **dataset); !written) {
    return written;
  }
  return arguments.report.report(toJson(arguments, *answer, **model, **dataset),
                                 toText(arguments, *answer, **model, **dataset));
}

}  // namespace

Command whyCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("model", arguments->model, "network: " + networkFormatsText())->required();
  app.add_option("dataset", arguments->dataset, datasetHelp())->required();
  app.add_option("-o,--output", arguments->outputs,
                 "file for the map: .png, red pixels for and blue ones against, over the image in "
                 "greys; or .npy, [height, width] (repeatable)")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--item", arguments->item, "number of the item in the dataset, from 0")
      ->capture_default_str();
  arguments->class_flag = app.add_option("--class", arguments->class_text,
                                         "class to explain, by name or number [the prediction]");
  constexpr const char* kDraws = "Draws of MC dropout";
  app.add_option("--draw", arguments->target.draw, "explain this draw, from 0")->group(kDraws);
  app.add_flag("--spread", arguments->target.spread,
               "explain the standard deviation of the class probability over the draws")
      ->group(kDraws);
  app.add_flag("--mutual-information", arguments->target.mutual_information,
               "explain the mutual information: how much the draws disagree")
      ->group(kDraws);
  arguments->dropout_flags = declareFields(app, arguments->dropout.fields(), kDraws);
  arguments->option_flags = declareFields(app, arguments->options.fields(), "Attribution");
  declareFields(app, arguments->loading.fields(), "Model");
  arguments->compute.declare(app);
  arguments->report.declareJson(app);
  return {[arguments](RunContext& context) { return explain(*arguments, context); }};
}

}  // namespace dubito::cli
