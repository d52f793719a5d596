// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/store_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "core/labels/label_records.h"
#include "core/review/formats/opinions.h"

namespace dubito {
namespace {

/// A label of a model has no annotator: the store names the person who had it made, so that they
/// can undo it, but they have not looked at the item.
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

/// The rows of an import in the order in which they are recorded.
struct RowOrder {
  std::vector<std::size_t> rows;
  std::size_t opinions = 0;  ///< the first ones, which do not count
};

RowOrder rowOrder(const LabelTable& table, std::span<const std::optional<std::int64_t>> items,
                  bool with_history, std::vector<LabelNote>& notes) {
  std::map<std::int64_t, std::vector<std::size_t>> present;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i] && table.rows[i].present && !table.rows[i].undone) {
      present[*items[i]].push_back(i);
    }
  }
  std::set<std::size_t> counting;
  std::set<std::size_t> opinions;
  WeighedItems weighed_items;
  for (const auto& [item, rows] : present) {
    const WeighedLabels weighed = weighLabels(table, rows);
    weighed_items.add(weighed, itemText(table.rows[rows.front()]), table, rows);
    counting.insert(weighed.counts);
    opinions.insert(weighed.others.begin(), weighed.others.end());
  }
  weighed_items.addNotes(notes);
  RowOrder order;
  order.rows.assign(opinions.begin(), opinions.end());
  order.opinions = order.rows.size();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const LabelRow& row = table.rows[i];
    const bool wanted = row.present ? counting.contains(i) : with_history;
    if (items[i] && !row.undone && wanted) {
      order.rows.push_back(i);
    }
  }
  return order;
}

