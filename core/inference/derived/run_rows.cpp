// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inference/derived/run_rows.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "core/kernels/philox.h"

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

template <class T>
std::optional<Array<T>> rowsOf(const std::optional<Array<T>>& values,
                               std::span<const std::int64_t> rows, const RunContext& context) {
  return values ? std::optional(rowsOf(*values, rows, context)) : std::nullopt;
}

/// Selects the items `rows` of samples [T, N, K].
Array<float> itemsOf(const Array<float>& samples, std::span<const std::int64_t> rows,
                     const RunContext& context) {
  const std::int64_t draws = samples.extent(0);
  const std::int64_t items = samples.extent(1);
  const std::int64_t classes = samples.extent(2);
  const auto count = static_cast<std::int64_t>(rows.size());
  Array<float> chosen = Array<float>::zeros({draws, count, classes});
  for (std::int64_t t = 0; t < draws; ++t) {
    const Array<float> draw = samples.slice(t, t + 1).reshaped({items, classes});
    const Array<float> of_draw = rowsOf(draw, rows, context);
    std::ranges::copy(of_draw.values(), chosen.mutableRow(t).begin());
  }
  return chosen;
}

}  // namespace

std::vector<std::int64_t> keyedRows(std::span<const std::int64_t> ids, std::int64_t max_rows) {
  std::vector<std::int64_t> rows(ids.size());
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  if (static_cast<std::int64_t>(ids.size()) <= max_rows) {
    return rows;
  }
  std::vector<std::pair<std::uint64_t, std::int64_t>> keys;
  keys.reserve(ids.size());
  for (const std::int64_t row : rows) {
    keys.emplace_back(splitmix64(static_cast<std::uint64_t>(ids[static_cast<std::size_t>(row)])),
                      row);
  }
  std::nth_element(keys.begin(), keys.begin() + max_rows, keys.end());
  rows.resize(static_cast<std::size_t>(max_rows));
  std::transform(keys.begin(), keys.begin() + max_rows, rows.begin(),
                 [](const auto& key) { return key.second; });
  std::ranges::sort(rows);
  return rows;
}

Run rowsOfRun(const Run& run, std::span<const std::int64_t> rows, const RunContext& context) {
  Run part;
  part.meta = run.meta;
  for (auto& [to, from] : {std::pair{&part.probs, &run.probs}, {&part.logits, &run.logits}}) {
    if (*from) {
      *to = std::visit([&](const auto& table) { return RealArray(rowsOf(table, rows, context)); },
                       **from);
    }
  }
  part.labels = rowsOf(run.labels, rows, context);
  part.ids = rowsOf(run.ids, rows, context);
  part.predictions = rowsOf(run.predictions, rows, context);
  part.confidence = rowsOf(run.confidence, rows, context);
  part.log_rest = rowsOf(run.log_rest, rows, context);
  part.entropy = rowsOf(run.entropy, rows, context);
  part.expected_entropy = rowsOf(run.expected_entropy, rows, context);
  part.mutual_information = rowsOf(run.mutual_information, rows, context);
  part.variation_ratio = rowsOf(run.variation_ratio, rows, context);
  part.variance = rowsOf(run.variance, rows, context);
  part.logit_mean = rowsOf(run.logit_mean, rows, context);
  part.logit_var = rowsOf(run.logit_var, rows, context);
  part.alpha = rowsOf(run.alpha, rows, context);
  part.gauge_bridge = rowsOf(run.gauge_bridge, rows, context);
  part.gauge_probit = rowsOf(run.gauge_probit, rows, context);
  part.gauge_divergence = rowsOf(run.gauge_divergence, rows, context);
  if (run.samples) {
    part.samples = itemsOf(*run.samples, rows, context);
  }
  return part;
}

}  // namespace dubito
