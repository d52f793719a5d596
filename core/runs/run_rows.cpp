// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/run_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/splitmix64.h"
#include "core/io/run_schema.h"

namespace dubito {
namespace {

constexpr std::int64_t kRowsPerSlice = 1024;

/// Selects `rows` along the first axis.
template <class T>
Array<T> rowsOf(const Array<T>& values, std::span<const std::int64_t> rows,
                const RunContext& context) {
  std::vector<std::int64_t> shape = values.shape();
  shape[0] = static_cast<std::int64_t>(rows.size());
  Array<T> chosen = Array<T>::zeros(shape);
  context.parallelFor(shape[0], kRowsPerSlice, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      std::ranges::copy(values.row(rows[static_cast<std::size_t>(i)]),
                        chosen.mutableRow(i).begin());
    }
  });
  return chosen;
}

/// Selects the items `rows` of an array [D, N, ...].
template <class T>
Array<T> rowsOfEachDraw(const Array<T>& values, std::span<const std::int64_t> rows,
                        const RunContext& context) {
  std::vector<std::int64_t> of_draw = values.shape();
  of_draw.erase(of_draw.begin());
  std::vector<std::int64_t> shape = values.shape();
  shape[1] = static_cast<std::int64_t>(rows.size());
  Array<T> chosen = Array<T>::zeros(shape);
  for (std::int64_t t = 0; t < shape[0]; ++t) {
    const Array<T> draw = values.slice(t, t + 1).reshaped(of_draw);
    std::ranges::copy(rowsOf(draw, rows, context).values(), chosen.mutableRow(t).begin());
  }
  return chosen;
}

/// Key and number of a row.
using KeyedRow = std::pair<std::uint64_t, std::int64_t>;

/// A key that is nearly always larger than the `wanted` smallest of `count`, which are as good as
/// uniform: five standard deviations above their expected largest.
std::uint64_t likelyLargestKey(std::size_t count, std::int64_t wanted) {
  const auto expected = static_cast<double>(wanted);
  const double share = (expected + 5.0 * std::sqrt(expected) + 5.0) / static_cast<double>(count);
  return share < 1.0 ? static_cast<std::uint64_t>(std::ldexp(share, 64))
                     : std::numeric_limits<std::uint64_t>::max();
}

std::vector<KeyedRow> keysUpTo(std::uint64_t largest, std::span<const std::int64_t> ids) {
  std::vector<KeyedRow> keys;
  for (std::size_t row = 0; row < ids.size(); ++row) {
    const std::uint64_t key = splitmix64(static_cast<std::uint64_t>(ids[row]));
    if (key <= largest) {
      keys.emplace_back(key, static_cast<std::int64_t>(row));
    }
  }
  return keys;
}

}  // namespace

std::vector<std::int64_t> keyedRows(std::span<const std::int64_t> ids, std::int64_t max_rows) {
  std::vector<std::int64_t> rows(std::min(ids.size(), static_cast<std::size_t>(max_rows)));
  if (rows.size() == ids.size()) {
    std::iota(rows.begin(), rows.end(), std::int64_t{0});
    return rows;
  }
  std::vector<KeyedRow> keys = keysUpTo(likelyLargestKey(ids.size(), max_rows), ids);
  if (static_cast<std::int64_t>(keys.size()) < max_rows) {
    keys = keysUpTo(std::numeric_limits<std::uint64_t>::max(), ids);
  }
  std::nth_element(keys.begin(), keys.begin() + max_rows, keys.end());
  std::transform(keys.begin(), keys.begin() + max_rows, rows.begin(),
                 [](const KeyedRow& key) { return key.second; });
  std::ranges::sort(rows);
  return rows;
}

Run rowsOfRun(const Run& run, std::span<const std::int64_t> rows, const RunContext& context) {
  Run part = run;
  forEachArrayOf(part, [&](const RunArrayInfo& info, auto& values) {
    if (info.axes.contains(RunAxis::kItem)) {
      values = info.axes.itemAxis() == 0 ? rowsOf(values, rows, context)
                                         : rowsOfEachDraw(values, rows, context);
    }
  });
  return part;
}

}  // namespace dubito
