// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/label_studio_labels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "core/base/json_text.h"
#include "core/io/atomic_file.h"
#include "core/io/item_lines.h"
#include "core/review/formats/class_list.h"
#include "core/review/formats/image_url.h"
#include "core/review/formats/label_studio_tasks.h"
#include "core/review/formats/parsed_json.h"
#include "core/review/formats/place_head.h"
#include "core/review/formats/scores.h"
#include "core/review/formats/source_entries.h"
#include "core/review/formats/utc_time.h"
#include "core/review/formats/utf8_text.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr std::int64_t kStudioTasksPerStep = 4096;
// --- Writing

json studioResult(const std::string& name, std::int64_t task, const StudioNames& interface = {}) {
  return {{"id", fmt::format("{:010}", task)},
          {"from_name", interface.control},
          {"to_name", interface.object},
          {"type", "choices"},
          {"value", {{"choices", {name}}}}};
}

/// An annotation, or a prediction if the label is of a model.
json studioAnswer(const LabelRow& row, const ClassNames& names, std::int64_t number, json result) {
  json entry{{"id", number + 1}, {"result", json::array({std::move(result)})}};
  if (row.time_ms != 0) {
    entry["created_at"] = utcText(row.time_ms);
  }
  if (row.origin == LabelOrigin::kModel) {
    if (const std::optional<float> probability = classProbability(row, names)) {
      entry["score"] = *probability;
    }
    entry["model_version"] = row.run.empty() ? "dubito" : row.run;
    return entry;
  }
  entry["was_cancelled"] = false;
  entry["ground_truth"] = false;
  if (row.spent_ms != 0) {
    entry["lead_time"] = static_cast<double>(row.spent_ms) / 1000.0;
  }
  return entry;
}

const char* studioListOf(const LabelRow& row) {
  return row.origin == LabelOrigin::kModel ? "predictions" : "annotations";
}

/// A task. Annotators are not written: Label Studio refuses files with annotators that have no
/// account.
json studioTask(const LabelRow& row, const ClassNames& names, const std::string& prefix,
                std::int64_t number, const StudioNames& interface = {}) {
  // Ids as in an export of Label Studio, which its converters need; on import it gives new ones.
  json task{{"id", number + 1},
            {"data", {{interface.image_key, imageUrl(prefix, itemText(row))}}},
            {"annotations", json::array()},
            {"predictions", json::array()}};
  if (row.item) {
    task["data"][kStudioId] = *row.item;
  }
  const std::string* const name = names.of(row.class_id);
  if (name == nullptr) {
    return task;
  }
  task[studioListOf(row)].push_back(
      studioAnswer(row, names, number, studioResult(*name, number, interface)));
  return task;
}

/// "labels.config.xml" for "labels.json".
std::string interfaceFileOf(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".config.xml").string();
}

/// The distinct choices of the control in an annotation or prediction.
std::set<std::string> choicesIn(const json& answer, const std::string& control) {
  std::set<std::string> choices;
  const auto add_choice = [&choices](const json& choice) {
    if (choice.is_string()) {
      choices.insert(choice.get<std::string>());
    }
  };
  for (const json& each : listMember(answer, "result")) {
    const json* const value = memberOf(each, "value");
    const json* const chosen = value == nullptr ? nullptr : memberOf(*value, "choices");
    if (chosen == nullptr || textMember(each, "from_name") != control) {
      continue;
    }
    if (chosen->is_array()) {
      std::ranges::for_each(*chosen, add_choice);
    } else {
      add_choice(*chosen);
    }
  }
  return choices;
}

bool isCancelled(const json& answer) {
  const json* const cancelled = memberOf(answer, "was_cancelled");
  return cancelled != nullptr && *cancelled == true;
}

/// Whether all answers that choose something choose `name`, and at least one does.
bool isOnlyChoice(const json& answers, const std::string& name, const StudioNames& interface) {
  std::set<std::string> chosen;
  for (const json& answer : answers) {
    if (!isCancelled(answer)) {
      chosen.merge(choicesIn(answer, interface.control));
    }
  }
  return chosen.size() == 1 && chosen.contains(name);
}

