// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/csv_text.h"
#include "app/cli/lab/experiment.h"
#include "app/cli/lab/lab_commands.h"
#include "app/cli/threads_flag.h"
#include "core/base/info_keys.h"
#include "core/base/thread_count.h"
#include "core/io/item_lines.h"
#include "core/labs/uci/uci_run.h"
#include "core/labs/uci/uci_table.h"

namespace dubito::cli {
namespace {

using nlohmann::json;

constexpr const char* kAll = "all";

struct UciArguments {
  std::string set = kAll;
  std::vector<std::string> methods;
  std::int64_t splits = 0;
  std::string data;
  std::string output;
  bool resume = false;
  std::uint64_t seed = 0;
  std::int64_t part = 0;
  std::int64_t parts = 1;
  int threads = 0;
  UciOptions options;
  FieldFlags flags;
  ReportFlags report;
};

/// The folder of the sets: datasets/uci in the folder that DUBITO_SHARED names, or in ../shared.
std::string defaultDataFolder() {
  const char* const shared = std::getenv("DUBITO_SHARED");
  const std::filesystem::path folder = shared == nullptr || *shared == '\0' ? "../shared" : shared;
  return (folder / "datasets" / "uci").string();
}

/// One line per result.
Status writeResults(const std::string& path, const std::vector<UciResult>& results,
                    RunContext& context) {
  return writeItemLines(
      path, "set,method,split,rmse,log_likelihood,validation_log_likelihood,choice,seconds",
      std::ssize(results),
      [&results](std::int64_t row) {
        const UciResult& result = results[static_cast<std::size_t>(row)];
        std::string choice;
        for (const auto& [name, value] : result.choice) {
          choice += fmt::format("{}{}={}", choice.empty() ? "" : " ", name, numberText(value));
        }
        return fmt::format("{},{},{},{},{},{},{},{}", result.set, result.method, result.split,
                           numberText(result.test.rmse), numberText(result.test.log_likelihood),
                           numberText(result.validation_log_likelihood), choice,
                           numberText(result.seconds));
      },
      context);
}

/// At most, of our numbers.
constexpr int kDecimals = 6;

std::string uciLine(const std::string& name, const std::string& splits, const MeanWithError& rmse,
                    const MeanWithError& log_likelihood, int decimals, const std::string& note) {
  return fmt::format("  {:<28}{:>6}{:>22}{:>20}{}\n", name, splits, textWithError(rmse, decimals),
                     textWithError(log_likelihood, decimals), note);
}

std::string uciNote(const UciRow& row) {
  std::string note;
  for (const UciComparison& comparison : row.comparisons) {
    if (isMarked(comparison)) {
      note += fmt::format("  * {}: {:+.1f}, {:+.1f}", comparison.column->key, comparison.rmse,
                          comparison.log_likelihood);
    }
  }
  return note;
}

/// The table as text: per set, our rows and the published ones.
std::string uciTableText(const std::vector<UciSetRows>& table) {
  std::string text;
  for (const UciSetRows& set : table) {
    text +=
        fmt::format("{} ({} items, {} inputs)\n", set.set->name, set.set->items, set.set->inputs);
    text += fmt::format("  {:<28}{:>6}{:>22}{:>20}\n", "", "splits", "RMSE", "log-likelihood");
    for (const UciRow& row : set.rows) {
      text += uciLine(row.method->name, fmt::format("{}/{}", row.splits, set.set->splits), row.rmse,
                      row.log_likelihood, kDecimals, uciNote(row));
    }
    for (const UciPublishedColumn& column : uciPublished()) {
      if (const UciPublishedValue* const value = column.of(set.set->key)) {
        text += uciLine(fmt::format("published: {}", column.key), "", value->rmse,
                        value->log_likelihood, column.decimals, "");
      }
    }
    text += "\n";
  }
  return text + fmt::format(
                    "mean ± standard error over the splits; *: differs from the published "
                    "column named by more than {:g} standard errors (RMSE, "
                    "log-likelihood)\n",
                    kUciMarkedErrors);
}

Status reportTable(const std::string& folder, const ReportFlags& report, RunContext& context) {
  const auto results = readUciResults(folder);
  if (!results) {
    return failWith(results);
  }
  const std::vector<UciSetRows> table = uciTable(*results);
  json object = uciTableToJson(table);
  object["results"] = json::array();
  for (const UciResult& result : *results) {
    object["results"].push_back(uciResultToJson(result));
  }
  return reportWithCsv(
      report, [&](const std::string& path) { return writeResults(path, *results, context); },
      object, uciTableText(table));
}

UciPlan planOf(const UciArguments& arguments, const RunContext& context) {
  UciPlan plan{.data_folder = arguments.data.empty() ? defaultDataFolder() : arguments.data,
               .result_folder = arguments.output,
               .sets = {arguments.set},
               .methods = arguments.methods,
               .splits = arguments.splits,
               .resume = arguments.resume,
               .part = arguments.part,
               .parts = arguments.parts};
  if (arguments.set == kAll) {
    plan.sets = infoKeys(uciSets());
  }
  if (plan.methods == std::vector<std::string>{kAll}) {
    plan.methods = infoKeys(uciMethods());
  }
  if (context.ranks) {
    plan.part = context.ranks->rank();
    plan.parts = context.ranks->size();
  }
  return plan;
}

Status computeTable(const UciArguments& arguments, RunContext& context) {
  if (const Status checked = arguments.options.check(); !checked) {
    return usageError(checked.error());
  }
  const bool has_ranks = context.ranks && context.ranks->size() > 1;
  if (has_ranks && arguments.parts > 1) {
    return usageError("--parts has no effect with several processes; they share the splits");
  }
  if (arguments.part >= arguments.parts) {
    return usageError(fmt::format("--part {} does not exist; parts count from 0 to {}",
                                  arguments.part, arguments.parts - 1));
  }
  const UciPlan plan = planOf(arguments, context);
  std::error_code error;
  if (!std::filesystem::is_directory(plan.data_folder, error)) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: there is no such folder; give the folder of the sets with --data",
                            plan.data_folder));
  }
  context.seed = arguments.seed;
  context.threads = threadCount(arguments.threads);
  const auto computed = runUci(plan, arguments.options, context);
  if (Status agreed = agreeOnFailure(context, computed); !agreed) {
    return agreed;
  }
  return context.ranks && context.ranks->rank() > 0
             ? Status()
             : reportTable(arguments.output, arguments.report, context);
}

}  // namespace

