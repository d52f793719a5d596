// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/paired_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <stdexcept>

#include "core/base/compensated_sum.h"
#include "core/io/join_runs.h"
#include "core/metrics/item_scores.h"
#include "core/metrics/percentile.h"

namespace dubito {
namespace {

/// Value of the first run minus that of the second, for items where both are finite; incomplete
/// after a cancel.
template <class Value>
std::vector<double> differencesOf(const Run& first, const Run& second,
                                  const std::vector<SharedRow>& rows, const Value& value,
                                  const RunContext& context) {
  constexpr std::size_t kCancelEvery = 4096;
  std::vector<double> differences;
  differences.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i % kCancelEvery == 0 && context.cancelRequested()) {
      break;
    }
    const SharedRow& pair = rows[i];
    const std::int64_t label = first.labels.data()[pair.first];
    const double difference = value(first, pair.first, label) - value(second, pair.second, label);
    if (std::isfinite(difference)) {
      differences.push_back(difference);
    }
  }
  return differences;
}

Interval normalInterval(std::span<const double> values, double mean, double coverage) {
  CompensatedSum squares;
  for (const double value : values) {
    squares.add((value - mean) * (value - mean));
  }
  const auto n = static_cast<double>(values.size());
  const double error = std::sqrt(squares.value() / (n - 1.0) / n);
  const double reach = error * normalQuantile(0.5 + 0.5 * coverage);
  return {mean - reach, mean + reach};
}

Expected<Interval> bootstrapInterval(std::span<const double> values,
                                     const BootstrapOptions& options, RunContext& context) {
  std::vector<double> means;
  std::mt19937_64 random(options.seed);
  const auto count = static_cast<std::uint64_t>(values.size());
  for (std::int64_t replicate = 0; replicate < options.replicates; ++replicate) {
    if (context.step("resampling", replicate, options.replicates) == Step::kCancel) {
      return cancelled();
    }
    double sum = 0.0;
    for (std::uint64_t i = 0; i < count; ++i) {
      // The high bits of the product are uniform over [0, count), up to 2^-64.
      const auto position =
          static_cast<std::size_t>((static_cast<unsigned __int128>(random()) * count) >> 64U);
      sum += values[position];
    }
    means.push_back(sum / static_cast<double>(count));
  }
  std::sort(means.begin(), means.end());
  const double tail = 0.5 * (1.0 - options.coverage);
  return Interval{percentileOfSorted(means, tail), percentileOfSorted(means, 1.0 - tail)};
}

}  // namespace

Expected<PairedComparison> pairedComparison(const Run& first, const Run& second,
                                            const BootstrapOptions& options, RunContext& context) {
  if (options.replicates < 1 || !(options.coverage > 0.0 && options.coverage < 1.0)) {
    throw std::invalid_argument("pairedComparison: needs replicates >= 1 and a coverage in (0, 1)");
  }
  auto joined = joinRuns({first, first.meta.dataset_name}, {second, second.meta.dataset_name});
  if (!joined) {
    return failWith(joined);
  }
  std::vector<SharedRow> rows = *std::move(joined);
  if (context.cancelRequested()) {
    return cancelled();
  }
  std::erase_if(rows, [&](const SharedRow& row) { return first.labels.data()[row.first] < 0; });
  if (rows.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} and {} share no labelled item; compare runs over the same items",
                            first.meta.dataset_name, second.meta.dataset_name));
  }
  PairedComparison comparison;
  comparison.items = static_cast<std::int64_t>(rows.size());
  comparison.by_bootstrap = comparison.items <= kMaxResampledItems;
  const auto add = [&](const char* metric, bool higher_is_better, const auto& value) -> Status {
    const std::vector<double> differences = differencesOf(first, second, rows, value, context);
    if (context.cancelRequested()) {
      return Status(cancelled());
    }
    if (differences.empty()) {
      return {};
    }
    PairedDifference difference{metric,
                                meanOf(differences),
                                {},
                                higher_is_better,
                                comparison.items - std::ssize(differences)};
    if (comparison.by_bootstrap) {
      const auto interval = bootstrapInterval(differences, options, context);
      if (!interval) {
        return failWith(interval);
      }
      difference.interval = *interval;
    } else {
      difference.interval = normalInterval(differences, difference.difference, options.coverage);
    }
    comparison.differences.push_back(std::move(difference));
    return {};
  };
  const auto right = [](const Run& run, std::int64_t row, std::int64_t label) {
    return run.predictions.data()[row] == label ? 1.0 : 0.0;
  };
  if (Status added = add("accuracy", true, right); !added) {
    return failWith(added);
  }
  if (first.probs && second.probs && first.classCount() == second.classCount()) {
    const ItemNll nll_of_first(first);
    const ItemNll nll_of_second(second);
    const auto nllOf = [&](const Run& run, std::int64_t row, std::int64_t label) {
      return &run == &first ? nll_of_first(row, label) : nll_of_second(row, label);
    };
    if (Status added = add("nll", false, nllOf); !added) {
      return failWith(added);
    }
    if (Status added = add("brier", false, brierOfItem); !added) {
      return failWith(added);
    }
  }
  return comparison;
}

}  // namespace dubito