/// Removes the choices of the control from an answer; returns whether other results are left.
bool removeChoices(json& answer, const std::string& control) {
  json others = json::array();
  for (const json& result : listMember(answer, "result")) {
    const json* const value = memberOf(result, "value");
    const bool is_choice = value != nullptr && memberOf(*value, "choices") != nullptr &&
                           textMember(result, "from_name") == control;
    if (!is_choice) {
      others.push_back(result);
    }
  }
  const bool has_others = !others.empty();
  answer["result"] = std::move(others);
  return has_others;
}

/// Puts the label of a task in the place of the choices that stand there: of a person into the
/// annotations, of a model into the predictions. Other results stay.
void replaceStudioChoice(json& task, const LabelRow& row, const ClassNames& names,
                         std::int64_t number, const StudioNames& interface) {
  const std::string* const name = names.of(row.class_id);
  if (name != nullptr && isOnlyChoice(listMember(task, studioListOf(row)), *name, interface)) {
    return;  // as it was, by whom and when
  }
  json before = std::exchange(task[studioListOf(row)], json::array());
  json& answers = task[studioListOf(row)];
  std::optional<json> result =
      name == nullptr ? std::nullopt : std::optional(studioResult(*name, number, interface));
  for (json& answer : before) {
    if (answer.is_object() && !isCancelled(answer)) {
      if (!removeChoices(answer, interface.control)) {
        continue;
      }
      if (result) {
        answer["result"].push_back(*std::exchange(result, std::nullopt));
      }
    }
    answers.push_back(std::move(answer));
  }
  if (result) {
    answers.push_back(studioAnswer(row, names, number, *std::move(result)));
  }
}

/// The tasks of options.from with the labels of the table as choices; shapes and all else stay.
Expected<LabelExport> rewriteLabelStudio(const LabelTable& table, const std::string& path,
                                         const LabelExportOptions& options) {
  Expected<json> tasks = readStudioTasks(options.from);
  if (!tasks) {
    return failWith(tasks);
  }
  const bool is_whole = std::ranges::all_of(
      *tasks, [](const json& task) { return memberOf(task, "data") != nullptr; });
  if (!is_whole) {
    return fail(ErrorCode::kUnsupported,
                options.from +
                    ": has no tasks with data and annotations, so shapes cannot be "
                    "written back; export the project as JSON, not as JSON-MIN");
  }
  const auto control = studioControl(*tasks, options.from_field, options.from);
  if (!control) {
    return failWith(control);
  }
  const StudioNames interface = studioInterfaceOf(*tasks, *control);
  LabelExport result;
  std::int64_t shapes = 0;
  std::vector<LabelRow> entries;
  for (const json& task : *tasks) {
    const json& data = *memberOf(task, "data");
    LabelRow& entry = entries.emplace_back();
    entry.item = integerMember(data, kStudioId);
    entry.path = studioImage(data);
    shapes += studioShapes(task);
  }
  const SourceLabels labels = labelsOfEntries(table, std::move(entries));
  const ClassNames names(table.classes);
  for (std::size_t i = 0; i < tasks->size(); ++i) {
    if (labels.of_entry[i]) {
      replaceStudioChoice((*tasks)[i], table.rows[*labels.of_entry[i]], names,
                          static_cast<std::int64_t>(i), interface);
      ++result.labels;
    }
  }
  for (const std::size_t i : labels.new_rows) {
    if (!itemText(table.rows[i]).empty()) {
      tasks->push_back(
          studioTask(table.rows[i], names, options.url_prefix, std::ssize(*tasks), interface));
      ++result.labels;
    }
  }
  if (Status written = writeFileAtomically(path, jsonText(*tasks, -1)); !written) {
    return failWith(written);
  }
  addNote(result.notes, "boxes, polygons and other shapes, written back untouched", shapes);
  noteTextsNotUtf8(table, result.notes);
  return result;
}

