// SPDX-License-Identifier: GPL-3.0-or-later
// Import of labels into label stores.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "app/cli/field_flags.h"
#include "app/cli/flag_text.h"
#include "app/cli/report_flags.h"
#include "app/cli/review/exchange.h"
#include "app/cli/review/label_place.h"
#include "app/cli/review/review_commands.h"
#include "app/cli/run_input.h"
#include "core/base/counted.h"
#include "core/data/sources/dataset_fingerprint.h"
#include "core/data/sources/moved_items.h"
#include "core/io/mapped_file.h"
#include "core/review/formats/label_format.h"
#include "core/review/formats/match_rows.h"
#include "core/review/formats/store_labels.h"

namespace dubito::cli {
namespace {

struct ImportArguments {
  std::string place;
  std::string format;
  std::string path;
  std::string dataset;
  std::string run;
  std::string annotator;
  bool history = false;
  LabelImportOptions options;
  RunInput input;
  ReportFlags output;
  CLI::Option* verify = nullptr;
};

/// A store to import into, and the items of its dataset.
struct Target {
  OpenedLabels labels;
  Items items;
  DatasetPtr dataset;  ///< nullptr if only a run is known
};

/// The store of a dataset; a new one gets its classes.
Expected<Target> targetOf(const DatasetPtr& dataset, const std::string& place,
                          RunContext& context) {
  auto opened = openLabels(place, StoreMode::kOpenOrCreate);
  if (!opened) {
    return failWith(opened);
  }
  const DatasetInfo& info = dataset->info();
  auto fingerprint = datasetFingerprint(info.spec, context);
  if (!fingerprint) {
    return failWith(fingerprint);
  }
  if (Status belongs = opened->store->belongTo(
          {.name = info.name, .spec = info.spec, .fingerprint = *std::move(fingerprint)},
          info.class_names);
      !belongs) {
    return failWith(belongs);
  }
  return Target{*std::move(opened), itemsOf(*dataset), dataset};
}

Expected<Target> openTarget(const ImportArguments& arguments, RunContext& context) {
  if (!arguments.dataset.empty()) {
    const auto dataset = openDataset(arguments.dataset, context);
    return dataset ? targetOf(*dataset, arguments.place, context) : failWith(dataset);
  }
  if (!arguments.run.empty()) {
    const auto run = arguments.input.open(arguments.run, context);
    if (!run) {
      return failWith(run);
    }
    auto opened = openLabelsOf(*run, arguments.run, arguments.place, StoreMode::kOpenOrCreate);
    if (!opened) {
      return failWith(opened);
    }
    Target target{
        *std::move(opened), {{run->ids.values().begin(), run->ids.values().end()}, {}}, nullptr};
    target.items.names.resize(target.items.ids.size());
    return target;
  }
  auto opened = openLabels(arguments.place, StoreMode::kOpen);
  if (!opened) {
    return failWith(opened);
  }
  const auto recorded = opened->store->dataset();
  if (!recorded) {
    return failWith(recorded);
  }
  const std::string spec = *recorded ? (*recorded)->spec : std::string();
  const auto dataset = spec.empty() ? Expected<DatasetPtr>(nullptr) : openDataset(spec, context);
  if (!dataset && dataset.error().code == ErrorCode::kCancelled) {
    return failWith(dataset);
  }
  if (!dataset || *dataset == nullptr) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the items that it belongs to are not known here{}; pass "
                            "--dataset SPEC or --run RUN",
                            opened->store->place(),
                            dataset ? "" : " (" + messageWithFlags(dataset.error()) + ")"));
  }
  return Target{*std::move(opened), itemsOf(**dataset), *dataset};
}

/// What an import did.
struct Imported {
  std::vector<std::string> notes;
  std::vector<std::string> added_classes;
  std::vector<std::int64_t> steps;
  std::int64_t decisions = 0;
};

/// The classes that the store is to have as well: those of the labels, and with `details` all.
std::vector<std::string> namesToAdd(const LabelTable& table, std::span<const LabelClass> classes,
                                    std::int64_t class_count, bool details) {
  std::vector<std::string> names = missingClasses(table, classes, class_count);
  for (const LabelClass& each : table.classes) {
    const bool is_missing = !each.merged_into &&
                            findClass(classes, std::string_view(each.name)) == nullptr &&
                            std::ranges::find(names, each.name) == names.end();
    if (details && is_missing) {
      names.push_back(each.name);
    }
  }
  return names;
}

/// Adds the classes that only the file has. With `details`, the classes also get their names,
/// colours, keys and merges.
Expected<std::vector<LabelClass>> completeClasses(const Target& target, const LabelTable& table,
                                                  const std::string& annotator, bool details,
                                                  Imported& imported) {
  LabelStore& store = *target.labels.store;
  if (details) {
    // Renames first: a class under its new name is not missing.
    if (const auto adopted = adoptClassDetails(store, table, annotator); !adopted) {
      return failWith(adopted);
    }
  }
  const auto classes = store.classes();
  if (!classes) {
    return failWith(classes);
  }
  for (const std::string& name : namesToAdd(table, *classes, target.items.class_count, details)) {
    if (const auto added = store.addClass(name, annotator); !added) {
      return failWith(added);
    }
    imported.added_classes.push_back(name);
  }
  if (details) {
    const auto adopted = adoptClassDetails(store, table, annotator);
    if (!adopted) {
      return failWith(adopted);
    }
    append(textsOf(*adopted), imported.notes);
  }
  auto complete = store.classes();
  if (complete && classes->empty() && !complete->empty() && complete->front().name != "0") {
    imported.notes.push_back(
        "the dataset does not name its classes: they are numbered in the order of this file, which "
        "may not be a network's; to have the classes of a network, import into a new label store "
        "with --run RUN");
  }
  return complete;
}

