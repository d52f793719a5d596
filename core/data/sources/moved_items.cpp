// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/moved_items.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/data/items/item_files.h"
#include "core/data/sources/item_hash.h"

namespace dubito {

Expected<std::vector<std::optional<std::int64_t>>> itemsOfHashes(
    const Dataset& dataset, std::span<const std::string> hashes,
    const std::unordered_set<std::int64_t>& taken, RunContext& context) {
  const auto hash_of = [&](std::size_t item) {
    const auto index = static_cast<std::int64_t>(item);
    const bool is_free = !taken.contains(dataset.ids()[item]) && !itemFile(dataset, index).empty();
    return is_free ? itemHash(dataset, index).value_or("") : std::string();
  };
  const auto found = findByHash(hashes, static_cast<std::size_t>(dataset.size()), hash_of, context);
  if (!found) {
    return failWith(found);
  }
  std::vector<std::optional<std::int64_t>> ids;
  for (const std::optional<std::size_t>& file : found->files) {
    ids.push_back(file ? std::optional(dataset.ids()[*file]) : std::nullopt);
  }
  return ids;
}

Status matchMovedItems(const LabelTable& table, const Dataset& dataset, RowMatches& matches,
                       RunContext& context) {
  std::vector<std::size_t> rows;
  std::vector<std::string> hashes;
  std::unordered_set<std::int64_t> known;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (matches.items[i]) {
      known.insert(*matches.items[i]);
    } else {
      rows.push_back(i);
      hashes.push_back(table.rows[i].content_hash);
    }
  }
  const auto found = itemsOfHashes(dataset, hashes, known, context);
  if (!found) {
    return failWith(found);
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!(*found)[k]) {
      continue;
    }
    const LabelRow& row = table.rows[rows[k]];
    matches.items[rows[k]] = (*found)[k];
    if (!row.present) {
      continue;
    }
    ++matches.by_hash;
    for (std::vector<std::string>* const list : {&matches.unmatched, &matches.ambiguous}) {
      const auto noted = std::ranges::find(*list, itemText(row));
      if (noted != list->end()) {
        list->erase(noted);
        break;
      }
    }
  }
  return {};
}

}  // namespace dubito
