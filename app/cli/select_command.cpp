// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/calibration_pair.h"
#include "app/cli/command.h"
#include "app/cli/csv_text.h"
#include "app/cli/field_flags.h"
#include "app/cli/report_flags.h"
#include "core/decisions/run_uncertainty.h"
#include "core/decisions/selection.h"
#include "core/io/item_lines.h"
#include "core/io/mapped_file.h"
#include "core/io/run_needs.h"

namespace dubito::cli {
namespace {

struct Arguments {
  CalibrationPairFlags runs;
  SelectionOptions options;
  std::string measure = "entropy";
  ReportFlags output;
};

/// Counts for a threshold applied to a run.
struct Selected {
  std::int64_t items = 0;
  std::int64_t selected = 0;
  std::int64_t labelled = 0;  ///< selected items with a label
  std::int64_t errors = 0;    ///< misclassified among `labelled`
};

bool isSelected(const Selection& selection, double uncertainty) {
  return selection.threshold && uncertainty <= *selection.threshold;
}

Selected applyTo(const Run& run, const RunUncertainty& uncertainty, const Selection& selection) {
  Selected result;
  result.items = run.itemCount();
  for (std::int64_t i = 0; i < result.items; ++i) {
    if (!isSelected(selection, uncertainty.values.data()[i])) {
      continue;
    }
    ++result.selected;
    const std::int64_t label = run.labels.data()[i];
    result.labelled += label >= 0 ? 1 : 0;
    result.errors += label >= 0 && label != run.predictions.data()[i] ? 1 : 0;
  }
  return result;
}

Expected<Selection> selectOn(const Run& calibration, const RunUncertainty& uncertainty,
                             const Arguments& arguments, RunContext& context) {
  if (Status labelled = requireLabels(calibration, arguments.runs.calibration); !labelled) {
    return failWith(labelled);
  }
  std::vector<double> values;
  std::vector<std::uint8_t> error;
  for (std::int64_t i = 0; i < calibration.itemCount(); ++i) {
    const std::int64_t label = calibration.labels.data()[i];
    if (label >= 0) {
      values.push_back(uncertainty.values.data()[i]);
      error.push_back(label != calibration.predictions.data()[i] ? 1 : 0);
    }
  }
  return selectThreshold(values, error, uncertainty.top, arguments.options, context);
}

double shareOf(std::int64_t part, std::int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

nlohmann::json toJson(const Arguments& arguments, const CalibrationPair& pair,
                      const Selection& selection, const Selected& applied) {
  SelectionOptions options = arguments.options;
  nlohmann::json object{{"options", fieldsToJson(options.fields())},
                        {"measure", arguments.measure},
                        {"guaranteed", selection.guaranteed && pair.comparable},
                        {"calibration",
                         {{"n", selection.items},
                          {"selected", selection.selected},
                          {"errors", selection.errors},
                          {"upper_error_unadjusted", selection.upper_error_unadjusted}}},
                        {"n", applied.items},
                        {"selected", applied.selected},
                        {"selected_share", shareOf(applied.selected, applied.items)},
                        {"selected_labelled", applied.labelled}};
  arguments.runs.addTo(object, pair);
  if (selection.threshold) {
    object["threshold"] = *selection.threshold;
  }
  if (applied.labelled > 0) {
    object["errors"] = applied.errors;
    object["precision"] = 1.0 - shareOf(applied.errors, applied.labelled);
  }
  nlohmann::json& path = object["path"] = nlohmann::json::array();
  for (const SelectionStep& step : selection.path) {
    path.push_back({{"rank", step.rank},
                    {"threshold", step.threshold},
                    {"selected", step.selected},
                    {"errors", step.errors},
                    {"passed", step.passed}});
  }
  return object;
}

std::string toText(const Arguments& arguments, const CalibrationPair& pair,
                   const Selection& selection, const Selected& applied) {
  std::string text;
  for (const std::string& note : textsOf(pair.notes)) {
    text += fmt::format("note: {}\n", note);
  }
  const SelectionOptions& options = arguments.options;
  text += fmt::format("{}, target {}, delta {}, by {}\n", options.rule, options.target,
                      options.delta, arguments.measure);
  if (!selection.guaranteed) {
    text +=
        "no guarantee: the threshold was chosen on the calibration items, not fixed in advance\n";
  } else if (!pair.comparable) {
    text += "no guarantee: the calibration run does not match this run; see the notes\n";
  }
  if (!selection.threshold) {
    return text + fmt::format("nothing selected: no threshold passes on {} calibration items\n",
                              selection.items);
  }
  text += fmt::format("threshold    {:.6g}: {} of {} calibration items, {} wrong\n",
                      *selection.threshold, selection.selected, selection.items, selection.errors);
  text += fmt::format("selected     {} of {} items ({:.2f} %)\n", applied.selected, applied.items,
                      100.0 * shareOf(applied.selected, applied.items));
  if (applied.labelled > 0) {
    text +=
        fmt::format("correct      {:.2f} % of {} labelled items\n",
                    100.0 * (1.0 - shareOf(applied.errors, applied.labelled)), applied.labelled);
  }
  return text;
}

Status writeItems(const std::string& path, const Run& run, const RunUncertainty& uncertainty,
                  const Selection& selection, RunContext& context) {
  return writeItemLines(
      path, "id,uncertainty,selected,prediction,label", run.itemCount(),
      [&](std::int64_t i) {
        const double value = uncertainty.values.data()[i];
        return fmt::format("{},{},{},{},{}", run.ids.data()[i], numberText(value),
                           isSelected(selection, value) ? 1 : 0, run.predictions.data()[i],
                           run.labels.data()[i]);
      },
      context);
}

Status selectItems(const Arguments& arguments, RunContext& context) {
  if (const Status checked = arguments.options.check(); !checked) {
    return usageError(checked.error());
  }
  const auto pair = arguments.runs.open(context);
  if (!pair) {
    return failWith(pair);
  }
  const Measure measure = measureOfKey(arguments.measure).value();  // checked by the parser
  const auto known = uncertaintyOf(pair->calibration, arguments.runs.calibration, measure, context);
  const auto wanted = uncertaintyOf(pair->run, arguments.runs.run, measure, context);
  if (!known || !wanted) {
    return failWith(known ? wanted : known);
  }
  const auto selection = selectOn(pair->calibration, *known, arguments, context);
  if (!selection) {
    return failWith(selection);
  }
  const Selected applied = applyTo(pair->run, *wanted, *selection);
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return unchanged;
  }
  if (!arguments.output.csv.empty()) {
    if (Status written = writeItems(arguments.output.csv, pair->run, *wanted, *selection, context);
        !written) {
      return written;
    }
  }
  return arguments.output.report(toJson(arguments, *pair, *selection, applied),
                                 toText(arguments, *pair, *selection, applied));
}

}  // namespace

Command selectCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  arguments->runs.declare(app);
  declareFields(app, arguments->options.fields(), "Selection");
  app.add_option("--measure", arguments->measure,
                 "uncertainty measure; items with low values are selected (confidence and margin "
                 "count as 1 minus their value): " +
                     keysText(allMeasures()))
      ->check(CLI::IsMember(keysOf(allMeasures())))
      ->capture_default_str();
  arguments->output.declare(
      app, "CSV file to write: uncertainty of each item and whether it is selected");
  return {[arguments](RunContext& context) { return selectItems(*arguments, context); }};
}

}  // namespace dubito::cli
