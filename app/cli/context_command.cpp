// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/calibration_pair.h"
#include "app/cli/command.h"
#include "app/cli/field_flags.h"
#include "app/cli/run_identity.h"
#include "app/cli/run_input.h"
#include "core/base/counted.h"
#include "core/base/in_quotes.h"
#include "core/base/json_text.h"
#include "core/context/context_run.h"
#include "core/context/label_changes.h"
#include "core/context/scene_record.h"
#include "core/context/weight_fit.h"
#include "core/data/items/dataset.h"
#include "core/data/overlap/run_overlap.h"
#include "core/io/calibration_transfer.h"
#include "core/io/join_runs.h"
#include "core/io/mapped_file.h"

namespace dubito::cli {
namespace {

struct Arguments {
  std::string run;
  std::string scenes;
  std::string scene_column = "scene";
  bool scene_folders = false;
  std::string cooccurrence;
  std::string learn;
  std::string learn_scenes;
  std::string calibration;
  std::string calibration_scenes;
  bool allow_same_split = false;
  ContextOptions options;
  RunInput input;
  std::string output;
  std::string changes;
  bool as_json = false;
};

/// A run with its scenes.
struct RunInScenes {
  Run run;
  Scenes scenes;
};

/// `scenes_file` overrides --scenes, because ids of another dataset may mean other items.
Expected<RunInScenes> openInScenes(const Arguments& arguments, const std::string& path,
                                   const std::string& scenes_file, RunContext& context) {
  auto run = arguments.input.open(path, context);
  if (!run) {
    return failWith(run);
  }
  if (!arguments.scene_folders || !scenes_file.empty()) {
    auto scenes = readScenes(scenes_file.empty() ? arguments.scenes : scenes_file,
                             arguments.scene_column, *run, context);
    if (!scenes) {
      Error error = scenes.error();
      if (error.code == ErrorCode::kInvalidArgument) {
        // A table may be about one run and be read for another.
        error.message += fmt::format(" (the run is {})", path);
      }
      return tl::unexpected<Error>(std::move(error));
    }
    return RunInScenes{*std::move(run), *std::move(scenes)};
  }
  if (run->meta.dataset_spec.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: does not know its dataset, so its folders are unknown; give "
                            "--scenes",
                            path));
  }
  const auto dataset = openDataset(run->meta.dataset_spec, context);
  if (!dataset) {
    return failWith(dataset);
  }
  auto scenes = scenesOfFolders(**dataset, *run);
  if (!scenes) {
    return failWith(scenes);
  }
  return RunInScenes{*std::move(run), *std::move(scenes)};
}

/// Labels that the result rests on must not be those it is evaluated with. Appends what is allowed
/// or cannot be known to `notes`.
Status checkDistinct(const Arguments& arguments, const Run& run, const Run& labelled,
                     const std::string& path, const std::string& purpose,
                     std::vector<std::string>& notes, RunContext& context) {
  const auto overlap = findOverlap(labelled, run, context);
  if (!overlap) {
    return failWith(overlap);
  }
  const auto allowed =
      checkSharedItems(overlap->shared, purpose, path, arguments.run, arguments.allow_same_split);
  if (!allowed) {
    return failWith(allowed);
  }
  addMissing(*allowed, notes);
  if (!overlap->doubt.empty()) {
    addMissing({fmt::format("cannot check whether {} and {} share items: {}", arguments.run, path,
                            overlap->doubt)},
               notes);
  }
  return {};
}

Expected<Cooccurrence> countsFor(const Arguments& arguments, const Run& run,
                                 std::vector<std::string>& notes, RunContext& context) {
  if (!arguments.cooccurrence.empty()) {
    return readCooccurrence(arguments.cooccurrence, run, context);
  }
  const auto learned = openInScenes(arguments, arguments.learn, arguments.learn_scenes, context);
  if (!learned) {
    return failWith(learned);
  }
  if (Status distinct = checkDistinct(arguments, run, learned->run, arguments.learn,
                                      "co-occurrence", notes, context);
      !distinct) {
    return failWith(distinct);
  }
  return learnCooccurrence(learned->run, learned->scenes, arguments.learn, run);
}

