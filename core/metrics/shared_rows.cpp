// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/shared_rows.h"

#include <fmt/format.h>

#include <unordered_map>

namespace dubito {

std::vector<SharedRow> sharedRows(const Run& first, const Run& second) {
  std::vector<SharedRow> rows;
  std::unordered_map<std::int64_t, std::int64_t> row_of_id;
  const auto ids = second.ids.values();
  for (std::int64_t i = 0; i < first.itemCount(); ++i) {
    const std::int64_t id = first.ids.data()[i];
    if (i < second.itemCount() && ids[static_cast<std::size_t>(i)] == id) {
      rows.push_back({i, i});
      continue;
    }
    if (row_of_id.empty()) {
      row_of_id.reserve(ids.size());
      for (std::size_t row = 0; row < ids.size(); ++row) {
        row_of_id.emplace(ids[row], static_cast<std::int64_t>(row));
      }
    }
    if (const auto found = row_of_id.find(id); found != row_of_id.end()) {
      rows.push_back({i, found->second});
    }
  }
  return rows;
}

std::string conflictOf(const Run& first, const Run& second, const std::vector<SharedRow>& rows) {
  const auto& names = first.meta.class_names;
  const auto& other_names = second.meta.class_names;
  if (!names.empty() && !other_names.empty() && names != other_names) {
    return "they have different class names";
  }
  for (const SharedRow& row : rows) {
    const std::int64_t label = first.labels.data()[row.first];
    const std::int64_t other = second.labels.data()[row.second];
    if (label >= 0 && other >= 0 && label != other) {
      return fmt::format("item {} has the label {} in one and {} in the other",
                         first.ids.data()[row.first], label, other);
    }
  }
  return {};
}

std::vector<bool> disagreements(const Run& shown, const Run& other) {
  std::vector<bool> differs(static_cast<std::size_t>(shown.itemCount()), false);
  for (const SharedRow& row : sharedRows(shown, other)) {
    differs[static_cast<std::size_t>(row.first)] =
        shown.predictions.data()[row.first] != other.predictions.data()[row.second];
  }
  return differs;
}

}  // namespace dubito
