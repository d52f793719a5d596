// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/calibration_pair.h"
#include "app/cli/csv_text.h"
#include "app/cli/field_flags.h"
#include "app/cli/report_flags.h"
#include "app/cli/review/review_commands.h"
#include "app/cli/run_identity.h"
#include "app/cli/run_input.h"
#include "core/base/counted.h"
#include "core/io/item_lines.h"
#include "core/io/mapped_file.h"
#include "core/review/label_errors.h"

namespace dubito::cli {
namespace {

/// Pairs of classes that the text shows.
constexpr std::size_t kShownPairs = 10;

struct Arguments {
  std::string run;
  RunInput input;
  LabelErrorOptions options;
  ReportFlags output;
};

/// Rows of counts [K, K] divided by `divisor`.
template <class T>
nlohmann::json rowsOf(const PairCounts& counts, T divisor) {
  nlohmann::json rows = nlohmann::json::array();
  for (std::int64_t k = 0; k < counts.classes(); ++k) {
    nlohmann::json& row = rows.emplace_back(nlohmann::json::array());
    for (const std::int64_t count : counts.denseRow(k)) {
      row.push_back(static_cast<T>(count) / divisor);
    }
  }
  return rows;
}

std::vector<std::string> notesOf(const Run& run, const LabelErrors& errors) {
  std::vector<std::string> notes = textsOf(run.meta.notes);
  if (!errors.caveat.empty()) {
    addMissing({errors.caveat}, notes);
  }
  return notes;
}

nlohmann::json toJson(const Arguments& arguments, const Run& run, const LabelErrors& errors) {
  nlohmann::json object{
      {"run", identityToJson(arguments.run, run)},
      {"rule", arguments.options.rule},
      {"n", errors.items},
      {"left_out", errors.left_out},
      {"num_label_issues", errors.estimated},
      {"trained_on_items", errors.trained_on_items},
      {"confident_joint", rowsOf(errors.confident_joint, std::int64_t{1})},
      {"calibrated_joint", rowsOf(errors.calibrated_joint, std::int64_t{1})},
      {"joint", rowsOf(errors.calibrated_joint, static_cast<double>(errors.items))},
      {"notes", notesOf(run, errors)}};
  nlohmann::json& thresholds = object["thresholds"] = nlohmann::json::array();
  for (const double threshold : errors.thresholds) {
    thresholds.push_back(std::isfinite(threshold) ? nlohmann::json(threshold) : nlohmann::json());
  }
  nlohmann::json& issues = object["issues"] = nlohmann::json::array();
  for (const std::int64_t row : errors.issues) {
    issues.push_back(run.ids.data()[row]);
  }
  nlohmann::json& ids = object["ids"] = nlohmann::json::array();
  nlohmann::json& confidence = object["self_confidence"] = nlohmann::json::array();
  nlohmann::json& margin = object["normalized_margin"] = nlohmann::json::array();
  for (std::int64_t row = 0; row < run.itemCount(); ++row) {
    if (run.labels.data()[row] >= 0) {
      ids.push_back(run.ids.data()[row]);
      confidence.push_back(errors.self_confidence.data()[row]);
      margin.push_back(errors.normalised_margin.data()[row]);
    }
  }
  return object;
}

/// Off-diagonal entries of the calibrated joint, the largest first.
std::string pairsText(const Run& run, const LabelErrors& errors) {
  struct Confusion {
    std::int64_t count, given, right;
  };
  std::vector<Confusion> pairs;
  for (std::int64_t k = 0; k < run.classCount(); ++k) {
    for (const auto& [l, count] : errors.calibrated_joint.row(k)) {
      if (k != l && count > 0) {
        pairs.push_back({count, k, l});
      }
    }
  }
  std::ranges::stable_sort(pairs, std::ranges::greater(), &Confusion::count);
  std::string text;
  for (std::size_t i = 0; i < std::min(pairs.size(), kShownPairs); ++i) {
    text += fmt::format("given {}, probably {}: {}\n", run.className(pairs[i].given),
                        run.className(pairs[i].right), counted(pairs[i].count, "item"));
  }
  return text;
}

std::string toText(const Arguments& arguments, const Run& run, const LabelErrors& errors) {
  std::string text;
  for (const std::string& note : notesOf(run, errors)) {
    text += fmt::format("note: {}\n", note);
  }
  text +=
      fmt::format("{} of {} {} suspected ({}); about {} {} wrong\n", errors.issues.size(),
                  counted(errors.items, "label"), errors.issues.size() == 1 ? "is" : "are",
                  arguments.options.rule, errors.estimated, errors.estimated == 1 ? "is" : "are");
  if (errors.left_out > 0) {
    text += fmt::format("{} left out\n", counted(errors.left_out, "item without a given label was",
                                                 "items without a given label were"));
  }
  return text + pairsText(run, errors);
}

Status writeItems(const std::string& path, const Run& run, const LabelErrors& errors,
                  RunContext& context) {
  return writeItemLines(
      path, "id,given,suggested,self_confidence,normalized_margin,suspected", run.itemCount(),
      [&](std::int64_t row) {
        const bool suspected = std::ranges::binary_search(errors.issues, row);
        return fmt::format("{},{},{},{},{},{}", run.ids.data()[row], run.labels.data()[row],
                           run.predictions.data()[row],
                           numberText(errors.self_confidence.data()[row]),
                           numberText(errors.normalised_margin.data()[row]), suspected ? 1 : 0);
      },
      context);
}

Status findErrors(const Arguments& arguments, RunContext& context) {
  if (const Status checked = arguments.options.check(); !checked) {
    return usageError(checked.error());
  }
  const auto run = arguments.input.open(arguments.run, context);
  if (!run) {
    return failWith(run);
  }
  const auto errors = findLabelErrors(*run, arguments.run, arguments.options, context);
  if (!errors) {
    return failWith(errors);
  }
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return unchanged;
  }
  if (!arguments.output.csv.empty()) {
    if (Status written = writeItems(arguments.output.csv, *run, *errors, context); !written) {
      return written;
    }
  }
  return arguments.output.report(toJson(arguments, *run, *errors),
                                 toText(arguments, *run, *errors));
}

}  // namespace

Command reviewErrorsCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("run", arguments->run,
                 "run file, or predictions: npz, npy (PROBS.npy,LABELS.npy), csv")
      ->required();
  declareFields(app, arguments->options.fields(), "Label errors");
  arguments->input.declare(app);
  arguments->output.declare(app, "CSV file for the scores of every item");
  return {[arguments](RunContext& context) { return findErrors(*arguments, context); }};
}

}  // namespace dubito::cli
