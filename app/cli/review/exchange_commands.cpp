// SPDX-License-Identifier: GPL-3.0-or-later
// Import and export of label stores.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "app/cli/field_flags.h"
#include "app/cli/report_flags.h"
#include "app/cli/review/label_place.h"
#include "app/cli/review/review_commands.h"
#include "app/cli/run_input.h"
#include "core/base/counted.h"
#include "core/data/items/dataset.h"
#include "core/data/sources/dataset_fingerprint.h"
#include "core/io/mapped_file.h"
#include "core/review/formats/label_format.h"
#include "core/review/formats/match_rows.h"
#include "core/review/formats/store_labels.h"

namespace dubito::cli {
namespace {

struct ExportArguments {
  std::string place;
  std::string format;
  std::string path;
  std::string dataset;
  LabelExportOptions options;
  ReportFlags output;
};

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

/// The items that labels can belong to.
struct Items {
  std::vector<std::int64_t> ids;
  std::vector<std::string> names;  ///< as long; empty: unknown
  std::int64_t class_count = 0;    ///< as many as the labels of the dataset tell
};

Items itemsOf(const Dataset& dataset) {
  Items items{{dataset.ids().begin(), dataset.ids().end()}, {}};
  for (const std::int64_t label : dataset.labels()) {
    items.class_count = std::max(items.class_count, label + 1);
  }
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    items.names.push_back(dataset.itemName(i));
  }
  return items;
}

std::vector<std::string> formatKeys() {
  std::vector<std::string> keys;
  for (const LabelFormat* const format : allLabelFormats()) {
    keys.emplace_back(format->key);
  }
  return keys;
}

CLI::Option* declareFormat(CLI::App& app, std::string& key) {
  std::string help = "file format:";
  for (const LabelFormat* const format : allLabelFormats()) {
    help += fmt::format(" {} ({}),", format->key, format->summary);
  }
  help.pop_back();
  return app.add_option("--format", key, help)->required()->check(CLI::IsMember(formatKeys()));
}

std::vector<std::string> textsOf(const std::vector<LabelNote>& notes) {
  std::vector<std::string> texts;
  for (const LabelNote& note : notes) {
    texts.push_back(toText(note));
  }
  return texts;
}

void append(const std::vector<std::string>& more, std::vector<std::string>& notes) {
  notes.insert(notes.end(), more.begin(), more.end());
}

std::string notesText(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) {
    text += fmt::format("note: {}\n", note);
  }
  return text;
}

// --- Export

/// Fills in the paths that decisions do not know, from the dataset.
void namePaths(const Items& items, LabelTable& table) {
  std::unordered_map<std::int64_t, const std::string*> names;
  for (std::size_t i = 0; i < items.ids.size(); ++i) {
    names.emplace(items.ids[i], &items.names[i]);
  }
  for (LabelRow& row : table.rows) {
    if (row.path.empty() && row.item) {
      if (const auto found = names.find(*row.item); found != names.end()) {
        row.path = *found->second;
      }
    }
  }
}

/// The dataset of --dataset or, if it can be opened, the one that the store belongs to.
Status nameRows(const ExportArguments& arguments, LabelStore& store, LabelTable& table,
                RunContext& context) {
  std::string spec = arguments.dataset;
  if (spec.empty()) {
    const auto recorded = store.dataset();
    if (!recorded) {
      return failWith(recorded);
    }
    spec = *recorded ? (*recorded)->spec : std::string();
  }
  if (spec.empty()) {
    return {};
  }
  const auto dataset = openDataset(spec, context);
  if (dataset) {
    namePaths(itemsOf(**dataset), table);
    return {};
  }
  const bool matters = !arguments.dataset.empty() || dataset.error().code == ErrorCode::kCancelled;
  return matters ? failWith(dataset) : Status();
}

Status exportStore(const ExportArguments& arguments, RunContext& context) {
  if (const Status checked = arguments.options.check(); !checked) {
    return usageError(checked.error().message);
  }
  const LabelFormat& format = *findLabelFormat(arguments.format);  // checked by the parser
  const auto opened = openLabels(arguments.place, StoreMode::kReadOnly);
  if (!opened) {
    return failWith(opened);
  }
  auto table = labelTable(*opened->store);
  if (!table) {
    return failWith(table);
  }
  if (Status named = nameRows(arguments, *opened->store, *table, context); !named) {
    return named;
  }
  const auto exported = exportLabels(format, *table, arguments.path, arguments.options, context);
  if (!exported) {
    return failWith(exported);
  }
  std::vector<std::string> notes = opened->notes;
  append(textsOf(exported->notes), notes);
  return arguments.output.report(
      {{"labels", opened->store->place()},
       {"format", arguments.format},
       {"output", arguments.path},
       {"exported", exported->labels},
       {"notes", notes}},
      notesText(notes) +
          fmt::format("{}: {}\n", arguments.path, counted(exported->labels, "label")));
}

