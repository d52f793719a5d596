// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/field_flags.h"
#include "app/cli/flag_text.h"
#include "app/cli/report_flags.h"
#include "app/cli/review/label_place.h"
#include "app/cli/review/review_commands.h"
#include "app/cli/run_input.h"
#include "app/cli/whole_number.h"
#include "core/base/counted.h"
#include "core/base/in_quotes.h"
#include "core/data/items/item_positions.h"
#include "core/data/sources/item_hash.h"
#include "core/io/mapped_file.h"

namespace dubito::cli {
namespace {

constexpr std::array kActions{LabelAction::kAccept,       LabelAction::kCorrect,
                              LabelAction::kNotInClasses, LabelAction::kAmbiguous,
                              LabelAction::kSkip,         LabelAction::kFlag};
/// Items that the text of an undo names.
constexpr std::size_t kShownItems = 10;

std::vector<std::string> actionKeys() {
  std::vector<std::string> keys;
  for (const LabelAction action : kActions) {
    keys.emplace_back(keyOf(action));
  }
  return keys;
}

struct Arguments {
  std::string place;
  std::optional<std::int64_t> item;
  std::string class_text;
  std::string action;
  std::string annotator;
  std::string run;
  bool undo = false;
  bool redo = false;
  RunInput input;
  ReportFlags output;
  // Flags without effect on an undo, and without --run.
  std::vector<CLI::Option*> of_decision;
  CLI::Option* verify = nullptr;
};

/// What --run knows about the item.
struct Suggestion {
  std::optional<std::int64_t> predicted = {};
  std::optional<std::int64_t> given = {};
  std::vector<float> probs = {};
};

Expected<Suggestion> suggestionOf(const Run& run, const std::string& name, std::int64_t item) {
  const auto found = std::ranges::find(run.ids.values(), item);
  if (found == run.ids.values().end()) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: has no item {}; give the id of one of its items", name, item));
  }
  const std::int64_t row = found - run.ids.values().begin();
  Suggestion suggestion{.predicted = run.predictions.data()[row]};
  if (const std::int64_t given = run.labels.data()[row]; given >= 0) {
    suggestion.given = given;
  }
  for (std::int64_t k = 0; k < run.classCount(); ++k) {
    suggestion.probs.push_back(static_cast<float>(run.prob(row, k)));
  }
  return suggestion;
}

/// The class and action of a decision: of two, each follows from the other if it is missing.
Status complete(const Arguments& arguments, std::span<const LabelClass> classes,
                const std::string& place, std::optional<std::int64_t> suggested,
                Decision& decision) {
  if (!arguments.class_text.empty()) {
    const auto chosen = classOf(classes, arguments.class_text, place);
    if (!chosen) {
      return failWith(chosen);
    }
    decision.class_id = *chosen;
  }
  if (!arguments.action.empty()) {
    decision.action = labelActionOfKey(arguments.action).value();  // checked by the parser
  } else if (decision.class_id) {
    decision.action = decision.class_id == suggested ? LabelAction::kAccept : LabelAction::kCorrect;
  }
  if (decision.action == LabelAction::kAccept && !decision.class_id) {
    decision.class_id = suggested;
  }
  if (assignsClass(decision.action) && !decision.class_id) {
    return usageError(fmt::format("there is no class to {} for item {}; pass --class",
                                  keyOf(decision.action), decision.item));
  }
  if (!assignsClass(decision.action) && decision.class_id) {
    return usageError(
        fmt::format("--action {} takes no --class; remove one of them", keyOf(decision.action)));
  }
  return {};
}

/// The decision that the arguments describe, next to what the store and the run know of the item.
Expected<Decision> decisionOf(const Arguments& arguments, LabelStore& store,
                              const Suggestion& suggestion, std::span<const LabelClass> classes) {
  const auto before = store.label(*arguments.item);
  if (!before) {
    return failWith(before);
  }
  Decision decision{.item = *arguments.item,
                    .annotator = arguments.annotator,
                    .run = arguments.run,
                    .probs = suggestion.probs};
  if (*before) {
    decision.previous_class = (*before)->class_id;
    decision.previous_origin = (*before)->origin;
  } else if (suggestion.given) {
    decision.previous_class = suggestion.given;
    decision.previous_origin = LabelOrigin::kDataset;
  }
  const auto suggested = suggestion.predicted ? suggestion.predicted : decision.previous_class;
  decision.prediction_shown = suggestion.predicted.has_value();
  if (Status completed = complete(arguments, classes, store.place(), suggested, decision);
      !completed) {
    return failWith(completed);
  }
  return decision;
}

/// Adds the name of the item and the hash of its content, by which it is found if it is renamed.
/// Without its dataset the decision counts all the same: then returns why it lacks them.
std::string identify(LabelStore& store, Decision& decision, RunContext& context) {
  const auto recorded = store.dataset();
  if (!recorded || !*recorded || (*recorded)->spec.empty()) {
    return {};
  }
  const auto without = [](const std::string& reason) {
    return fmt::format("the decision is recorded without the content of its image ({})", reason);
  };
  const auto dataset = openDataset((*recorded)->spec, context);
  if (!dataset) {
    return without(messageWithFlags(dataset.error()));
  }
  const std::int64_t position = positionsOfIds(**dataset, std::span(&decision.item, 1)).front();
  if (position < 0) {
    return without(fmt::format("{} has no item {}", (*dataset)->info().name, decision.item));
  }
  decision.item_name = (*dataset)->itemName(position);
  auto hash = itemHash(**dataset, position);
  if (!hash) {
    return without(messageWithFlags(hash.error()));
  }
  decision.content_hash = *std::move(hash);
  return {};
}

Expected<OpenedLabels> openStore(const Arguments& arguments, Suggestion& suggestion,
                                 RunContext& context) {
  if (arguments.run.empty()) {
    return openLabels(arguments.place, StoreMode::kOpen);
  }
  const auto run = arguments.input.open(arguments.run, context);
  if (!run) {
    return failWith(run);
  }
  auto found = suggestionOf(*run, arguments.run, *arguments.item);
  if (!found) {
    return failWith(found);
  }
  suggestion = *std::move(found);
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return failWith(unchanged);
  }
  return openLabelsOf(*run, arguments.run, arguments.place, StoreMode::kOpenOrCreate);
}

