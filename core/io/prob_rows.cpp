// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/prob_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

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
bool isSound(std::span<const T> row, double sum, const FoundForm& form) {
  // Comparisons with NaN are false.
  return std::ranges::all_of(row, [](T p) { return p >= T{0}; }) && sum > 0.0 &&
         std::abs(sum - form.total) <= form.tolerance.tolerance * (1.0 + 1e-9);
}

template <class T>
RowSurvey survey(const Array<T>& probs, const FoundForm& form, const RunContext& context) {
  RowSurvey all{probs.extent(0)};
  std::mutex mutex;
  context.parallelFor(probs.extent(0), kRowsPerTask, [&](std::int64_t begin, std::int64_t end) {
    RowSurvey part{probs.extent(0)};
    for (std::int64_t i = begin; i < end; ++i) {
      const double sum = sumOf(probs.row(i));
      if (!isSound(probs.row(i), sum, form)) {
        part.first_bad = i;
        break;
      }
      const double deviation = std::abs(sum / form.total - 1.0);
      part.rescaled += deviation > kRoundingTolerance ? 1 : 0;
      part.largest_deviation = std::max(part.largest_deviation, deviation);
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
std::string complaint(std::span<const T> row, const FoundForm& form) {
  if (const auto bad = std::ranges::find_if_not(row, [](T p) { return std::isfinite(p); });
      bad != row.end()) {
    return fmt::format("contains {}; remove the item or recompute it", *bad);
  }
  const auto [low, high] = std::ranges::minmax(row);
  const double tolerance = form.tolerance.tolerance;
  if (low < T{0} || static_cast<double>(high) > form.total + tolerance) {
    return fmt::format(
        "contains {}, which is not a probability; if these are logits, name them 'logits' (columns "
        "'logit_...') so that softmax is applied",
        low < T{0} ? low : high);
  }
  const double sum = sumOf(row);
  const std::string rounding = form.tolerance.describe();
  return fmt::format(
      "sums to {:.6g}, which differs from 1 by {:.3g}, more than {:.3g}{}; give the probabilities "
      "of all classes, or logits under the name 'logits'",
      sum, std::abs(sum - form.total), tolerance,
      rounding.empty() ? "" : fmt::format(" (its numbers are {})", rounding));
}

template <class T>
Expected<Array<T>> makeSound(const Array<T>& probs, const FoundForm& form, RawPredictions& raw,
                             RunContext& context) {
  const std::int64_t n = probs.extent(0);
  if (context.step("checking rows", 0, n) == Step::kCancel) {
    return cancelled();
  }
  const RowSurvey rows = survey(probs, form, context);
  if (rows.first_bad < n) {
    return raw.file.malformed(fmt::format("{} of {} {}", raw.file.nameOf(rows.first_bad),
                                          raw.scores_name,
                                          complaint(probs.row(rows.first_bad), form)));
  }
  if (rows.rescaled == 0 && form.total == 1.0) {
    return probs;
  }
  if (rows.rescaled > 0) {
    const std::string rounding = form.tolerance.describe();
    raw.notes.push_back(fmt::format(
        "{} of {} rows were rescaled to sum to 1 (they differed by up to {:.2g}{})", rows.rescaled,
        n, rows.largest_deviation,
        rounding.empty()
            ? ""
            : fmt::format("; the numbers are {}, so the sum of {} may be off by {:.2g}", rounding,
                          probs.extent(1), form.tolerance.tolerance / form.total)));
  }
  Array<T> scaled = Array<T>::zeros(probs.shape());
  context.parallelFor(n, kRowsPerTask, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const double sum = sumOf(probs.row(i));
      const bool off = std::abs(sum / form.total - 1.0) > kRoundingTolerance;
      const double divisor = off ? sum : form.total;
      std::ranges::transform(probs.row(i), scaled.mutableRow(i).begin(), [divisor](T p) {
        return static_cast<T>(static_cast<double>(p) / divisor);
      });
    }
  });
  return scaled;
}

template <class T>
Expected<Array<T>> applySoftmax(const Array<T>& logits, const FoundForm& form, RawPredictions& raw,
                                RunContext& context) {
  const std::int64_t n = logits.extent(0);
  if (context.step("softmax", 0, n) == Step::kCancel) {
    return cancelled();
  }
  const auto values = logits.values();
  // Minus infinity is the logit of a masked class.
  const auto bad = std::ranges::find_if(
      values, [](T z) { return std::isnan(z) || z == std::numeric_limits<T>::infinity(); });
  if (bad != values.end()) {
    return raw.file.malformed(fmt::format(
        "{} of {} contains {}; remove the item or recompute it",
        raw.file.nameOf((bad - values.begin()) / logits.extent(1)), raw.scores_name, *bad));
  }
  for (std::int64_t i = 0; i < n; ++i) {
    if (std::ranges::all_of(logits.row(i), [](T z) { return std::isinf(z); })) {
      return raw.file.malformed(
          fmt::format("{} of {} has minus infinity for every class; remove the item or recompute "
                      "it",
                      raw.file.nameOf(i), raw.scores_name));
    }
  }
  if (form.form == ScoreForm::kLogits) {
    raw.notes.push_back(raw.scores_name + " are logits: the probabilities are their softmax");
  }
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

Expected<Array<float>> validProbs(const Array<float>& probs, const FoundForm& form,
                                  RawPredictions& raw, RunContext& context) {
  return makeSound(probs, form, raw, context);
}

Expected<Array<double>> validProbs(const Array<double>& probs, const FoundForm& form,
                                   RawPredictions& raw, RunContext& context) {
  return makeSound(probs, form, raw, context);
}

Expected<Array<float>> probsFromLogits(const Array<float>& logits, const FoundForm& form,
                                       RawPredictions& raw, RunContext& context) {
  return applySoftmax(logits, form, raw, context);
}

Expected<Array<double>> probsFromLogits(const Array<double>& logits, const FoundForm& form,
                                        RawPredictions& raw, RunContext& context) {
  return applySoftmax(logits, form, raw, context);
}

}  // namespace dubito
