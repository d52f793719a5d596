// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/field_flags.h"
#include "app/cli/run_input.h"
#include "core/base/json_text.h"
#include "core/data/sources/csv_dataset.h"
#include "core/data/sources/label_run.h"
#include "core/data/sources/relocate_run.h"
#include "core/io/mapped_file.h"
#include "core/io/run_file.h"
#include "core/io/run_needs.h"
#include "core/review/formats/label_format.h"

namespace dubito::cli {
namespace {

struct Arguments {
  std::string input_path;
  std::string images;
  std::string format;
  std::string field;
  std::string dataset;
  RunInput input;
  std::string output;
  bool as_json = false;
  CLI::Option* verify = nullptr;
  CLI::Option* labels = nullptr;
  CLI::Option* moved = nullptr;

  [[nodiscard]] bool namesLabels() const {
    return !images.empty() || !format.empty() || !field.empty();
  }
};

/// Whether the input is a file or folder of labels: a CSV file if it lists images, else what a
/// label format recognises.
bool isLabels(const Arguments& arguments, RunContext& context) {
  if (arguments.namesLabels()) {
    return true;
  }
  std::error_code ignored;
  if (!std::filesystem::exists(arguments.input_path, ignored) || isRunFile(arguments.input_path)) {
    return false;
  }
  const auto recognised = recogniseLabels(arguments.input_path, {}, context);
  return recognised &&
         (std::string_view(recognised->format->key) != "csv" || isManifest(recognised->path));
}

Expected<Run> readInput(const Arguments& arguments, bool labels, RunContext& context) {
  if (!labels) {
    auto run = arguments.input.openLabelled(arguments.input_path, context);
    if (run && !arguments.dataset.empty()) {
      if (Status relocated = relocateRun(*run, arguments.dataset, context); !relocated) {
        return failWith(relocated);
      }
    }
    return run;
  }
  if (Status used = rejectIneffectiveFlags(
          {{arguments.verify, {{neededWords("a run file")}}},
           {arguments.labels, {{neededWords("predictions, not labels")}}},
           {arguments.moved, {{neededWords("a run; labels have their images with --images")}}}});
      !used) {
    return failWith(used);
  }
  return readLabelRun({.labels = arguments.input_path,
                       .images = arguments.images,
                       .format = arguments.format,
                       .field = arguments.field},
                      context);
}

nlohmann::json toJson(const Arguments& arguments, const Run& run) {
  nlohmann::json report = {{"output", arguments.output},
                           {"n", run.itemCount()},
                           {"classes", namedClassCount(run)},
                           {"notes", textsOf(run.meta.notes)}};
  if (run.meta.method == kLabelsMethod) {
    report["dataset"] = run.meta.dataset_spec;
    report["class_names"] = run.meta.class_names;
    nlohmann::json& skipped = report["skipped"] = nlohmann::json::array();
    for (const SkippedItem& item : run.meta.skipped) {
      skipped.push_back({{"name", item.name}, {"reason", item.reason}});
    }
  }
  return report;
}

Status convert(const Arguments& arguments, RunContext& context) {
  const bool labels = isLabels(arguments, context);
  const auto run = readInput(arguments, labels, context);
  if (!run) {
    return failWith(run);
  }
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return unchanged;
  }
  if (Status written = writeRun(*run, arguments.output, context); !written) {
    return written;
  }
  if (arguments.as_json) {
    fmt::print("{}\n", jsonText(toJson(arguments, *run), 2));
    return {};
  }
  fmt::print("{}: {} items, {} classes\n", arguments.output, run->itemCount(),
             namedClassCount(*run));
  for (const std::string& note : textsOf(run->meta.notes)) {
    fmt::print("note: {}\n", note);
  }
  return {};
}

std::string formatHelp() {
  std::string help = "format of the labels, if it is not recognised:";
  for (const LabelFormat* const format : allLabelFormats()) {
    help += fmt::format(" {} ({}),", format->key, format->name);
  }
  help.pop_back();
  return help;
}

}  // namespace

Command convertCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("input", arguments->input_path,
                 "npz, npy (PROBS.npy,LABELS.npy) or csv file with probabilities and labels; or "
                 "labels of images from another program, a file or folder")
      ->required();
  app.add_option("-o,--output", arguments->output, "run file to write (.npz)")->required();
  app.add_option("--images", arguments->images,
                 "folder of the labelled images; by default that of the labels");
  app.add_option("--format", arguments->format, formatHelp());
  app.add_option("--field", arguments->field,
                 "field of a sample (FiftyOne) or control (Label Studio) with the class");
  arguments->moved = app.add_option(
      "--dataset", arguments->dataset,
      "where the images of a run are now, if they have moved: DIR or a dataset specification");
  arguments->labels = arguments->input.declareLabels(app);
  arguments->verify = arguments->input.declare(app);
  app.add_flag("--json", arguments->as_json, "print JSON");
  return {[arguments](RunContext& context) { return convert(*arguments, context); }};
}

}  // namespace dubito::cli