/// One step per annotator. With `history` the order between annotators matters, so that a step ends
/// where another annotator follows.
std::vector<std::vector<Decision>> stepsOf(std::vector<Decision> decisions, bool history) {
  std::vector<std::vector<Decision>> steps;
  std::unordered_map<std::string, std::size_t> step_of;
  for (Decision& decision : decisions) {
    if (history && !steps.empty() && steps.back().front().annotator != decision.annotator) {
      step_of.clear();
    }
    const auto [found, is_new] = step_of.emplace(decision.annotator, steps.size());
    if (is_new) {
      steps.emplace_back();
    }
    steps[found->second].push_back(std::move(decision));
  }
  return steps;
}

Expected<Imported> record(const ImportArguments& arguments, const LabelTable& table, bool details,
                          const RowMatches& matches, const Target& target) {
  LabelStore& store = *target.labels.store;
  Imported imported;
  const auto classes = completeClasses(target, table, arguments.annotator, details, imported);
  if (!classes) {
    return failWith(classes);
  }
  const auto labels = store.labels();
  if (!labels) {
    return failWith(labels);
  }
  ImportedDecisions made =
      decisionsOf(table, matches.items, *classes, *labels,
                  {.annotator = arguments.annotator, .with_history = arguments.history});
  append(textsOf(made.notes), imported.notes);
  imported.decisions = static_cast<std::int64_t>(made.decisions.size());
  // The labels that count come last, in steps of their own: the newest decision counts.
  const auto counting = made.decisions.begin() + static_cast<std::ptrdiff_t>(made.opinions);
  for (const auto& part : {std::vector<Decision>(made.decisions.begin(), counting),
                           std::vector<Decision>(counting, made.decisions.end())}) {
    for (const std::vector<Decision>& step : stepsOf(part, arguments.history)) {
      const auto recorded = store.decide(step);
      if (!recorded) {
        return failWith(recorded);
      }
      imported.steps.push_back(*recorded);
    }
  }
  const auto remarks = recordRemarks(store, table, matches.items, arguments.annotator);
  if (!remarks) {
    return failWith(remarks);
  }
  if (*remarks > 0) {
    imported.notes.push_back(
        fmt::format("comments on images and texts about classes: {}", *remarks));
  }
  return imported;
}

Status importFile(const ImportArguments& arguments, RunContext& context) {
  if (Status used = rejectIneffectiveFlags(
          {{arguments.verify, allUnless(!arguments.run.empty(), {setting("run")})}});
      !used) {
    return used;
  }
  const auto recognised = recogniseLabels(arguments.path, arguments.format, context);
  if (!recognised) {
    return failWith(recognised);
  }
  const LabelFormat& format = *recognised->format;
  const auto read = importLabels(format, recognised->path, arguments.options, context);
  if (!read) {
    return failWith(read);
  }
  const auto target = openTarget(arguments, context);
  if (!target) {
    return failWith(target);
  }
  LabelStore& store = *target->labels.store;
  RowMatches matches = matchRows(read->table, target->items.ids, target->items.names);
  if (target->dataset != nullptr) {
    if (Status moved = matchMovedItems(read->table, *target->dataset, matches, context); !moved) {
      return moved;
    }
  }
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return unchanged;
  }
  auto imported = record(arguments, read->table, format.keeps.contains(LabelPart::kClassDetails),
                         matches, *target);
  if (!imported) {
    return failWith(imported);
  }
  std::vector<std::string> notes = target->labels.notes;
  append(textsOf(read->notes), notes);
  append(textsOf(matches.notes()), notes);
  append(imported->notes, notes);
  std::string text = notesText(notes);
  for (const std::string& name : imported->added_classes) {
    text += fmt::format("new class: {}\n", name);
  }
  text += fmt::format("{}: {} from {}, {} found by id, {} by path, {} by file name{}\n",
                      store.place(), counted(imported->decisions, "decision"), format.name,
                      counted(matches.by_id, "item"), matches.by_path, matches.by_name,
                      matches.by_hash > 0 ? fmt::format(", {} by content", matches.by_hash) : "");
  return arguments.output.report({{"labels", store.place()},
                                  {"format", format.key},
                                  {"input", recognised->path},
                                  {"imported", imported->decisions},
                                  {"by_id", matches.by_id},
                                  {"by_path", matches.by_path},
                                  {"by_name", matches.by_name},
                                  {"by_hash", matches.by_hash},
                                  {"added_classes", imported->added_classes},
                                  {"steps", imported->steps},
                                  {"notes", notes}},
                                 text);
}

}  // namespace

Command reviewImportCommand(CLI::App& app) {
  const auto arguments = std::make_shared<ImportArguments>();
  app.add_option("labels", arguments->place, kLabelPlaceHelp)->required();
  app.add_option("file", arguments->path, "file or folder with labels")->required();
  declareFormat(app, arguments->format);  // by default recognised by content
  CLI::Option* const dataset =
      app.add_option("--dataset", arguments->dataset,
                     "dataset of the items; by default the one that the labels belong to");
  app.add_option("--run", arguments->run, "run over the items, found by id alone")
      ->excludes(dataset);
  declareAnnotator(app, arguments->annotator, "annotator of labels that name none");
  app.add_flag("--history", arguments->history, "import earlier decisions as well");
  declareFields(app, arguments->options.fields(), "Format");
  arguments->verify = arguments->input.declare(app);
  arguments->output.declareJson(app);
  return {[arguments](RunContext& context) { return importFile(*arguments, context); }};
}

}  // namespace dubito::cli