/// If all names are numbers, those from 0 to the highest and at least `count`; else `names`.
std::vector<std::string> countedUp(std::vector<std::string> names, std::int64_t count) {
  constexpr std::int64_t kMaxClasses = 10'000;  // more are not counted, but named by numbers
  for (const std::string& name : names) {
    std::int64_t number = 0;
    std::from_chars(name.data(), name.data() + name.size(), number);
    if (number < 0 || number >= kMaxClasses || std::to_string(number) != name) {
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
  auto network = store.networkClasses();
  if (!network) {
    return failWith(network);
  }
  auto remarks = store.remarks();
  if (!remarks) {
    return failWith(remarks);
  }
  std::erase_if(*remarks, [](const Remark& remark) { return remark.text.empty(); });
  for (Remark& remark : *remarks) {
    remark.number = 0;  // means something in the store only
  }
  return readRecords(store).map([&](const LabelRecords& records) {
    LabelTable table = labelTable(records.classes, records.labels, records.journal);
    table.network_classes = *std::move(network);
    table.remarks = *std::move(remarks);
    return table;
  });
}

namespace {

/// The class `known` of a store with the name, key and colour of `wanted` as far as they are free
/// among `classes`, those of the store; the others are added to `refused`.
LabelClass withDetailsOf(const LabelClass& wanted, const LabelClass& known, bool keeps_name,
                         const std::vector<LabelClass>& classes,
                         std::vector<std::string>& refused) {
  LabelClass changed = known;
  const bool name_is_free = std::ranges::none_of(classes, [&](const LabelClass& each) {
    return each.id != known.id && !each.merged_into && each.name == wanted.name;
  });
  if (known.name != wanted.name && !keeps_name && name_is_free) {
    changed.name = wanted.name;
  } else if (known.name != wanted.name) {
    refused.push_back(fmt::format("{}: {}", known.name, wanted.name));
  }
  const bool key_is_free =
      known.key.empty() && std::ranges::none_of(classes, [&](const LabelClass& each) {
        return !each.merged_into && each.key == wanted.key;
      });
  if (!wanted.key.empty() && key_is_free) {
    changed.key = wanted.key;
  } else if (!wanted.key.empty() && known.key != wanted.key) {
    refused.push_back(fmt::format("{}: key {}", wanted.name, wanted.key));
  }
  changed.colour = known.colour.empty() ? wanted.colour : known.colour;
  return changed;
}

/// Merges the classes of a store that the table has merged. `ids` are those of the store by those
/// of the table.
Status mergeClassesAs(const LabelTable& table, const std::map<std::int64_t, std::int64_t>& ids,
                      LabelStore& store, const std::string& annotator,
                      std::vector<std::string>& refused) {
  for (const LabelClass& wanted : table.classes) {
    if (!wanted.merged_into || !ids.contains(wanted.id) || !ids.contains(*wanted.merged_into)) {
      continue;
    }
    const auto classes = store.classes();
    if (!classes) {
      return failWith(classes);
    }
    const std::int64_t from = mergedClass(*classes, ids.at(wanted.id));
    const std::int64_t into = mergedClass(*classes, ids.at(*wanted.merged_into));
    if (from == ids.at(wanted.id) && from != into) {
      if (Status done = store.mergeClass(from, into, annotator); !done) {
        return done;
      }
    } else if (from != into) {
      refused.push_back(fmt::format("{}: merged into another class", wanted.name));
    }
  }
  return {};
}

}  // namespace

Expected<std::vector<LabelNote>> adoptClassDetails(LabelStore& store, const LabelTable& table,
                                                   const std::string& annotator) {
  const auto network = store.networkClasses();
  if (!network) {
    return failWith(network);
  }
  std::vector<std::string> refused;
  // Ids of the store by those of the table.
  std::map<std::int64_t, std::int64_t> ids;
  for (const LabelClass& wanted : table.classes) {
    const auto classes = store.classes();
    if (!classes) {
      return failWith(classes);
    }
    const auto k = static_cast<std::size_t>(wanted.id);
    const bool is_output = wanted.id >= 0 && k < network->size() &&
                           k < table.network_classes.size() &&
                           (*network)[k] == table.network_classes[k];
    const LabelClass* const known = is_output ? findClass(*classes, wanted.id)
                                              : findClass(*classes, std::string_view(wanted.name));
    if (known == nullptr) {
      continue;  // a class without labels stays away, others were added before
    }
    ids.emplace(wanted.id, known->id);
    // A class that was renamed here keeps that name.
    const bool renamed_here = is_output && known->name != (*network)[k];
    const LabelClass changed = withDetailsOf(wanted, *known, renamed_here, *classes, refused);
    const bool differs =
        changed.name != known->name || changed.key != known->key || changed.colour != known->colour;
    if (known->merged_into || !differs) {
      continue;
    }
    if (Status done = store.changeClass(changed, annotator); !done) {
      return failWith(done);
    }
  }
  if (Status merged = mergeClassesAs(table, ids, store, annotator, refused); !merged) {
    return failWith(merged);
  }
  std::vector<LabelNote> notes;
  addNote(notes,
          "names, keys and merges of classes that contradict those of the label store, left "
          "out",
          std::move(refused));
  return notes;
}

Expected<std::int64_t> recordRemarks(LabelStore& store, const LabelTable& table,
                                     std::span<const std::optional<std::int64_t>> items,
                                     const std::string& annotator) {
  const auto classes = store.classes();
  if (!classes) {
    return failWith(classes);
  }
  const StoreClasses store_classes(table, *classes);
  // Items may have other ids in the store.
  std::unordered_map<std::int64_t, std::int64_t> item_of;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i] && table.rows[i].item) {
      item_of.emplace(*table.rows[i].item, *items[i]);
    }
  }
  std::vector<Remark> recorded;
  for (Remark remark : table.remarks) {
    const auto item = item_of.find(remark.about);
    const std::optional<std::int64_t> about = remark.subject == RemarkSubject::kClass
                                                  ? store_classes.of(remark.about)
                                              : item == item_of.end() ? std::optional(remark.about)
                                                                      : std::optional(item->second);
    if (remark.subject == RemarkSubject::kExample) {
      const auto of_class = store_classes.of(classOfExample(remark.text));
      if (!of_class) {
        continue;
      }
      remark.text = exampleText(*of_class);
    }
    if (about) {
      remark.about = *about;
      remark.annotator = remark.annotator.empty() ? annotator : remark.annotator;
      recorded.push_back(std::move(remark));
    }
  }
  if (recorded.empty()) {
    return std::int64_t{0};
  }
  const Status done = store.setRemarks(recorded);
  return done ? Expected<std::int64_t>(std::ssize(recorded)) : failWith(done);
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
  const RowOrder order = rowOrder(table, items, options.with_history, imported.notes);
  for (std::size_t place = 0; place < order.rows.size(); ++place) {
    const std::size_t i = order.rows[place];
    const LabelRow& row = table.rows[i];
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
    imported.opinions += place < order.opinions ? 1 : 0;
  }
  addNote(imported.notes, "labels with a class that is missing, left out",
          std::move(unknown_class));
  addNote(imported.notes, "labels whose action does not fit the class, left out",
          std::move(undecided));
  return imported;
}

}  // namespace dubito
