// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/source_entries.h"

#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/review/formats/match_rows.h"

namespace dubito {

SourceLabels labelsOfEntries(const LabelTable& table, std::vector<LabelRow> entries) {
  const std::vector<std::size_t> rows = presentRows(table);
  std::vector<std::int64_t> numbers;
  std::vector<std::string> names;
  std::unordered_map<std::int64_t, std::int64_t> number_of_item;
  for (const std::size_t i : rows) {
    const auto number = static_cast<std::int64_t>(numbers.size());
    numbers.push_back(number);
    names.push_back(itemText(table.rows[i]));
    if (table.rows[i].item) {
      number_of_item.emplace(*table.rows[i].item, number);
    }
  }
  LabelTable source;
  for (LabelRow& entry : entries) {
    const auto known = entry.item ? number_of_item.find(*entry.item) : number_of_item.end();
    entry.item = known == number_of_item.end() ? std::nullopt : std::optional(known->second);
    source.rows.push_back(std::move(entry));
  }
  const RowMatches matches = matchRows(source, numbers, names);
  SourceLabels result;
  std::set<std::size_t> found;
  for (const std::optional<std::int64_t>& number : matches.items) {
    std::optional<std::size_t>& row = result.of_entry.emplace_back();
    if (number) {
      const std::size_t position = rows[static_cast<std::size_t>(*number)];
      found.insert(position);
      row = isDecided(table.rows[position]) ? std::optional(position) : std::nullopt;
    }
  }
  for (const std::size_t i : rows) {
    if (!found.contains(i)) {
      result.new_rows.push_back(i);
    }
  }
  return result;
}

}  // namespace dubito