Expected<LabelExport> writeLabelStudio(const LabelTable& table, const std::string& path,
                                       const LabelExportOptions& options, RunContext& context) {
  if (!options.from.empty()) {
    return rewriteLabelStudio(table, path, options);
  }
  const ClassNames names(table.classes);
  LabelExport result;
  const std::vector<std::size_t> rows = namedRows(table, result.notes);
  const auto other_origins = std::ranges::count_if(rows, [&table](std::size_t i) {
    const LabelRow& row = table.rows[i];
    return row.class_id && row.origin != LabelOrigin::kPerson && row.origin != LabelOrigin::kModel;
  });
  result.labels = static_cast<std::int64_t>(rows.size());
  const auto line = [&](std::int64_t i) {
    if (i == result.labels) {
      return std::string("]");
    }
    const LabelRow& row = table.rows[rows[static_cast<std::size_t>(i)]];
    return jsonText(studioTask(row, names, options.url_prefix, i), -1) +
           (i + 1 < result.labels ? "," : "");
  };
  // Written before and renamed after the tasks: if the tasks fail, nothing is left.
  Expected<AtomicFile> config = AtomicFile::create(interfaceFileOf(path));
  if (!config) {
    return failWith(config);
  }
  if (Status written = config->write(labelStudioInterface(table.classes)); !written) {
    return failWith(written);
  }
  if (Status written = writeItemLines(path, "[", result.labels + 1, line, context); !written) {
    return failWith(written);
  }
  if (Status committed = config->commit(); !committed) {
    return failWith(committed);
  }
  addNote(result.notes, "labels of neither a person nor a model, written as annotations",
          static_cast<std::int64_t>(other_origins));
  noteTextsNotUtf8(table, result.notes);
  return result;
}

// --- Reading

/// Reads tasks one by one.
class StudioReader {
 public:
  explicit StudioReader(std::string control)
      : control_(std::move(control)), classes_(result_.table.classes) {}

  void add(const json& task, std::size_t position) {
    const json* const data = memberOf(task, "data");
    if (data == nullptr && addFlat(task)) {
      return;
    }
    if (data == nullptr || !data->is_object()) {
      unreadable_.push_back(fmt::format("task {}", position + 1));
      return;
    }
    LabelRow item;
    item.item = integerMember(*data, kStudioId);
    item.path = studioImage(*data);
    name_ = item.path.empty() ? fmt::format("task {}", position + 1) : item.path;
    if (item.path.empty() && !item.item) {
      unreadable_.push_back(name_);
      return;
    }
    result_.shapes += studioShapes(task);
    // A person who skipped a task or could not decide has answered it.
    const bool answered =
        !listMember(task, "annotations").empty() || !listMember(task, "completions").empty();
    std::vector<LabelRow> rows = answered ? annotationsOf(task, item) : predictionsOf(task, item);
    if (rows.empty()) {
      unlabelled_.push_back(name_);
      return;
    }
    choosePresent(rows);
    std::ranges::move(rows, std::back_inserter(result_.table.rows));
  }

  LabelImport finish() {
    std::vector<LabelNote>& notes = result_.notes;
    addNote(notes, "tasks without an image, left out", std::move(unreadable_));
    addNote(notes, "tasks without a label", std::move(unlabelled_));
    addNote(notes, "cancelled annotations, left out", std::move(cancelled_));
    addNote(notes, "annotations with several classes, left out", std::move(ambiguous_));
    addNote(notes, "annotations and predictions without a class, left out", std::move(empty_));
    addNote(notes, "tasks with a ground truth that differs from other annotations; it counts",
            std::move(conflicts_));
    addNote(notes, "tasks with predictions only, taken as labels of the model",
            std::move(predicted_));
    return std::move(result_);
  }

