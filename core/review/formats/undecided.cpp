// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/undecided.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/io/run.h"
#include "core/labels/decision.h"

namespace dubito {
namespace {

struct UndecidedKey {
  Undecided undecided;
  std::string_view key;
};
constexpr std::array kKeys{UndecidedKey{Undecided::kKeep, "keep"},
                           UndecidedKey{Undecided::kDrop, "drop"},
                           UndecidedKey{Undecided::kSuggest, "suggest"}};

/// Classes of the table for the numbers of a dataset.
class NumberedClasses {
 public:
  NumberedClasses(LabelTable& table, std::span<const std::string> names)
      : table_(table), names_(names), ids_(table.classes) {}

  std::int64_t idOf(std::int64_t number) {
    const bool is_named = number >= 0 && number < std::ssize(names_);
    const std::string name =
        is_named ? names_[static_cast<std::size_t>(number)] : fmt::format("{}", number);
    const auto at_first = std::ranges::find(table_.network_classes, name);
    const std::int64_t output = at_first - table_.network_classes.begin();
    const bool is_output =
        at_first != table_.network_classes.end() &&
        std::ranges::find(table_.classes, output, &LabelClass::id) != table_.classes.end();
    return is_output ? output : ids_.idOf(name);
  }

 private:
  LabelTable& table_;
  std::span<const std::string> names_;
  ClassIds ids_;
};

}  // namespace

std::optional<std::int64_t> knownLabel(std::int64_t label) {
  return label < 0 ? std::nullopt : std::optional(label);
}

UndecidedItems undecidedItemsOf(const Run& run) {
  UndecidedItems result;
  for (std::int64_t k = 0; k < std::max(run.classCount(), std::ssize(run.meta.class_names)); ++k) {
    result.class_names.push_back(run.className(k));
  }
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    result.items.push_back({.id = run.ids.data()[i],
                            .given = knownLabel(run.labels.data()[i]),
                            .suggested = knownLabel(run.predictions.data()[i]),
                            .probability = static_cast<float>(run.confidence.data()[i])});
  }
  return result;
}

std::string_view keyOf(Undecided undecided) {
  return std::ranges::find(kKeys, undecided, &UndecidedKey::undecided)->key;
}

std::optional<Undecided> undecidedOfKey(std::string_view key) {
  const auto* const found = std::ranges::find(kKeys, key, &UndecidedKey::key);
  return found == kKeys.end() ? std::nullopt : std::optional(found->undecided);
}

std::vector<LabelNote> addUndecided(LabelTable& table, const UndecidedItems& items,
                                    Undecided undecided, double min_probability) {
  std::vector<LabelNote> notes;
  if (undecided == Undecided::kDrop) {
    return notes;
  }
  std::unordered_map<std::int64_t, std::size_t> present;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (table.rows[i].present && table.rows[i].item) {
      present.emplace(*table.rows[i].item, i);
    }
  }
  NumberedClasses classes(table, items.class_names);
  std::int64_t added = 0;
  std::int64_t remaining = 0;
  for (const UndecidedItem& item : items.items) {
    const auto found = present.find(item.id);
    if (found != present.end() && isDecided(table.rows[found->second])) {
      continue;
    }
    const bool suggests = undecided == Undecided::kSuggest;
    // As floats, in which probabilities are stored; false for NaN.
    const bool is_sure = item.probability >= static_cast<float>(min_probability);
    const std::optional<std::int64_t> number = !suggests ? item.given
                                               : is_sure ? item.suggested
                                                         : std::nullopt;
    if (!number) {
      ++remaining;
      continue;
    }
    if (found != present.end()) {
      table.rows[found->second].present = false;
    }
    LabelRow row;
    row.item = item.id;
    row.path = item.path;
    row.class_id = classes.idOf(*number);
    row.origin = suggests ? LabelOrigin::kModel : LabelOrigin::kDataset;
    if (suggests) {
      row.probability = item.probability;
    }
    table.rows.push_back(std::move(row));
    ++added;
  }
  addNote(notes,
          undecided == Undecided::kKeep ? "undecided items that keep the given label"
                                        : fmt::format("undecided items with a suggestion that is "
                                                      "at least {} sure, which they get",
                                                      min_probability),
          added);
  addNote(notes,
          undecided == Undecided::kKeep ? "undecided items without a given label, left out"
                                        : "undecided items without such a suggestion, left out",
          remaining);
  return notes;
}

std::int64_t addSuggestedScores(LabelTable& table, const UndecidedItems& items) {
  std::unordered_map<std::int64_t, const UndecidedItem*> by_id;
  for (const UndecidedItem& item : items.items) {
    by_id.emplace(item.id, &item);
  }
  NumberedClasses classes(table, items.class_names);
  std::int64_t scored = 0;
  for (LabelRow& row : table.rows) {
    const auto found = row.item ? by_id.find(*row.item) : by_id.end();
    const bool lacks_score = row.present && row.class_id && row.origin == LabelOrigin::kModel &&
                             !row.probability && row.probs.empty();
    if (found == by_id.end() || !lacks_score || !found->second->suggested ||
        std::isnan(found->second->probability)) {
      continue;
    }
    const std::int64_t suggested = classes.idOf(*found->second->suggested);
    if (mergedClass(table.classes, suggested) == mergedClass(table.classes, *row.class_id)) {
      row.probability = found->second->probability;
      ++scored;
    }
  }
  return scored;
}

}  // namespace dubito