Command uciCommand(CLI::App& app) {
  const auto arguments = std::make_shared<UciArguments>();
  arguments->methods = {kAll};
  app.add_option("set", arguments->set,
                 fmt::format("{} | {}", fmt::join(infoKeys(uciSets()), " | "), kAll))
      ->required();
  app.add_option(
         "--method", arguments->methods,
         fmt::format("{} | {} (repeatable)", fmt::join(infoKeys(uciMethods()), " | "), kAll))
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->capture_default_str();
  app.add_option("--splits", arguments->splits, "only the first so many splits; 0: all")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("-o,--output", arguments->output, "folder for one small file per split")
      ->required();
  app.add_flag("--resume", arguments->resume, "keep the results that are in the folder");
  app.add_option("--data", arguments->data,
                 "folder with the sets [datasets/uci in the folder DUBITO_SHARED or ../shared]");
  app.add_option("--seed", arguments->seed, "seed of all random numbers")->capture_default_str();
  app.add_option(kThreadsFlag, arguments->threads, "splits computed at a time; 0: one per core")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--part", arguments->part, "which share of the splits to compute, from 0")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--parts", arguments->parts, "number of shares, for several processes")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  arguments->flags = declareFields(app, arguments->options.fields(), "Protocol");
  arguments->report.declare(app, "CSV file to write: one line per result");
  return {[arguments](RunContext& context) { return computeTable(*arguments, context); },
          /*shares_work=*/true};
}

Command labUciCommand(CLI::App& app) {
  struct TableArguments {
    std::string folder;
    ReportFlags report;
  };
  const auto arguments = std::make_shared<TableArguments>();
  app.add_option("results", arguments->folder,
                 "folder of results of dubito-cli uci, or a file that --json wrote [the sample]");
  arguments->report.declare(app, "CSV file to write: one line per result");
  return {[arguments](RunContext& context) {
    if (arguments->folder.empty()) {
      const auto sample = sampleUciResults();
      if (!sample) {
        return Status(failWith(sample));
      }
      return reportTable(*sample, arguments->report, context);
    }
    return reportTable(arguments->folder, arguments->report, context);
  }};
}

}  // namespace dubito::cli
