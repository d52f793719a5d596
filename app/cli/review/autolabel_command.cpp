// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/calibration_pair.h"
#include "app/cli/command.h"
#include "app/cli/csv_text.h"
#include "app/cli/field_flags.h"
#include "app/cli/report_flags.h"
#include "app/cli/review/label_place.h"
#include "core/base/counted.h"
#include "core/io/item_lines.h"
#include "core/io/mapped_file.h"
#include "core/review/autolabel.h"

namespace dubito::cli {
namespace {

struct Arguments {
  CalibrationPairFlags runs;
  AutolabelOptions options;
  std::string place;
  std::string annotator;
  ReportFlags output;
};

/// What the command reports.
struct Labelled {
  Autolabel plan = {};
  bool guaranteed = false;
  std::string place = {};
  std::optional<std::int64_t> step = {};  ///< empty: nothing was recorded
  std::vector<std::string> notes = {};
  // Of the labelled items: how many have a given label, and a different one.
  std::int64_t given = 0;
  std::int64_t differing = 0;
};

void compareWithGiven(const Run& run, Labelled& labelled) {
  for (const std::int64_t row : labelled.plan.rows) {
    const std::int64_t given = run.labels.data()[row];
    labelled.given += given >= 0 ? 1 : 0;
    labelled.differing += given >= 0 && given != run.predictions.data()[row] ? 1 : 0;
  }
}

nlohmann::json toJson(const Arguments& arguments, const CalibrationPair& pair,
                      const Labelled& labelled) {
  AutolabelOptions options = arguments.options;
  const Autolabel& plan = labelled.plan;
  const Selection& selection = plan.selection;
  nlohmann::json object{{"options", fieldsToJson(options.fields())},
                        {"labels", labelled.place},
                        {"annotator", arguments.annotator},
                        {"n", plan.items},
                        {"labelled", plan.labelled()},
                        {"queued", plan.queued},
                        {"decided", plan.decided},
                        {"labelled_before", plan.labelled_before},
                        {"guaranteed", labelled.guaranteed},
                        {"calibration",
                         {{"n", selection.items},
                          {"selected", selection.selected},
                          {"errors", selection.errors},
                          {"upper_error_unadjusted", selection.upper_error_unadjusted}}}};
  arguments.runs.addTo(object, pair);
  object["notes"] = labelled.notes;
  if (selection.threshold) {
    object["threshold"] = *selection.threshold;
    object["bound"] = selection.upper_error;
    object["expected_errors"] = plan.expectedErrors();
  }
  if (labelled.step) {
    object["step"] = *labelled.step;
  }
  if (labelled.given > 0) {
    object["given"] = labelled.given;
    object["differing"] = labelled.differing;
  }
  return object;
}

std::string toText(const Arguments& arguments, const Labelled& labelled) {
  const SelectionOptions& options = arguments.options.selection;
  const Autolabel& plan = labelled.plan;
  const Selection& selection = plan.selection;
  std::string text;
  for (const std::string& note : labelled.notes) {
    text += fmt::format("note: {}\n", note);
  }
  text += fmt::format("{}, target {}, delta {}, by {}\n", options.rule, options.target,
                      options.delta, arguments.options.measure);
  if (!selection.guaranteed) {
    text += "no guarantee: the threshold was chosen on these items, not fixed in advance\n";
  } else if (!labelled.guaranteed) {
    text += "no guarantee: the calibration run does not match this run; see the notes\n";
  }
  if (selection.threshold) {
    text +=
        fmt::format("threshold    {:.6g}: {} of {} calibration items, {} wrong\n",
                    *selection.threshold, selection.selected, selection.items, selection.errors);
    text += fmt::format("bound        at most {:.3f} % of such labels are wrong, {:.1f} of these\n",
                        100.0 * selection.upper_error, plan.expectedErrors());
  } else {
    text +=
        fmt::format("no threshold passes on {}\n", counted(selection.items, "calibration item"));
  }
  text += fmt::format("labelled     {} of {}, in {}\n", plan.labelled(),
                      counted(plan.items, "item"), labelled.place);
  text += fmt::format("queued       {} for persons\n", counted(plan.queued, "item"));
  if (plan.decided > 0) {
    text += fmt::format("decided      {} before, unchanged\n", counted(plan.decided, "item"));
  }
  if (plan.labelled_before > 0) {
    text += fmt::format("before       {} an earlier label of the model\n",
                        counted(plan.labelled_before, "item keeps", "items keep"));
  }
  if (labelled.given > 0) {
    text += fmt::format("given labels {} of {} {}\n", labelled.differing, labelled.given,
                        labelled.differing == 1 ? "differs" : "differ");
  }
  return text;
}

Status writeItems(const std::string& path, const Run& run, const Autolabel& plan,
                  RunContext& context) {
  std::vector<std::uint8_t> labelled(static_cast<std::size_t>(plan.items), 0);
  for (const std::int64_t row : plan.rows) {
    labelled[static_cast<std::size_t>(row)] = 1;
  }
  return writeItemLines(
      path, "id,uncertainty,labelled,prediction,label", plan.items,
      [&](std::int64_t i) {
        return fmt::format(
            "{},{},{},{},{}", run.ids.data()[i], numberText(plan.uncertainty.data()[i]),
            labelled[static_cast<std::size_t>(i)], run.predictions.data()[i], run.labels.data()[i]);
      },
      context);
}

/// The labels of the store; none if it is yet to be created.
Expected<std::vector<PresentLabel>> presentLabels(const CalibrationPair& pair,
                                                  const Arguments& arguments) {
  const auto opened =
      openLabelsOf(pair.run, arguments.runs.run, arguments.place, StoreMode::kReadOnly);
  if (!opened) {
    return opened.error().code == ErrorCode::kNotFound
               ? Expected<std::vector<PresentLabel>>(std::vector<PresentLabel>())
               : failWith(opened);
  }
  return opened->store->labels();
}

Status labelItems(const Arguments& arguments, RunContext& context) {
  if (const Status checked = arguments.options.check(); !checked) {
    return usageError(checked.error());
  }
  const auto pair = arguments.runs.open(context);
  if (!pair) {
    return failWith(pair);
  }
  const auto present = presentLabels(*pair, arguments);
  if (!present) {
    return failWith(present);
  }
  const AutolabelInputs inputs{.name = arguments.runs.run,
                               .calibration_name = arguments.runs.calibration,
                               .labels = *present};
  auto plan = autolabel(pair->run, pair->calibration, inputs, arguments.options, context);
  if (!plan) {
    return failWith(plan);
  }
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return unchanged;
  }
  // Created only now, so that no error above leaves an empty store.
  const auto opened =
      openLabelsOf(pair->run, arguments.runs.run, arguments.place, StoreMode::kOpenOrCreate);
  if (!opened) {
    return failWith(opened);
  }
  LabelStore& store = *opened->store;
  Labelled labelled{
      .plan = *std::move(plan), .place = store.place(), .notes = textsOf(pair->notes)};
  labelled.guaranteed = labelled.plan.selection.guaranteed && pair->comparable;
  addMissing(opened->notes, labelled.notes);
  if (!labelled.plan.advice.empty()) {
    labelled.notes.push_back(labelled.plan.advice);
  }
  compareWithGiven(pair->run, labelled);
  if (!arguments.output.csv.empty()) {
    if (Status written = writeItems(arguments.output.csv, pair->run, labelled.plan, context);
        !written) {
      return written;
    }
  }
  if (labelled.plan.labelled() > 0) {
    const auto step =
        store.decide(autolabelDecisions(labelled.plan, pair->run, inputs, arguments.annotator));
    if (!step) {
      return failWith(step);
    }
    labelled.step = *step;
  }
  return arguments.output.report(toJson(arguments, *pair, labelled), toText(arguments, labelled));
}

}  // namespace

Command autolabelCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  arguments->runs.declare(app);
  declareFields(app, arguments->options.fields(), "Selection");
  app.add_option("-o,--output", arguments->place, kLabelPlaceHelp)->required();
  declareAnnotator(app, arguments->annotator, "who lets the model label, and can undo it");
  arguments->output.declare(app, "CSV file for uncertainty and choice of every item");
  return {[arguments](RunContext& context) { return labelItems(*arguments, context); }};
}

}  // namespace dubito::cli