 private:
  /// Adds an entry of a JSON-MIN export, or of any list of objects with an image and its class;
  /// false if it has no image.
  bool addFlat(const json& task) {
    LabelRow row;
    row.path = usualStudioImage(task);
    if (row.path.empty()) {
      return false;
    }
    name_ = row.path;
    std::set<std::string> choices;
    if (const json* const value = memberOf(task, control_.c_str())) {
      addChoices(memberOf(*value, "choices") == nullptr ? *value : *memberOf(*value, "choices"),
                 choices);
    }
    choices.erase("");
    if (choices.empty()) {
      unlabelled_.push_back(name_);
      return true;
    }
    if (choices.size() > 1) {
      ambiguous_.push_back(fmt::format("{}: {}", name_, fmt::join(choices, ", ")));
      return true;
    }
    row.class_id = classes_.idOf(*choices.begin());
    const json* const annotator = memberOf(task, "annotator");
    row.annotator = annotator != nullptr && annotator->is_number_integer()
                        ? annotator->dump()
                        : textMember(task, "annotator");
    row.time_ms = timeOf(task);
    row.origin = row.annotator.empty() ? std::nullopt : std::optional(LabelOrigin::kPerson);
    for (const char* const key : {"score", "confidence", "probability"}) {
      const auto score = numberMember(task, key);
      if (score) {
        row.probability = possibleScore(*score);
        break;
      }
    }
    result_.table.rows.push_back(std::move(row));
    return true;
  }

  static void addChoices(const json& value, std::set<std::string>& choices) {
    if (value.is_string()) {
      choices.insert(value.get<std::string>());
    }
    for (const json& each : value.is_array() ? value : json::array()) {
      if (each.is_string()) {
        choices.insert(each.get<std::string>());
      }
    }
  }

  /// Sets the class of `row`; false, with a note, unless there is exactly one choice.
  bool setClass(const json& answer, LabelRow& row) {
    const std::set<std::string> choices = choicesIn(answer, control_);
    if (choices.size() == 1) {
      row.class_id = classes_.idOf(*choices.begin());
      return true;
    }
    if (choices.empty()) {
      empty_.push_back(name_);
    } else {
      ambiguous_.push_back(fmt::format("{}: {}", name_, fmt::join(choices, ", ")));
    }
    return false;
  }

  /// "ann@example.org", or "10" if only the number is known.
  static std::string annotatorOf(const json& annotation) {
    const json* const by = memberOf(annotation, "completed_by");
    if (by == nullptr) {
      return {};
    }
    for (const char* const key : {"email", "username"}) {
      if (std::string name = textMember(*by, key); !name.empty()) {
        return name;
      }
    }
    if (const auto id = integerMember(*by, "id")) {
      return fmt::format("{}", *id);
    }
    return by->is_string()           ? by->get<std::string>()
           : by->is_number_integer() ? by->dump()
                                     : std::string();
  }

  static std::int64_t timeOf(const json& answer) {
    for (const char* const key : {"updated_at", "created_at"}) {
      if (const auto time = parseUtcText(textMember(answer, key))) {
        return *time;
      }
    }
    return 0;
  }

  std::vector<LabelRow> annotationsOf(const json& task, const LabelRow& item) {
    std::vector<LabelRow> rows;
    // "completions" until version 1.0.
    for (const char* const list : {"annotations", "completions"}) {
      for (const json& annotation : listMember(task, list)) {
        LabelRow row = item;
        const json* const skipped = memberOf(annotation, "was_cancelled");
        if (skipped != nullptr && *skipped == true) {
          cancelled_.push_back(name_);
          continue;
        }
        if (!setClass(annotation, row)) {
          continue;
        }
        row.origin = LabelOrigin::kPerson;
        row.annotator = annotatorOf(annotation);
        row.time_ms = timeOf(annotation);
        const double seconds = numberMember(annotation, "lead_time").value_or(0.0);
        constexpr double kMaxSeconds = 1e9;
        row.spent_ms = seconds > 0.0 && seconds < kMaxSeconds ? std::llround(seconds * 1000.0) : 0;
        const json* const truth = memberOf(annotation, "ground_truth");
        row.present = truth != nullptr && *truth == true;
        rows.push_back(std::move(row));
      }
    }
    return rows;
  }

