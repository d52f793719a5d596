// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/run_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "core/io/any_array.h"
#include "core/io/run_needs.h"
#include "core/io/run_schema.h"

namespace dubito {
namespace {

constexpr std::int64_t kMaxProbsChecked = std::int64_t{1} << 25;
constexpr std::int64_t kCheckedPerTask = 16384;

/// Whether a row is a distribution with its largest entry at `predicted`. Ties are accepted:
/// entries that differed in double may be equal as stored.
template <class T>
bool rowIsSound(std::span<const T> row, std::int64_t predicted, double confidence) {
  const T largest = row[static_cast<std::size_t>(predicted)];
  double sum = 0.0;
  bool sound = true;
  for (std::size_t k = 0; k < row.size(); ++k) {
    // Comparisons with NaN are false, so NaN fails.
    sound &= row[k] >= T{0} && row[k] <= largest;
    sum += static_cast<double>(row[k]);
  }
  return sound && std::abs(sum - 1.0) <= kRowSumTolerance &&
         std::abs(confidence - static_cast<double>(largest)) <= kRowSumTolerance;
}

/// First invalid row (among the rows or a sample of them), or N.
template <class T>
std::int64_t firstUnsoundRow(const Array<T>& probs, const Run& run, const RunContext& context) {
  const std::int64_t n = probs.extent(0);
  const std::int64_t stride = probs.size() / kMaxProbsChecked + 1;
  std::atomic<std::int64_t> first{n};
  context.parallelFor(
      (n + stride - 1) / stride, kCheckedPerTask, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t j = begin; j < end; ++j) {
          const std::int64_t i = j * stride;
          if (!rowIsSound(probs.row(i), run.predictions.data()[i], run.confidence.data()[i])) {
            std::int64_t seen = first.load();
            while (i < seen && !first.compare_exchange_weak(seen, i)) {
            }
            return;
          }
        }
      });
  return first;
}

/// Bounds of the values of an array.
struct Bounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool may_be_nan = false;
  /// End of the message about a value out of bounds: behind the value for arrays of one axis
  /// (", which is not a class"), behind the key for tables ("is not finite").
  const char* violation = "";
};

/// Absent if any values are accepted, or if they are checked by row.
std::optional<Bounds> boundsOf(const RunArrayInfo& info, const Run& run) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  constexpr double kLargestFloat = std::numeric_limits<float>::max();
  const auto last_class = static_cast<double>(run.probs ? run.classCount() - 1 : kMaxClassNumber);
  switch (info.values) {
    case RunValues::kClass:
      return Bounds{0.0, last_class, false, ", which is not a class"};
    case RunValues::kClassOrNone:
      return Bounds{-1.0, last_class, false, ", which is not a class"};
    case RunValues::kConfidence:
      return Bounds{0.0, 1.0 + kRowSumTolerance, !run.probs && run.meta.method == kLabelsMethod,
                    ", not in [0, 1]"};
    case RunValues::kNotNegative:
      return Bounds{-kRowSumTolerance, kLargest};
    case RunValues::kLogShare:
      return Bounds{-std::numeric_limits<double>::infinity(), kRowSumTolerance, false,
                    ", not the logarithm of a probability"};
    case RunValues::kDifference:
      return Bounds{0.0, 1.0 + kRowSumTolerance, true, ", not a difference of probabilities"};
    case RunValues::kFinite:
      return Bounds{-kLargestFloat, kLargestFloat, false, "is not finite"};
    case RunValues::kVariance:
      return Bounds{0.0, kLargestFloat, false, "has invalid variances"};
    case RunValues::kConcentration:
      return Bounds{std::numeric_limits<double>::denorm_min(), kLargest, false,
                    "is not finite and positive"};
    case RunValues::kAny:
    case RunValues::kUnique:
    case RunValues::kDistribution:
      break;
  }
  return std::nullopt;
}

/// Describes the first of `values` that violates `bounds`; of a large table, among a sample of the
/// rows.
template <class T>
std::optional<std::string> violation(const RunArrayInfo& info, const Array<T>& values,
                                     const Bounds& bounds) {
  const auto is_allowed = [&bounds](T value) {
    const auto number = static_cast<double>(value);
    return (number >= bounds.low && number <= bounds.high) ||
           (bounds.may_be_nan && std::isnan(number));
  };
  if (info.axes.rank() == 1) {
    const auto wrong = std::ranges::find_if_not(values.values(), is_allowed);
    return wrong == values.values().end()
               ? std::nullopt
               : std::optional(fmt::format("{} of row {} is {}{}",
                                           info.value_name != nullptr ? info.value_name : info.key,
                                           wrong - values.values().begin(), *wrong,
                                           bounds.violation));
  }
  const std::int64_t stride = values.size() / kMaxProbsChecked + 1;
  for (std::int64_t i = 0; i < values.extent(0); i += stride) {
    if (!std::ranges::all_of(values.row(i), is_allowed)) {
      return fmt::format("row {} of {} {}", i, info.key, bounds.violation);
    }
  }
  return std::nullopt;
}

/// First row (among the rows or a sample of them) of the draws [T, N, K] that is not a
/// distribution.
struct DrawRow {
  std::int64_t draw = 0;
  std::int64_t item = 0;
};