// --- Import

/// A store to import into, and the items of its dataset.
struct Target {
  OpenedLabels labels;
  Items items;
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
  return Target{*std::move(opened), itemsOf(*dataset)};
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
    Target target{*std::move(opened), {{run->ids.values().begin(), run->ids.values().end()}, {}}};
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
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{}: the items that it belongs to are not known here{}; pass "
                    "--dataset SPEC or --run RUN",
                    opened->store->place(), dataset ? "" : " (" + dataset.error().message + ")"));
  }
  return Target{*std::move(opened), itemsOf(**dataset)};
}

/// What an import did.
struct Imported {
  std::vector<std::string> notes;
  std::vector<std::string> added_classes;
  std::vector<std::int64_t> steps;
  std::int64_t decisions = 0;
};

/// Adds the classes that only the file has.
Expected<std::vector<LabelClass>> completeClasses(const Target& target, const LabelTable& table,
                                                  const std::string& annotator,
                                                  Imported& imported) {
  LabelStore& store = *target.labels.store;
  const auto classes = store.classes();
  if (!classes) {
    return failWith(classes);
  }
  for (const std::string& name : missingClasses(table, *classes, target.items.class_count)) {
    if (const auto added = store.addClass(name, annotator); !added) {
      return failWith(added);
    }
    imported.added_classes.push_back(name);
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

Expected<Imported> record(const ImportArguments& arguments, const LabelTable& table,
                          const RowMatches& matches, const Target& target) {
  LabelStore& store = *target.labels.store;
  Imported imported;
  const auto classes = completeClasses(target, table, arguments.annotator, imported);
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
  for (const std::vector<Decision>& step : stepsOf(std::move(made.decisions), arguments.history)) {
    const auto recorded = store.decide(step);
    if (!recorded) {
      return failWith(recorded);
    }
    imported.steps.push_back(*recorded);
  }
  return imported;
}

Status importFile(const ImportArguments& arguments, RunContext& context) {
  if (Status used =
          rejectIneffectiveFlags({{arguments.verify, arguments.run.empty() ? "--run" : ""}});
      !used) {
    return used;
  }
  const LabelFormat& format = *findLabelFormat(arguments.format);  // checked by the parser
  const auto read = importLabels(format, arguments.path, arguments.options, context);
  if (!read) {
    return failWith(read);
  }
  const auto target = openTarget(arguments, context);
  if (!target) {
    return failWith(target);
  }
  LabelStore& store = *target->labels.store;
  const RowMatches matches = matchRows(read->table, target->items.ids, target->items.names);
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return unchanged;
  }
  auto imported = record(arguments, read->table, matches, *target);
  if (!imported) {
    return failWith(imported);
  }
  std::vector<std::string> notes = target->labels.notes;
  append(textsOf(read->notes), notes);
  append(textsOf(matches.notes), notes);
  append(imported->notes, notes);
  std::string text = notesText(notes);
  for (const std::string& name : imported->added_classes) {
    text += fmt::format("new class: {}\n", name);
  }
  text += fmt::format("{}: {}, {} found by id, {} by path, {} by file name\n", store.place(),
                      counted(imported->decisions, "decision"), counted(matches.by_id, "item"),
                      matches.by_path, matches.by_name);
  return arguments.output.report({{"labels", store.place()},
                                  {"format", arguments.format},
                                  {"input", arguments.path},
                                  {"imported", imported->decisions},
                                  {"by_id", matches.by_id},
                                  {"by_path", matches.by_path},
                                  {"by_name", matches.by_name},
                                  {"added_classes", imported->added_classes},
                                  {"steps", imported->steps},
                                  {"notes", notes}},
                                 text);
}

}  // namespace

Command reviewExportCommand(CLI::App& app) {
  const auto arguments = std::make_shared<ExportArguments>();
  app.add_option("labels", arguments->place, kLabelPlaceHelp)->required();
  declareFormat(app, arguments->format);
  app.add_option("-o,--output", arguments->path, "file or folder to write")->required();
  app.add_option("--dataset", arguments->dataset,
                 "dataset of the items, for their paths; by default the one that the labels belong "
                 "to");
  declareFields(app, arguments->options.fields(), "Format");
  arguments->output.declareJson(app);
  return {[arguments](RunContext& context) { return exportStore(*arguments, context); }};
}

Command reviewImportCommand(CLI::App& app) {
  const auto arguments = std::make_shared<ImportArguments>();
  app.add_option("labels", arguments->place, kLabelPlaceHelp)->required();
  app.add_option("file", arguments->path, "file or folder with labels")->required();
  declareFormat(app, arguments->format);
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
