// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/labels.h"

#include <fmt/format.h>

#include <algorithm>

namespace dubito {
namespace {

/// Class numbers from rows with a single 1 among zeros.
Expected<Array<std::int64_t>> fromOneHot(const RawPredictions& raw) {
  const Array<double> rows = toDouble(*raw.labels);
  Array<std::int64_t> labels = Array<std::int64_t>::zeros({rows.extent(0)});
  for (std::int64_t i = 0; i < rows.extent(0); ++i) {
    const auto row = rows.row(i);
    const auto one = std::ranges::find(row, 1.0);
    const auto others = std::ranges::count(row, 0.0);
    if (one == row.end() || others + 1 != static_cast<std::int64_t>(row.size())) {
      return fail(
          ErrorCode::kMalformed,
          fmt::format("{}: {} of {} is not one-hot (a single 1 among zeros); give one class "
                      "number per item",
                      raw.path, rowName(i, raw.lines), raw.labels_name));
    }
    labels.mutableData()[i] = one - row.begin();
  }
  return labels;
}

/// Error for a label that is not a class.
tl::unexpected<Error> outOfRange(const RawPredictions& raw, const Array<std::int64_t>& labels,
                                 std::int64_t row, std::int64_t k) {
  const auto [low, high] = std::ranges::minmax_element(labels.values());
  const char* const remedy = *low == 1 && *high == k
                                 ? "they seem to count from 1: subtract 1"
                                 : "correct it, or write -1 if the class is unknown";
  return fail(ErrorCode::kMalformed,
              fmt::format("{}: {} has the label {}, but the {} classes are 0 to {}; {}", raw.path,
                          rowName(row, raw.lines), labels.data()[row], k, k - 1, remedy));
}

}  // namespace

Expected<Array<std::int64_t>> readLabels(RawPredictions& raw, std::int64_t n, std::int64_t k) {
  if (!raw.labels) {
    raw.notes.emplace_back("no labels: metrics that need labels are not computed");
    return Array<std::int64_t>::fromVector(
        std::vector<std::int64_t>(static_cast<std::size_t>(n), -1));
  }
  const std::vector<std::int64_t> shape = shapeOf(*raw.labels);
  const bool column = shape.size() == 1 || (shape.size() == 2 && shape[1] == 1);
  const bool one_hot = shape.size() == 2 && shape[1] == k && k > 1;
  if ((!column && !one_hot) || shape[0] != n) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: {} has the shape {}, which does not fit {} items of {} classes; "
                            "give one class number per item",
                            raw.path, raw.labels_name, shapeText(shape), n, k));
  }
  const Expected<Array<std::int64_t>> read =
      one_hot ? fromOneHot(raw) : toInt64(*raw.labels, raw.path + ": " + raw.labels_name);
  if (!read) {
    return failWith(read);
  }
  const Array<std::int64_t> labels = read->reshaped({n});
  const auto values = labels.values();
  const auto bad = std::ranges::find_if(values, [k](std::int64_t y) { return y < -1 || y >= k; });
  if (bad != values.end()) {
    return outOfRange(raw, labels, bad - values.begin(), k);
  }
  if (const auto unknown = std::ranges::count(values, -1); unknown > 0) {
    raw.notes.push_back(fmt::format("{} of {} items have no label (-1)", unknown, n));
  }
  return labels;
}

}  // namespace dubito
