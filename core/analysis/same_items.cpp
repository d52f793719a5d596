// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/same_items.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "core/base/splitmix64.h"

namespace dubito {

std::string specOfItems(const std::string& spec) {
  const std::size_t question = spec.find('?');
  if (question == std::string::npos) {
    return spec;
  }
  std::string kept = spec.substr(0, question);
  char separator = '?';
  std::string_view rest = std::string_view(spec).substr(question + 1);
  while (!rest.empty()) {
    const std::string_view option = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), option.size() + 1));
    const std::string_view name = option.substr(0, option.find('='));
    if (name != "items" && name != "classes" && name != "name") {
      kept += separator;
      kept += option;
      separator = '&';
    }
  }
  return kept;
}

bool overSameDataset(const AnalysisPart& a, const AnalysisPart& b) {
  if (a.dataset && a.dataset == b.dataset) {
    return true;
  }
  const RunMeta& mine = a.run->meta;
  const RunMeta& other = b.run->meta;
  const bool both_known = !mine.dataset_hash.empty() && !other.dataset_hash.empty();
  if (both_known && mine.dataset_hash == other.dataset_hash) {
    return true;
  }
  if (mine.dataset_spec == other.dataset_spec) {
    return !both_known && a.name == b.name;
  }
  return !mine.dataset_spec.empty() &&
         specOfItems(mine.dataset_spec) == specOfItems(other.dataset_spec);
}

std::vector<std::int64_t> rowsByIds(const Array<std::int64_t>& ids) {
  if (std::ranges::is_sorted(ids.values())) {
    return {};
  }
  std::vector<std::int64_t> rows(static_cast<std::size_t>(ids.size()));
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  std::ranges::sort(rows, {}, [&ids](std::int64_t row) { return ids.data()[row]; });
  return rows;
}

std::optional<std::int64_t> rowOfId(const AnalysisPart& part, std::int64_t id) {
  const Array<std::int64_t>& ids = part.run->ids;
  if (part.rows_by_id.empty()) {
    const auto found = std::ranges::lower_bound(ids.values(), id);
    return found != ids.values().end() && *found == id
               ? std::optional(static_cast<std::int64_t>(found - ids.values().begin()))
               : std::nullopt;
  }
  const auto found = std::ranges::lower_bound(part.rows_by_id, id, {},
                                              [&ids](std::int64_t row) { return ids.data()[row]; });
  return found != part.rows_by_id.end() && ids.data()[*found] == id ? std::optional(*found)
                                                                    : std::nullopt;
}

std::optional<ItemRef> sameItem(const Analysis& from, ItemRef item, const Analysis& other) {
  const AnalysisPart& part = from.partOf(item);
  const std::int64_t id = part.run->ids.data()[item.row];
  for (std::size_t i = 0; i < other.parts.size(); ++i) {
    if (!overSameDataset(part, other.parts[i])) {
      continue;
    }
    if (const auto row = rowOfId(other.parts[i], id)) {
      return ItemRef{static_cast<std::int32_t>(i), *row};
    }
  }
  return std::nullopt;
}

std::uint64_t itemsHash(const Run& run) {
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    const std::uint64_t id = splitmix64(static_cast<std::uint64_t>(run.ids.data()[i]));
    sum += splitmix64(id ^ static_cast<std::uint64_t>(run.labels.data()[i] + 1));
  }
  return sum;
}

bool haveSameItems(const AnalysisPart& a, const AnalysisPart& b) {
  const RunMeta& mine = a.run->meta;
  const RunMeta& other = b.run->meta;
  if (a.run == b.run) {
    return true;
  }
  if (a.run->itemCount() != b.run->itemCount()) {
    return false;
  }
  // The content hash covers the given labels, not those that replaced them.
  if (mine.reviewed_labels != other.reviewed_labels && a.items_hash != b.items_hash) {
    return false;
  }
  const bool both_hashed = !mine.dataset_hash.empty() && !other.dataset_hash.empty();
  if (both_hashed && mine.dataset_hash == other.dataset_hash) {
    return true;
  }
  if (a.items_hash != b.items_hash) {
    return false;
  }
  const bool same_source = !mine.dataset_spec.empty() &&
                           specOfItems(mine.dataset_spec) == specOfItems(other.dataset_spec);
  // The hash covers the inputs of the networks, which depend on the preprocessing.
  return both_hashed ? same_source && mine.preprocessing != other.preprocessing
                     : same_source || a.labelled;
}

bool overSameItems(const Analysis& a, const Analysis& b) {
  return haveSameItems(a.in(), b.in());
}

}  // namespace dubito
