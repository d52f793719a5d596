// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/cli/command.h"
#include "app/cli/evaluate_seeds.h"
#include "app/cli/evaluation_csv.h"
#include "app/cli/evaluation_notes.h"
#include "app/cli/field_flags.h"
#include "app/cli/flag_text.h"
#include "app/cli/run_input.h"
#include "core/base/json_text.h"
#include "core/data/items/dataset.h"
#include "core/data/items/item_positions.h"
#include "core/io/atomic_file.h"
#include "core/io/mapped_file.h"
#include "core/metrics/evaluation.h"
#include "core/metrics/items_csv.h"

namespace dubito::cli {
namespace {

struct Arguments {
  std::string run;
  RunInput input;
  std::vector<std::string> ood;
  std::vector<std::string> seed_runs;
  EvaluationOptions options;
  std::string json;  ///< "-": standard output instead of the table
  std::string csv_folder;
  std::string items_csv;
};

/// An OOD run and the name given with --ood.
struct OpenedRun {
  std::string name;
  Run run;
};

Expected<OpenedRun> openOod(const std::string& text, const RunInput& input, RunContext& context) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    return usageError(
        fmt::format("--ood {}: the name is missing; write --ood fashion={}", text, text));
  }
  auto run = input.open(text.substr(equals + 1), context);
  if (!run) {
    return failWith(run);
  }
  return OpenedRun{text.substr(0, equals), std::move(*run)};
}

/// Item names by row of the run. Errors of opening its dataset.
Expected<std::function<std::string(std::int64_t)>> itemNames(const Run& run, RunContext& context) {
  const auto dataset = openDataset(run.meta.dataset_spec, context);
  if (!dataset) {
    return failWith(dataset);
  }
  return [dataset = *dataset,
          positions = positionsOfIds(**dataset, run.ids.values())](std::int64_t row) {
    const std::int64_t position = positions[static_cast<std::size_t>(row)];
    return position < 0 ? std::string() : dataset->itemName(position);
  };
}

Status writeItems(const Run& run, const std::string& path, RunContext& context) {
  ItemPath path_of;
  if (!run.meta.dataset_spec.empty()) {
    auto names = itemNames(run, context);
    if (!names && names.error().code == ErrorCode::kCancelled) {
      return failWith(names);
    }
    if (names) {
      path_of = *std::move(names);
    } else {
      fmt::print(stderr, "note: {}: written without item paths: {}\n", path,
                 messageWithFlags(names.error()));
    }
  }
  std::vector<std::int64_t> rows(static_cast<std::size_t>(run.itemCount()));
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  return writeItemsCsv(run, rows, path_of, path, context);
}

Status evaluateAndReport(const Arguments& arguments, RunContext& context) {
  if (const Status checked = arguments.options.check(); !checked) {
    return usageError(checked.error());
  }
  if (!arguments.seed_runs.empty() && !arguments.items_csv.empty()) {
    return usageError(
        "--items-csv takes a single run; remove --seed-run, or evaluate each run separately");
  }
  if (!arguments.seed_runs.empty()) {
    SeedsRequest request{{arguments.run},   arguments.input, arguments.ood,
                         arguments.options, arguments.json,  arguments.csv_folder};
    request.runs.insert(request.runs.end(), arguments.seed_runs.begin(), arguments.seed_runs.end());
    return evaluateSeeds(request, context);
  }
  const auto run = arguments.input.openLabelled(arguments.run, context);
  if (!run) {
    return failWith(run);
  }
  std::vector<OpenedRun> opened;
  for (const std::string& text : arguments.ood) {
    auto ood = openOod(text, arguments.input, context);
    if (!ood) {
      return failWith(ood);
    }
    opened.push_back(std::move(*ood));
  }
  std::vector<NamedRun> named;
  named.reserve(opened.size());
  for (const OpenedRun& ood : opened) {
    named.push_back({ood.name, &ood.run});
  }
  const auto evaluation = evaluate(*run, named, arguments.options, context);
  if (!evaluation) {
    return failWith(evaluation);
  }
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return unchanged;
  }
  const std::vector<std::string> notes = textsOf(notesOfAll(*run, named, context));
  nlohmann::json object = toJson(*evaluation);
  object["notes"] = notes;
  const std::string json = jsonText(object, 2) + "\n";
  if (arguments.json == "-") {
    fmt::print("{}", json);
  } else {
    for (const std::string& note : notes) {
      fmt::print("note: {}\n", note);
    }
    fmt::print("{}", formatTable(toRows(*evaluation)));
    if (!arguments.json.empty()) {
      if (Status written = writeFileAtomically(arguments.json, json); !written) {
        return written;
      }
    }
  }
  if (!arguments.items_csv.empty()) {
    if (Status written = writeItems(*run, arguments.items_csv, context); !written) {
      return written;
    }
  }
  if (arguments.csv_folder.empty()) {
    return {};
  }
  const auto overview = makeOverview(*run, named, arguments.options, context);
  return overview ? writeEvaluationCsv(*evaluation, *overview, arguments.csv_folder)
                  : Status(failWith(overview));
}

}  // namespace

Command evaluateCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("run", arguments->run,
                 "run file, or predictions: npz, npy (PROBS.npy,LABELS.npy), csv")
      ->required();
  app.add_option("--ood", arguments->ood, "out-of-distribution run, as NAME=RUN (repeatable)")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option(
         "--seed-run", arguments->seed_runs,
         "run that differs only in its seed (repeatable); metrics become mean +- sample standard "
         "deviation; --ood then takes one run per seed, separated by commas (for npy, "
         "PROBS,LABELS pairs in a row)")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  arguments->input.declareLabels(app);
  arguments->input.declare(app);
  declareFields(app, arguments->options.fields(), "Conventions");
  app.add_option("--json", arguments->json, "JSON file, or - to print JSON instead of the table")
      ->expected(0, 1)
      ->default_str("-");
  app.add_option("--csv", arguments->csv_folder, "folder for the table and all plot data as CSV");
  app.add_option("--items-csv", arguments->items_csv,
                 "CSV file to write, one row per item: path (if the dataset still exists), label, "
                 "prediction, measures, probabilities");
  return {[arguments](RunContext& context) { return evaluateAndReport(*arguments, context); }};
}

}  // namespace dubito::cli