Expected<WeightFit> fitFor(const Arguments& arguments, const Run& run, const PairScores& scores,
                           std::vector<std::string>& notes, RunContext& context) {
  const auto calibration =
      openInScenes(arguments, arguments.calibration, arguments.calibration_scenes, context);
  if (!calibration) {
    return failWith(calibration);
  }
  if (Status same = sameClasses({run, arguments.run}, {calibration->run, arguments.calibration});
      !same) {
    return failWith(same);
  }
  if (Status distinct = checkDistinct(arguments, run, calibration->run, arguments.calibration,
                                      "calibration", notes, context);
      !distinct) {
    return failWith(distinct);
  }
  if (!calibrationTransfers(run.meta, calibration->run.meta)) {
    addMissing(
        {fmt::format("{} was computed with {} and {}, {} with {} and {}: the weight may not "
                     "fit",
                     arguments.run, run.meta.method, run.meta.model_name, arguments.calibration,
                     calibration->run.meta.method, calibration->run.meta.model_name)},
        notes);
  }
  return fitContextWeight(calibration->run, arguments.calibration, calibration->scenes, scores,
                          arguments.options, context);
}

Status checkArguments(const Arguments& arguments) {
  if (arguments.scenes.empty() == !arguments.scene_folders) {
    return usageError("give either --scenes FILE or --scene-folders");
  }
  if (arguments.cooccurrence.empty() == arguments.learn.empty()) {
    return usageError("give either --cooccurrence FILE or --learn RUN");
  }
  const bool labels_used = !arguments.learn.empty() || !arguments.calibration.empty();
  for (const auto& [given, flag, needs] :
       {std::tuple(!arguments.learn_scenes.empty() && arguments.learn.empty(), "--learn-scenes",
                   "--learn"),
        {!arguments.calibration_scenes.empty() && arguments.calibration.empty(),
         "--calibration-scenes", "--calibration"},
        {arguments.allow_same_split && !labels_used, "--allow-same-split",
         "--learn or --calibration"}}) {
    if (given) {
      return usageError(fmt::format("{} has no effect without {}; remove it", flag, needs));
    }
  }
  for (const auto& [flag, written] :
       {std::pair("--output", &arguments.output), {"--changes", &arguments.changes}}) {
    for (const std::string* const input :
         {&arguments.run, &arguments.learn, &arguments.calibration, &arguments.scenes,
          &arguments.learn_scenes, &arguments.calibration_scenes, &arguments.cooccurrence}) {
      std::error_code missing;
      if (!input->empty() && !written->empty() &&
          std::filesystem::equivalent(*input, *written, missing)) {
        return usageError(fmt::format(
            "{}: {} would overwrite this input; choose another output file", *input, flag));
      }
    }
  }
  const Status checked = arguments.options.check();
  return checked ? Status() : usageError(checked.error());
}

std::string toText(const ContextReport& report, const Arguments& arguments, const Run& run) {
  std::string text =
      fmt::format("{}: {} in {}, {} alone; {} of them got another label\n", arguments.output,
                  counted(report.items, "item"), counted(report.scenes, "scene"), report.alone,
                  report.changed_labels);
  text += fmt::format("scenes       {} exact, ", report.exact);
  if (report.searched > 0) {
    text += fmt::format("{} by search (within {:.1g}), ", report.searched, report.largest_left_out);
  }
  text += fmt::format("{} by belief propagation, {} not converged\n", report.converged,
                      report.not_converged);
  for (const UnsettledScene& scene : report.unsettled) {
    text += fmt::format("  not converged: {}, largest change of the last step {:.3g} nats\n",
                        inQuotes(scene.name), scene.residual);
  }
  for (const std::string& note : textsOf(run.meta.notes)) {
    text += fmt::format("note: {}\n", note);
  }
  return text;
}

nlohmann::json toJson(const ContextReport& report, const Arguments& arguments, const Run& source,
                      const Run& run) {
  auto unsettled = nlohmann::json::array();
  for (const UnsettledScene& scene : report.unsettled) {
    unsettled.push_back({{"scene", scene.name}, {"residual", scene.residual}});
  }
  return {{"output", arguments.output},
          {"run", identityToJson(arguments.run, source)},
          {"n", run.itemCount()},
          {"method", run.meta.method},
          {"options", nlohmann::json::parse(run.meta.method_options, nullptr, false)},
          {"items_in_scenes", report.items},
          {"alone", report.alone},
          {"scenes", report.scenes},
          {"exact", report.exact},
          {"searched", report.searched},
          {"converged", report.converged},
          {"not_converged", report.not_converged},
          {"scenes_not_converged", unsettled},
          {"largest_left_out", report.largest_left_out},
          {"largest_residual", report.largest_residual},
          {"changed_labels", report.changed_labels},
          {"notes", textsOf(run.meta.notes)}};
}

