// SPDX-License-Identifier: GPL-3.0-or-later
// Export of label stores.
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
#include "core/data/items/item_files.h"
#include "core/review/formats/label_format.h"
#include "core/review/formats/store_labels.h"
#include "core/review/formats/undecided.h"

namespace dubito::cli {
namespace {

struct ExportArguments {
  std::string place;
  std::string format;
  std::string path;
  std::string dataset;
  std::string run;
  LabelExportOptions options;
  FieldFlags flags;
  RunInput input;
  ReportFlags output;
  CLI::Option* verify = nullptr;
};

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

/// The dataset of --dataset or, if it can be opened, the one that the store belongs to; nullptr,
/// with a note, if that is gone.
Expected<DatasetPtr> datasetOfExport(const ExportArguments& arguments, LabelStore& store,
                                     std::vector<std::string>& notes, RunContext& context) {
  std::string spec = arguments.dataset;
  if (spec.empty()) {
    const auto recorded = store.dataset();
    if (!recorded) {
      return failWith(recorded);
    }
    spec = *recorded ? (*recorded)->spec : std::string();
  }
  if (spec.empty()) {
    return nullptr;
  }
  auto dataset = openDataset(spec, context);
  if (dataset || !arguments.dataset.empty() || dataset.error().code == ErrorCode::kCancelled) {
    return dataset;
  }
  notes.push_back(fmt::format(
      "the dataset of these labels cannot be opened ({}); if it has moved, pass --dataset SPEC",
      messageWithFlags(dataset.error())));
  return nullptr;
}

UndecidedItems itemsOfDataset(const Dataset& dataset) {
  UndecidedItems result{{}, dataset.info().class_names};
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    result.items.push_back({.id = dataset.ids()[at],
                            .path = dataset.itemName(i),
                            .given = knownLabel(dataset.labels()[at])});
  }
  return result;
}

/// What --undecided asks for, and the scores of --run for labels of a model.
Status addFromRun(const ExportArguments& arguments, const DatasetPtr& dataset, LabelTable& table,
                  std::vector<std::string>& notes, RunContext& context) {
  const Undecided undecided =
      undecidedOfKey(arguments.options.undecided).value_or(Undecided::kDrop);
  UndecidedItems known;
  if (!arguments.run.empty()) {
    const auto run = arguments.input.open(arguments.run, context);
    if (!run) {
      return failWith(run);
    }
    known = undecidedItemsOf(*run);
    (void)addSuggestedScores(table, known);
  } else if (undecided == Undecided::kSuggest) {
    return usageError("--undecided suggest needs the run with the suggestions; pass --run RUN");
  } else if (undecided == Undecided::kKeep && dataset == nullptr) {
    return usageError(
        "--undecided keep needs the dataset with the given labels; pass --dataset SPEC or --run "
        "RUN");
  } else if (undecided == Undecided::kKeep) {
    known = itemsOfDataset(*dataset);
  }
  append(textsOf(addUndecided(table, known, undecided, arguments.options.min_probability)), notes);
  return {};
}

Status exportStore(const ExportArguments& arguments, RunContext& context) {
  if (const Status checked = arguments.options.check(); !checked) {
    return usageError(checked.error());
  }
  LabelExportOptions options = arguments.options;
  std::vector<FlagUse> uses = arguments.flags.uses(options.fields());
  for (FlagUse& use : uses) {
    const bool is_idle = use.flag->get_name() == "--min-probability" &&
                         options.undecided != keyOf(Undecided::kSuggest);
    if (is_idle) {
      use.unmet_requirement = {{setting("undecided", std::string(keyOf(Undecided::kSuggest)))}};
    }
  }
  uses.push_back({arguments.verify, allUnless(!arguments.run.empty(), {setting("run")})});
  if (Status used = rejectIneffectiveFlags(uses); !used) {
    return used;
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
  std::vector<std::string> notes = opened->notes;
  const auto dataset = datasetOfExport(arguments, *opened->store, notes, context);
  if (!dataset) {
    return failWith(dataset);
  }
  if (Status added = addFromRun(arguments, *dataset, *table, notes, context); !added) {
    return added;
  }
  if (*dataset != nullptr) {
    namePaths(itemsOf(**dataset), *table);
    options.images = options.images.empty() ? itemFolder(**dataset) : options.images;
  }
  const auto exported = exportLabels(format, *table, arguments.path, options, context);
  if (!exported) {
    return failWith(exported);
  }
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

}  // namespace

Command reviewExportCommand(CLI::App& app) {
  const auto arguments = std::make_shared<ExportArguments>();
  app.add_option("labels", arguments->place, kLabelPlaceHelp)->required();
  declareFormat(app, arguments->format)->required();
  app.add_option("-o,--output", arguments->path, "file or folder to write")->required();
  app.add_option("--dataset", arguments->dataset,
                 "dataset of the items, for their paths; by default the one that the labels belong "
                 "to");
  app.add_option(
      "--run", arguments->run,
      "run with the suggestions for --undecided suggest, the given labels for --undecided "
      "keep, and the scores of automatic labels");
  arguments->flags = declareFields(app, arguments->options.fields(), "Format");
  arguments->verify = arguments->input.declare(app);
  arguments->output.declareJson(app);
  return {[arguments](RunContext& context) { return exportStore(*arguments, context); }};
}

}  // namespace dubito::cli