  std::vector<LabelRow> predictionsOf(const json& task, const LabelRow& item) {
    std::vector<LabelRow> rows;
    for (const json& prediction : listMember(task, "predictions")) {
      LabelRow row = item;
      if (!setClass(prediction, row)) {
        continue;
      }
      row.origin = LabelOrigin::kModel;
      row.time_ms = timeOf(prediction);
      row.run = textMember(prediction, "model_version");
      const auto score = numberMember(prediction, "score");
      row.probability = score ? possibleScore(*score) : std::nullopt;
      row.present = false;
      rows.push_back(std::move(row));
    }
    if (!rows.empty()) {
      predicted_.push_back(name_);
    }
    return rows;
  }

  /// Of annotations the last ground truth, else all: weighLabels() decides. Of predictions the
  /// newest.
  void choosePresent(std::vector<LabelRow>& rows) {
    std::ranges::stable_sort(rows, {}, &LabelRow::time_ms);
    const auto truth = std::find_if(rows.rbegin(), rows.rend(), std::mem_fn(&LabelRow::present));
    const bool of_persons = rows.front().origin == LabelOrigin::kPerson;
    if (of_persons && truth == rows.rend()) {
      for (LabelRow& row : rows) {
        row.present = true;
      }
      return;
    }
    const std::size_t chosen =
        truth == rows.rend() ? rows.size() - 1 : static_cast<std::size_t>(rows.rend() - truth) - 1;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].present = i == chosen;
    }
    if (std::ranges::any_of(
            rows, [&](const LabelRow& row) { return row.class_id != rows[chosen].class_id; }) &&
        of_persons) {
      conflicts_.push_back(name_);
    }
  }

  std::string control_;
  std::string name_;  ///< of the present task, for notes
  LabelImport result_;
  ClassIds classes_;
  std::vector<std::string> unreadable_, unlabelled_, cancelled_, ambiguous_, empty_, conflicts_,
      predicted_;
};

Expected<LabelImport> readLabelStudio(const std::string& path, const LabelImportOptions& options,
                                      RunContext& context) {
  const Expected<json> tasks = readStudioTasks(path);
  if (!tasks) {
    return failWith(tasks);
  }
  const Expected<std::string> control = studioControl(*tasks, options.field, path);
  if (!control) {
    return failWith(control);
  }
  StudioReader reader(*control);
  for (std::size_t i = 0; i < tasks->size(); ++i) {
    if (static_cast<std::int64_t>(i) % kStudioTasksPerStep == 0 &&
        context.step("reading", static_cast<std::int64_t>(i),
                     static_cast<std::int64_t>(tasks->size())) == Step::kCancel) {
      return cancelled();
    }
    reader.add((*tasks)[i], i);
  }
  return reader.finish();
}

LabelMatch recogniseLabelStudio(const LabelPlace& place) {
  const auto has = [&](const char* key) { return hasJsonKey(place.head, key); };
  const bool has_answers = has("annotations") || has("predictions") || has("completions");
  switch (firstCharacter(place.head)) {
    case '[':
      return has("data") || has_answers ? LabelMatch::kCertain : LabelMatch::kPossible;
    case '{':
      return has("data") && has_answers ? LabelMatch::kCertain : LabelMatch::kNone;
    default:
      return LabelMatch::kNone;
  }
}

}  // namespace

LabelFormat labelStudioLabels() {
  return {.key = "label-studio",
          .name = "Label Studio",
          .ending = ".json",
          .summary = "a list of tasks with choices",
          .keeps = {LabelPart::kItemIds, LabelPart::kPaths, LabelPart::kClasses, LabelPart::kTimes,
                    LabelPart::kOrigins},
          .shapes = LabelShapes::kWrittenBack,
          .read = readLabelStudio,
          .write = writeLabelStudio,
          .recognise = recogniseLabelStudio};
}

}  // namespace dubito
