// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/store_labels.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "core/labels/label_records.h"

namespace dubito {
namespace {

/// A label of a model has no annotator: the store names the person who had it made, so that she can
/// undo it, but she has not looked at the item.
std::string annotatorOf(LabelOrigin origin, const std::string& annotator) {
  return origin == LabelOrigin::kModel ? std::string() : annotator;
}

LabelRow rowOfDecision(const RecordedDecision& recorded) {
  const Decision& decision = recorded.decision;
  LabelRow row;
  row.item = decision.item;
  row.path = decision.item_name;
  row.class_id = decision.class_id;
  row.action = decision.action;
  row.origin = decision.origin;
  row.previous_class = decision.previous_class;
  row.previous_origin = decision.previous_origin;
  row.annotator = annotatorOf(decision.origin, decision.annotator);
  row.time_ms = decision.time_ms;
  row.probs = decision.probs;
  row.present = false;
  row.content_hash = decision.content_hash;
  row.spent_ms = decision.spent_ms;
  row.prediction_shown = decision.prediction_shown;
  row.queue = decision.queue;
  row.run = decision.run;
  row.sequence = recorded.sequence;
  row.step = recorded.step;
  row.undone = recorded.undone;
  return row;
}

LabelRow rowOfLabel(const PresentLabel& label) {
  LabelRow row;
  row.item = label.item;
  row.class_id = label.class_id;
  row.action = label.action;
  row.origin = label.origin;
  row.annotator = annotatorOf(label.origin, label.annotator);
  row.time_ms = label.time_ms;
  row.sequence = label.sequence;
  return row;
}

/// Ids of the store's classes for those of a table.
class StoreClasses {
 public:
  StoreClasses(const LabelTable& table, std::span<const LabelClass> classes)
      : names_(table.classes) {
    for (const LabelClass& each : classes) {
      if (!each.merged_into) {
        ids_.emplace(each.name, each.id);
      }
    }
    // A merged class may be known by its old name only.
    for (const LabelClass& each : classes) {
      ids_.emplace(each.name, mergedClass(classes, each.id));
    }
  }

  [[nodiscard]] std::string name(std::optional<std::int64_t> id) const { return names_.text(id); }
  [[nodiscard]] std::optional<std::int64_t> of(std::optional<std::int64_t> id) const {
    const auto found = id ? ids_.find(names_.text(id)) : ids_.end();
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  ClassNames names_;
  std::unordered_map<std::string, std::int64_t> ids_;
};

Decision decisionOfRow(const LabelRow& row, std::int64_t item, const StoreClasses& classes,
                       const DecisionOptions& options) {
  Decision decision;
  decision.item = item;
  decision.content_hash = row.content_hash;
  decision.item_name = row.path;
  decision.origin = row.origin.value_or(LabelOrigin::kPerson);
  decision.previous_class = classes.of(row.previous_class);
  decision.previous_origin = row.previous_origin;
  decision.annotator = row.annotator.empty() ? options.annotator : row.annotator;
  decision.time_ms = row.time_ms == 0 ? options.time_ms : row.time_ms;
  decision.spent_ms = row.spent_ms;
  decision.prediction_shown = row.prediction_shown.value_or(true);
  decision.queue = row.queue;
  decision.run = row.run;
  decision.probs = row.probs;
  return decision;
}

/// If all names are numbers, those from 0 to the highest and at least `count`; else `names`.
std::vector<std::string> countedUp(std::vector<std::string> names, std::int64_t count) {
  constexpr std::int64_t kMostClasses = 10'000;  // more are not counted, but named by numbers
  for (const std::string& name : names) {
    std::int64_t number = 0;
    std::from_chars(name.data(), name.data() + name.size(), number);
    if (number < 0 || number >= kMostClasses || std::to_string(number) != name) {
      return names;
    }
    count = std::max(count, number + 1);
  }
  if (names.empty()) {
    return names;
  }
  names.clear();
  for (std::int64_t number = 0; number < count; ++number) {
    names.push_back(std::to_string(number));
  }
  return names;
}

}  // namespace

LabelTable labelTable(std::span<const LabelClass> classes, std::span<const PresentLabel> labels,
                      std::span<const RecordedDecision> journal) {
  LabelTable table;
  table.classes.assign(classes.begin(), classes.end());
  std::unordered_map<std::int64_t, std::size_t> row_of_sequence;
  for (const RecordedDecision& recorded : journal) {
    row_of_sequence.emplace(recorded.sequence, table.rows.size());
    table.rows.push_back(rowOfDecision(recorded));
  }
  for (const PresentLabel& label : labels) {
    const auto found = row_of_sequence.find(label.sequence);
    if (found == row_of_sequence.end()) {
      table.rows.push_back(rowOfLabel(label));
    } else {
      table.rows[found->second].present = true;
    }
  }
  return table;
}

Expected<LabelTable> labelTable(LabelStore& store) {
  return readRecords(store).map([](const LabelRecords& records) {
    return labelTable(records.classes, records.labels, records.journal);
  });
}

std::vector<std::string> missingClasses(const LabelTable& table,
                                        std::span<const LabelClass> classes,
                                        std::int64_t class_count) {
  const StoreClasses store(table, classes);
  std::set<std::string> seen;
  std::vector<std::string> missing;
  for (const LabelRow& row : table.rows) {
    if (row.class_id && !store.of(row.class_id) && seen.insert(store.name(row.class_id)).second) {
      missing.push_back(store.name(row.class_id));
    }
  }
  return classes.empty() ? countedUp(std::move(missing), class_count) : missing;
}

ImportedDecisions decisionsOf(const LabelTable& table,
                              std::span<const std::optional<std::int64_t>> items,
                              std::span<const LabelClass> classes,
                              std::span<const PresentLabel> labels,
                              const DecisionOptions& options) {
  if (items.size() != table.rows.size()) {
    throw std::invalid_argument("decisionsOf: an item or none for each row");
  }
  struct Current {
    std::optional<std::int64_t> class_id;
    LabelOrigin origin;
  };
  std::unordered_map<std::int64_t, Current> current;
  for (const PresentLabel& label : labels) {
    current[label.item] = {label.class_id, label.origin};
  }
  const StoreClasses store(table, classes);
  ImportedDecisions imported;
  std::vector<std::string> unknown_class;
  std::vector<std::string> undecided;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const LabelRow& row = table.rows[i];
    if (!items[i] || row.undone || !(row.present || options.with_history)) {
      continue;
    }
    Decision decision = decisionOfRow(row, *items[i], store, options);
    if (const auto found = current.find(decision.item); found != current.end()) {
      decision.previous_class = found->second.class_id;
      decision.previous_origin = found->second.origin;
    }
    const std::optional<std::int64_t> id = store.of(row.class_id);
    if (row.class_id && !id) {
      unknown_class.push_back(itemText(row) + ": " + store.name(row.class_id));
      continue;
    }
    const LabelAction assigned =
        id && id == decision.previous_class ? LabelAction::kAccept : LabelAction::kCorrect;
    decision.action = row.action.value_or(assigned);
    if (assignsClass(decision.action) != id.has_value()) {
      undecided.push_back(itemText(row));
      continue;
    }
    decision.class_id = id;
    current[decision.item] = {id, decision.origin};
    imported.decisions.push_back(std::move(decision));
  }
  addNote(imported.notes, "labels with a class that is missing, left out",
          std::move(unknown_class));
  addNote(imported.notes, "labels whose action does not fit the class, left out",
          std::move(undecided));
  return imported;
}

}  // namespace dubito
