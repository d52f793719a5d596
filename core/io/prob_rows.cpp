// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/prob_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include "core/io/run_check.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

/// Sums of normalised float32 rows differ from 1 by a few 1e-7; such rows stay unchanged.
constexpr double kRoundingTolerance = 1e-6;
constexpr std::int64_t kRowsPerTask = 4096;

template <class T>
double sumOf(std::span<const T> row) {
  return std::accumulate(row.begin(), row.end(), 0.0);
}

/// Findings about the rows of a file.
struct RowSurvey {
  std::int64_t first_bad = 0;  ///< N if there is none
  std::int64_t rescaled = 0;
  double largest_deviation = 0.0;
};

template <class T>
bool isSound(std::span<const T> row, double sum) {
  // Comparisons with NaN are false.
  return std::ranges::all_of(row, [](T p) { return p >= T{0}; }) &&
         std::abs(sum - 1.0) <= kRowSumTolerance;
}

template <class T>
RowSurvey survey(const Array<T>& probs, const RunContext& context) {
  RowSurvey all{probs.extent(0)};
  std::mutex mutex;
  context.parallelFor(probs.extent(0), kRowsPerTask, [&](std::int64_t begin, std::int64_t end) {
    RowSurvey part{probs.extent(0)};
    for (std::int64_t i = begin; i < end; ++i) {
      const double sum = sumOf(probs.row(i));
      if (!isSound(probs.row(i), sum)) {
        part.first_bad = i;
        break;
      }
      part.rescaled += std::abs(sum - 1.0) > kRoundingTolerance ? 1 : 0;
      part.largest_deviation = std::max(part.largest_deviation, std::abs(sum - 1.0));
    }
    const std::lock_guard lock(mutex);
    all.first_bad = std::min(all.first_bad, part.first_bad);
    all.rescaled += part.rescaled;
    all.largest_deviation = std::max(all.largest_deviation, part.largest_deviation);
  });
  return all;
}

/// What is wrong with an invalid row of probabilities, and what to do.
template <class T>
std::string complaint(std::span<const T> row) {
  if (const auto bad = std::ranges::find_if_not(row, [](T p) { return std::isfinite(p); });
      bad != row.end()) {
    return fmt::format("contains {}; remove the item or recompute it", *bad);
  }
  const auto [low, high] = std::ranges::minmax(row);
  if (low < T{0} || static_cast<double>(high) > 1.0 + kRowSumTolerance) {
    return fmt::format(
        "contains {}, which is not a probability; if these are logits, name them 'logits' (columns "
        "'logit_...') so that softmax is applied",
        low < T{0} ? low : high);
  }
  return fmt::format(
      "sums to {:.6g}, not to 1 within {}; give the probabilities of all classes, or logits under "
      "the name 'logits'",
      sumOf(row), kRowSumTolerance);
}

template <class T>
Expected<Array<T>> makeSound(const Array<T>& probs, RawPredictions& raw, RunContext& context) {
  const std::int64_t n = probs.extent(0);
  if (context.step("checking rows", 0, n) == Step::kCancel) {
    return cancelled();
  }
  const RowSurvey rows = survey(probs, context);
  if (rows.first_bad < n) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: {} of {} {}", raw.path, rowName(rows.first_bad, raw.lines),
                            raw.scores_name, complaint(probs.row(rows.first_bad))));
  }
  if (rows.rescaled == 0) {
    return probs;
  }
  raw.notes.push_back(
      fmt::format("{} of {} rows were rescaled to sum to 1 (they differed by up to {:.2g})",
                  rows.rescaled, n, rows.largest_deviation));
  Array<T> scaled = Array<T>::zeros(probs.shape());
  context.parallelFor(n, kRowsPerTask, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const double sum = sumOf(probs.row(i));
      const double divisor = std::abs(sum - 1.0) > kRoundingTolerance ? sum : 1.0;
      std::ranges::transform(probs.row(i), scaled.mutableRow(i).begin(), [divisor](T p) {
        return static_cast<T>(static_cast<double>(p) / divisor);
      });
    }
  });
  return scaled;
}

template <class T>
Expected<Array<T>> applySoftmax(const Array<T>& logits, RawPredictions& raw, RunContext& context) {
  const std::int64_t n = logits.extent(0);
  if (context.step("softmax", 0, n) == Step::kCancel) {
    return cancelled();
  }
  const auto values = logits.values();
  // Minus infinity is the logit of a masked class.
  const auto bad = std::ranges::find_if(
      values, [](T z) { return std::isnan(z) || z == std::numeric_limits<T>::infinity(); });
  if (bad != values.end()) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: {} of {} contains {}; remove the item or recompute it", raw.path,
                            rowName((bad - values.begin()) / logits.extent(1), raw.lines),
                            raw.scores_name, *bad));
  }
  for (std::int64_t i = 0; i < n; ++i) {
    if (std::ranges::all_of(logits.row(i), [](T z) { return std::isinf(z); })) {
      return fail(ErrorCode::kMalformed,
                  fmt::format("{}: {} of {} has minus infinity for every class; remove the item "
                              "or recompute it",
                              raw.path, rowName(i, raw.lines), raw.scores_name));
    }
  }
  raw.notes.push_back(raw.scores_name + " are logits: the probabilities are their softmax");
  Array<T> probs = Array<T>::zeros(logits.shape());
  context.parallelFor(n, kRowsPerTask, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      std::ranges::transform(softmax(logits.row(i)), probs.mutableRow(i).begin(),
                             [](double p) { return static_cast<T>(p); });
    }
  });
  return probs;
}

}  // namespace

Expected<Array<float>> validProbs(const Array<float>& probs, RawPredictions& raw,
                                  RunContext& context) {
  return makeSound(probs, raw, context);
}

Expected<Array<double>> validProbs(const Array<double>& probs, RawPredictions& raw,
                                   RunContext& context) {
  return makeSound(probs, raw, context);
}

Expected<Array<float>> probsFromLogits(const Array<float>& logits, RawPredictions& raw,
                                       RunContext& context) {
  return applySoftmax(logits, raw, context);
}

Expected<Array<double>> probsFromLogits(const Array<double>& logits, RawPredictions& raw,
                                        RunContext& context) {
  return applySoftmax(logits, raw, context);
}

}  // namespace dubito
