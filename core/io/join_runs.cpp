// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/join_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/io/usual_names.h"

namespace dubito {
namespace {

tl::unexpected<Error> unlike(const NamedRunRef& first, const NamedRunRef& second,
                             const std::string& difference) {
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: {}, unlike {}; give runs of the same classes over the same items",
                          second.name, difference, first.name));
}

/// For each row of the first run, that of the second, -1 if it lacks the item; empty if both have
/// the same ids in the same order.
std::vector<std::int64_t> rowsByIds(const Run& first, const Run& second) {
  const auto wanted = first.ids.values();
  const auto ids = second.ids.values();
  std::vector<std::int64_t> rows;
  if (std::ranges::equal(wanted, ids)) {
    return rows;
  }
  const auto idOf = [&ids](std::int64_t row) { return ids[static_cast<std::size_t>(row)]; };
  std::vector<std::int64_t> by_id(ids.size());
  std::iota(by_id.begin(), by_id.end(), std::int64_t{0});
  std::ranges::sort(by_id, {}, idOf);
  rows.reserve(wanted.size());
  for (const std::int64_t id : wanted) {
    const auto found = std::ranges::lower_bound(by_id, id, {}, idOf);
    rows.push_back(found == by_id.end() || idOf(*found) != id ? -1 : *found);
  }
  return rows;
}

/// Row of the first run with other known labels, -1 if there is none.
struct LabelComparison {
  std::int64_t conflict = -1;
  bool all_equal = true;  ///< unknown labels included
};

LabelComparison compareLabels(const Run& first, const Run& second,
                              const std::vector<std::int64_t>& rows) {
  LabelComparison comparison;
  for (std::int64_t i = 0; i < first.itemCount(); ++i) {
    const std::int64_t row = rows.empty() ? i : rows[static_cast<std::size_t>(i)];
    if (row < 0) {
      continue;
    }
    const std::int64_t label = first.labels.data()[i];
    const std::int64_t other = second.labels.data()[row];
    comparison.all_equal = comparison.all_equal && label == other;
    if (label >= 0 && other >= 0 && label != other) {
      comparison.conflict = i;
      return comparison;
    }
  }
  return comparison;
}

Expected<std::vector<std::int64_t>> joinedRows(const NamedRunRef& first, const NamedRunRef& second,
                                               const JoinRule& rule) {
  if (Status same = sameClasses(first, second); !same) {
    return failWith(same);
  }
  std::vector<std::int64_t> rows = rowsByIds(first.run, second.run);
  const bool same_count = first.run.itemCount() == second.run.itemCount();
  const auto missing = std::ranges::find(rows, std::int64_t{-1});
  if (rule.all_items && !same_count) {
    return unlike(
        first, second,
        fmt::format("has {} items, not {}", second.run.itemCount(), first.run.itemCount()));
  }
  if (rule.all_items && missing != rows.end()) {
    return unlike(first, second,
                  fmt::format("has no item {}", first.run.ids.data()[missing - rows.begin()]));
  }
  if (!rule.same_labels) {
    return rows;
  }
  const LabelComparison labels = compareLabels(first.run, second.run, rows);
  if (const std::int64_t i = labels.conflict; i >= 0) {
    const std::int64_t row = rows.empty() ? i : rows[static_cast<std::size_t>(i)];
    return unlike(first, second,
                  fmt::format("item {} has the label {}, not {}", first.run.ids.data()[i],
                              second.run.labels.data()[row], first.run.labels.data()[i]));
  }
  const RunMeta& mine = first.run.meta;
  const RunMeta& other = second.run.meta;
  // The hash covers given labels and the networks' inputs, which depend on the preprocessing.
  const bool comparable = same_count && missing == rows.end() && labels.all_equal &&
                          mine.reviewed_labels == other.reviewed_labels &&
                          mine.preprocessing == other.preprocessing && !mine.dataset_hash.empty() &&
                          !other.dataset_hash.empty();
  if (comparable && mine.dataset_hash != other.dataset_hash) {
    return unlike(first, second, "has other contents under the same ids (another content hash)");
  }
  return rows;
}

}  // namespace

Status sameClasses(const NamedRunRef& first, const NamedRunRef& second) {
  const std::int64_t classes = first.run.classCount();
  const std::int64_t others = second.run.classCount();
  if (classes > 0 && others > 0 && classes != others) {
    return unlike(first, second, fmt::format("has {} classes, not {}", others, classes));
  }
  const auto& names = first.run.meta.class_names;
  const auto& other_names = second.run.meta.class_names;
  const auto sameName = [](const std::string& a, const std::string& b) {
    return nameKey(a) == nameKey(b);
  };
  if (!names.empty() && !other_names.empty() && !std::ranges::equal(names, other_names, sameName)) {
    return unlike(first, second, "has other class names");
  }
  return {};
}

Expected<std::vector<std::int64_t>> rowsOfSameItems(const NamedRunRef& first,
                                                    const NamedRunRef& second) {
  return joinedRows(first, second, {.all_items = true});
}

Expected<std::vector<SharedRow>> joinRuns(const NamedRunRef& first, const NamedRunRef& second,
                                          const JoinRule& rule) {
  const auto rows = joinedRows(first, second, rule);
  if (!rows) {
    return failWith(rows);
  }
  std::vector<SharedRow> shared;
  for (std::int64_t i = 0; i < first.run.itemCount(); ++i) {
    const std::int64_t row = rows->empty() ? i : (*rows)[static_cast<std::size_t>(i)];
    if (row >= 0) {
      shared.push_back({i, row});
    }
  }
  return shared;
}

Expected<std::vector<bool>> disagreements(const NamedRunRef& shown, const NamedRunRef& other) {
  const auto rows = joinRuns(shown, other);
  if (!rows) {
    return failWith(rows);
  }
  std::vector<bool> differs(static_cast<std::size_t>(shown.run.itemCount()), false);
  for (const SharedRow& row : *rows) {
    differs[static_cast<std::size_t>(row.first)] =
        shown.run.predictions.data()[row.first] != other.run.predictions.data()[row.second];
  }
  return differs;
}

}  // namespace dubito