Status addContext(Arguments arguments, RunContext& context) {
  if (Status checked = checkArguments(arguments); !checked) {
    return checked;
  }
  const auto opened = openInScenes(arguments, arguments.run, {}, context);
  if (!opened) {
    return failWith(opened);
  }
  std::vector<std::string> notes;
  const auto cooccurrence = countsFor(arguments, opened->run, notes, context);
  if (!cooccurrence) {
    return failWith(cooccurrence);
  }
  const auto scores = pairScores(*cooccurrence, arguments.options);
  if (!scores) {
    return failWith(scores);
  }
  for (const auto* const more : {&cooccurrence->notes, &scores->notes, &opened->scenes.notes}) {
    addMissing(*more, notes);
  }
  ContextSources sources{.run = arguments.run, .cooccurrence = cooccurrence->source};
  nlohmann::json fitted;
  if (!arguments.calibration.empty()) {
    const auto fit = fitFor(arguments, opened->run, *scores, notes, context);
    if (!fit) {
      return failWith(fit);
    }
    arguments.options.weight = fit->weight;
    sources.weight = fmt::format("fitted on {} items of {}", fit->items, arguments.calibration);
    notes.push_back(describe(*fit));
    fitted = {{"n", fit->items},
              {"in_company", fit->in_company},
              {"weight", fit->weight},
              {"nll_before", fit->nll_before},
              {"nll_after", fit->nll_after}};
  }
  auto result =
      withContext(opened->run, opened->scenes, *scores, arguments.options, sources, context);
  if (!result) {
    return failWith(result);
  }
  addMissing(notes, result->run.meta.notes);
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return unchanged;
  }
  if (!arguments.changes.empty()) {
    if (Status written = writeLabelChanges(arguments.changes, opened->run, result->run,
                                           opened->scenes, *scores, arguments.options, context);
        !written) {
      return written;
    }
  }
  const SceneRecord record =
      sceneRecord(opened->run, opened->scenes, *scores, arguments.options.weight);
  if (Status written = writeContextRun(result->run, record, arguments.output, context); !written) {
    return written;
  }
  if (!arguments.as_json) {
    fmt::print("{}", toText(result->report, arguments, result->run));
    return {};
  }
  nlohmann::json report = toJson(result->report, arguments, opened->run, result->run);
  if (!fitted.is_null()) {
    report["fitted"] = fitted;
  }
  fmt::print("{}\n", jsonText(report, 2));
  return {};
}

}  // namespace

Command contextCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("run", arguments->run,
                 "run file, or predictions: npz, npy (PROBS.npy,LABELS.npy), csv")
      ->required();
  app.add_option("--scenes", arguments->scenes,
                 "CSV file that tells the scene of each item: columns id (or path) and scene");
  app.add_option("--scene-column", arguments->scene_column, "name of the column with the scenes")
      ->capture_default_str();
  app.add_flag("--scene-folders", arguments->scene_folders,
               "the images of one folder of the dataset are one scene");
  app.add_option("--cooccurrence", arguments->cooccurrence,
                 "CSV file that counts how often two classes are in one scene: one row and one "
                 "column for each class");
  app.add_option("--learn", arguments->learn,
                 "labelled run whose scenes are counted in place of --cooccurrence");
  app.add_option("--learn-scenes", arguments->learn_scenes,
                 "scenes of the items of --learn; by default those of --scenes");
  app.add_option("--calibration", arguments->calibration,
                 "labelled run of the same method, on which the weight is fitted");
  app.add_option("--calibration-scenes", arguments->calibration_scenes,
                 "scenes of the items of --calibration; by default those of --scenes");
  declareFields(app, arguments->options.fields(), "Context");
  app.get_option("--weight")->excludes(app.get_option("--calibration"));
  app.add_flag("--allow-same-split", arguments->allow_same_split,
               "accept runs that share items; noted in the result");
  arguments->input.declare(app);
  app.add_option("--changes", arguments->changes,
                 "CSV file to write: why context changed a label, one line for each changed item "
                 "and each other item of its scene");
  app.add_option("-o,--output", arguments->output, "run file to write (.npz)")->required();
  app.add_flag("--json", arguments->as_json, "print JSON");
  return {[arguments](RunContext& context) { return addContext(*arguments, context); }};
}

}  // namespace dubito::cli
