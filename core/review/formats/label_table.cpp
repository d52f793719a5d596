// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/label_table.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace dubito {

ClassNames::ClassNames(std::span<const LabelClass> classes) {
  std::unordered_map<std::int64_t, const LabelClass*> by_id;
  for (const LabelClass& each : classes) {
    by_id.emplace(each.id, &each);
  }
  for (const LabelClass& each : classes) {
    const LabelClass* last = &each;
    // At most one step per class, should the merges ever form a ring.
    for (std::size_t i = 0; i < classes.size() && last->merged_into; ++i) {
      const auto next = by_id.find(*last->merged_into);
      last = next == by_id.end() ? last : next->second;
    }
    classes_.emplace(each.id, Merged{last->id, last->name});
  }
}

const ClassNames::Merged& ClassNames::find(std::int64_t id) const {
  const auto found = classes_.find(id);
  if (found == classes_.end()) {
    throw std::invalid_argument(fmt::format("ClassNames: there is no class {}", id));
  }
  return found->second;
}

const std::string* ClassNames::of(std::optional<std::int64_t> id) const {
  return id ? &find(*id).name : nullptr;
}

std::string ClassNames::text(std::optional<std::int64_t> id) const {
  return id ? find(*id).name : std::string();
}

std::int64_t ClassNames::merged(std::int64_t id) const {
  return find(id).id;
}

ClassIds::ClassIds(std::vector<LabelClass>& classes) : classes_(classes) {
  for (const LabelClass& each : classes) {
    ids_.emplace(each.name, each.id);
    names_.emplace(each.id, each.name);
  }
}

std::int64_t ClassIds::idOf(std::string_view name, std::optional<std::int64_t> wanted_id) {
  std::string key(name);
  if (const auto known = ids_.find(key); known != ids_.end()) {
    return known->second;
  }
  const bool free = wanted_id && *wanted_id >= 0 && !names_.contains(*wanted_id);
  while (!free && names_.contains(next_)) {
    ++next_;
  }
  const std::int64_t id = free ? *wanted_id : next_;
  classes_.push_back({.id = id, .name = key});
  names_.emplace(id, key);
  ids_.emplace(std::move(key), id);
  return id;
}

std::string itemText(const LabelRow& row) {
  return !row.path.empty() || !row.item ? row.path : fmt::format("#{}", *row.item);
}

std::optional<float> classProbability(const LabelRow& row, const ClassNames& names) {
  if (row.probs.empty() || !row.class_id) {
    return row.class_id ? row.probability : std::nullopt;
  }
  const std::int64_t wanted = names.merged(*row.class_id);
  std::optional<float> sum;
  for (std::size_t k = 0; k < row.probs.size(); ++k) {
    const auto id = static_cast<std::int64_t>(k);
    if (names.contains(id) && names.merged(id) == wanted) {
      sum = sum.value_or(0.0F) + row.probs[k];
    }
  }
  return sum;
}

bool isDecided(const LabelRow& row) {
  return row.class_id || row.action == LabelAction::kNotInClasses ||
         row.action == LabelAction::kAmbiguous;
}

std::vector<std::size_t> presentRows(const LabelTable& table) {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (table.rows[i].present) {
      positions.push_back(i);
    }
  }
  return positions;
}

std::vector<std::size_t> namedRows(const LabelTable& table, std::vector<LabelNote>& notes) {
  std::vector<std::size_t> rows = presentRows(table);
  const auto nameless =
      std::erase_if(rows, [&table](std::size_t i) { return itemText(table.rows[i]).empty(); });
  addNote(notes, "labels without a path and an id, left out", static_cast<std::int64_t>(nameless));
  return rows;
}

}  // namespace dubito