std::string notesText(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) {
    text += fmt::format("note: {}\n", note);
  }
  return text;
}

Status decide(const Arguments& arguments, RunContext& context) {
  Suggestion suggestion;
  const auto opened = openStore(arguments, suggestion, context);
  if (!opened) {
    return failWith(opened);
  }
  LabelStore& store = *opened->store;
  const auto classes = store.classes();
  if (!classes) {
    return failWith(classes);
  }
  auto decision = decisionOf(arguments, store, suggestion, *classes);
  if (!decision) {
    return failWith(decision);
  }
  std::vector<std::string> notes = opened->notes;
  if (std::string note = identify(store, *decision, context); !note.empty()) {
    notes.push_back(std::move(note));
  }
  const auto step = store.decide(std::span(&*decision, 1));
  if (!step) {
    return failWith(step);
  }
  nlohmann::json object{{"labels", store.place()},          {"step", *step},
                        {"item", decision->item},           {"action", keyOf(decision->action)},
                        {"annotator", decision->annotator}, {"notes", notes}};
  std::string text =
      notesText(notes) + fmt::format("item {}: {}", decision->item, keyOf(decision->action));
  if (decision->class_id) {
    object["class"] = *decision->class_id;
    object["class_name"] = classText(*classes, *decision->class_id);
    text += fmt::format(" {}", inQuotes(classText(*classes, *decision->class_id)));
  }
  return arguments.output.report(object,
                                 text + fmt::format(", by {}\n", inQuotes(decision->annotator)));
}

Status undoOrRedo(const Arguments& arguments) {
  const auto opened = openLabels(arguments.place, StoreMode::kOpen);
  if (!opened) {
    return failWith(opened);
  }
  LabelStore& store = *opened->store;
  const auto changed =
      arguments.undo ? store.undo(arguments.annotator) : store.redo(arguments.annotator);
  if (!changed) {
    return failWith(changed);
  }
  const char* const done = arguments.undo ? "undone" : "redone";
  if (!*changed) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: has no decision of {} to be {}; check --annotator", store.place(),
                            inQuotes(arguments.annotator), done));
  }
  const UndoneStep& step = **changed;
  nlohmann::json object{{"labels", store.place()},
                        {done, step.step},
                        {"annotator", arguments.annotator},
                        {"notes", opened->notes}};
  nlohmann::json& items = object["items"] = nlohmann::json::array();
  std::string list;
  for (const RecordedDecision& recorded : step.decisions) {
    items.push_back(recorded.decision.item);
    if (items.size() <= kShownItems) {
      list += fmt::format(" {}", recorded.decision.item);
    }
  }
  const std::string text =
      step.decisions.empty()
          ? fmt::format("{}: a change of the classes\n", done)
          : fmt::format("{}: {} ({}{}{})\n", done, counted(std::ssize(step.decisions), "decision"),
                        step.decisions.size() == 1 ? "item" : "items", list,
                        step.decisions.size() > kShownItems ? " ..." : "");
  return arguments.output.report(object, notesText(opened->notes) + text);
}

Status decideOrUndo(const Arguments& arguments, RunContext& context) {
  const bool decides = !arguments.undo && !arguments.redo;
  std::vector<FlagUse> uses;
  for (const CLI::Option* const flag : arguments.of_decision) {
    uses.push_back({flag, allUnless(decides, {neededWords("a decision, not --undo or --redo")})});
  }
  uses.push_back({arguments.verify, allUnless(!arguments.run.empty(), {setting("run")})});
  if (Status used = rejectIneffectiveFlags(uses); !used) {
    return used;
  }
  if (!decides) {
    return undoOrRedo(arguments);
  }
  if (!arguments.item) {
    return usageError("there is nothing to decide; pass --item ID, --undo or --redo");
  }
  if (arguments.class_text.empty() && arguments.action.empty()) {
    return usageError("there is no decision; pass --class, --action or both");
  }
  return decide(arguments, context);
}

}  // namespace

Command reviewDecideCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("labels", arguments->place, kLabelPlaceHelp)->required();
  std::vector<CLI::Option*>& of_decision = arguments->of_decision;
  of_decision.push_back(app.add_option("--item", arguments->item, "id of the item")
                            ->transform(wholeNumber<std::int64_t>()));
  of_decision.push_back(
      app.add_option("--class", arguments->class_text, "name or number of the right class"));
  of_decision.push_back(
      app.add_option("--action", arguments->action,
                     "what is decided; by default, accept if the class is the suggested one "
                     "(predicted by --run, else the present label), else correct")
          ->check(CLI::IsMember(actionKeys())));
  of_decision.push_back(app.add_option(
      "--run", arguments->run,
      "run whose prediction was shown; if the label store is new, it gets the run's classes"));
  CLI::Option* const undo =
      app.add_flag("--undo", arguments->undo, "take back the newest step of this annotator");
  app.add_flag("--redo", arguments->redo, "restore the step that this annotator undid last")
      ->excludes(undo);
  declareAnnotator(app, arguments->annotator, "who decides");
  arguments->verify = arguments->input.declare(app);
  arguments->output.declareJson(app);
  return {[arguments](RunContext& context) { return decideOrUndo(*arguments, context); }};
}

}  // namespace dubito::cli