std::optional<DrawRow> unsoundDraw(const Array<float>& samples, const RunContext& context) {
  const std::int64_t n = samples.extent(1);
  const std::int64_t k = samples.extent(2);
  const std::int64_t rows = samples.extent(0) * n;
  const std::int64_t stride = samples.size() / kMaxProbsChecked + 1;
  std::atomic<std::int64_t> first{rows};
  context.parallelFor(
      (rows + stride - 1) / stride, kCheckedPerTask, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t j = begin; j < end; ++j) {
          const std::span<const float> row(samples.data() + j * stride * k,
                                           static_cast<std::size_t>(k));
          double sum = 0.0;
          bool sound = true;
          for (const float p : row) {
            sound &= p >= 0.0F;  // false for NaN
            sum += static_cast<double>(p);
          }
          if (!sound || !(std::abs(sum - 1.0) <= kRowSumTolerance)) {
            std::int64_t seen = first.load();
            while (j * stride < seen && !first.compare_exchange_weak(seen, j * stride)) {
            }
            return;
          }
        }
      });
  return first < rows ? std::optional(DrawRow{first / n, first % n}) : std::nullopt;
}

/// The shape that the array must have in `run`, with as many draws as it has itself. `shape` is the
/// one that it has, of the right rank.
std::vector<std::int64_t> expectedShape(const RunArrayInfo& info,
                                        const std::vector<std::int64_t>& shape, const Run& run) {
  std::vector<std::int64_t> expected;
  for (const RunAxis axis : info.axes) {
    const std::int64_t found = shape[expected.size()];
    expected.push_back(axis == RunAxis::kItem    ? run.itemCount()
                       : axis == RunAxis::kClass ? run.classCount()
                       : axis == RunAxis::kDraw  ? std::max<std::int64_t>(1, found)
                                                 : found);
  }
  return expected;
}

bool contains(const Run& run, std::string_view key) {
  bool found = false;
  forEachArrayOf(run, [&](const RunArrayInfo& info, const auto&) { found |= info.key == key; });
  return found;
}

}  // namespace

std::optional<std::int64_t> findDuplicate(std::span<const std::int64_t> values) {
  if (std::ranges::is_sorted(values, std::less_equal<>())) {  // strictly increasing
    return std::nullopt;
  }
  std::vector<std::int64_t> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice == sorted.end()) {
    return std::nullopt;
  }
  const auto last = std::find(values.rbegin(), values.rend(), *twice);
  return values.rend() - last - 1;
}

std::optional<std::string> shapeConflict(const Run& run) {
  if (run.ids.rank() != 1 || run.itemCount() == 0) {
    return "there are no items";
  }
  const bool is_table =
      !run.probs || std::visit([](const auto& probs) { return probs.rank() == 2; }, *run.probs);
  const std::int64_t classes = is_table ? run.classCount() : 0;
  std::optional<std::string> conflict;
  forEachArrayOf(run, [&](const RunArrayInfo& info, const auto& values) {
    const std::vector<std::int64_t>& shape = values.shape();
    if (conflict) {
      return;
    }
    if (!is_table || shape.size() != info.axes.rank() ||
        (info.axes.contains(RunAxis::kClass) && classes == 0) ||
        shape != expectedShape(info, shape, run)) {
      conflict = fmt::format("{} has the shape {}, which does not fit {} items of {} classes",
                             info.key, shapeText(shape), run.itemCount(), classes);
    } else if (info.partner != nullptr && !contains(run, info.partner)) {
      conflict = fmt::format("{} is present without {}", info.key, info.partner);
    }
  });
  const auto names = static_cast<std::int64_t>(run.meta.class_names.size());
  if (!conflict && run.probs && names != 0 && names != classes) {
    conflict = fmt::format("there are {} class names for {} classes", names, classes);
  }
  return conflict;
}

Status checkRunContents(const Run& run, const std::string& path, RunContext& context) {
  const auto malformed = [&](const std::string& reason) {
    return fail(ErrorCode::kMalformed, fmt::format("{}: {}; recompute the run", path, reason));
  };
  std::optional<std::string> wrong;
  forEachArrayOf(run, [&](const RunArrayInfo& info, const auto& values) {
    if (const auto bounds = wrong ? std::nullopt : boundsOf(info, run)) {
      wrong = violation(info, values, *bounds);
    }
  });
  if (wrong) {
    return malformed(*wrong);
  }
  if (const auto twice = findDuplicate(run.ids.values())) {
    return malformed(
        fmt::format("the id of row {}, {}, appears twice", *twice, run.ids.data()[*twice]));
  }
  if (run.probs) {
    const std::int64_t unsound = std::visit(
        [&](const auto& probs) { return firstUnsoundRow(probs, run, context); }, *run.probs);
    if (unsound < run.itemCount()) {
      return malformed(fmt::format(
          "row {} of probs is not a distribution, or does not match the prediction and confidence",
          unsound));
    }
  }
  if (run.samples) {
    if (const auto draw = unsoundDraw(*run.samples, context)) {
      return malformed(fmt::format("row {} of draw {} in samples is not a distribution", draw->item,
                                   draw->draw));
    }
  }
  return {};
}

}  // namespace dubito
