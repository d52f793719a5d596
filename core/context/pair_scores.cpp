// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/pair_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/compensated_sum.h"

namespace dubito {
namespace {

/// Largest difference between logarithms of factors.
constexpr double kMaxLogRange = 600.0;

bool countsSameClass(const Array<double>& counts) {
  for (std::int64_t k = 0; k < counts.extent(0); ++k) {
    if (counts.row(k)[static_cast<std::size_t>(k)] > 0.0) {
      return true;
    }
  }
  return false;
}

}  // namespace

double PairScores::range() const {
  const auto [low, high] = std::ranges::minmax(scores.values());
  return high - low;
}

double PairScores::maxWeight() const {
  const double spread = range();
  return spread > 0.0 ? kMaxLogRange / spread : std::numeric_limits<double>::infinity();
}

Expected<PairScores> pairScores(const Cooccurrence& cooccurrence, const ContextOptions& options) {
  if (Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  const Array<double>& counts = cooccurrence.counts;
  const auto classes = static_cast<std::size_t>(counts.extent(0));
  PairScores result{.scores = Array<double>::zeros(counts.shape())};
  const bool seen_same = countsSameClass(counts);
  result.same_class_counted = options.same_class == "counted" ||
                              (options.same_class == "auto" && (seen_same || classes == 1));
  if (options.same_class == "auto" && !result.same_class_counted) {
    result.notes.push_back(fmt::format(
        "{} counts no pair of one class: two objects of one class neither support nor contradict "
        "each other",
        cooccurrence.source));
  }
  const auto counted = [&](std::size_t a, std::size_t b) {
    return result.same_class_counted || a != b;
  };
  CompensatedSum total;
  std::vector<double> marginal(classes);
  for (std::size_t a = 0; a < classes; ++a) {
    CompensatedSum row;
    for (std::size_t b = 0; b < classes; ++b) {
      if (!counted(a, b)) {
        continue;
      }
      const double count = counts.row(static_cast<std::int64_t>(a))[b] + options.smoothing;
      if (!(count > 0.0)) {
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("{}: some pairs of classes have the count 0, which would rule them "
                                "out for ever; give a smoothing above 0",
                                cooccurrence.source),
                    {setting("smoothing")});
      }
      row.add(count);
    }
    marginal[a] = row.value();
    total.add(row.value());
  }
  for (std::size_t a = 0; a < classes; ++a) {
    const std::span<double> scores = result.scores.mutableRow(static_cast<std::int64_t>(a));
    for (std::size_t b = 0; b < classes; ++b) {
      const double independent =
          std::log(marginal[a] / total.value()) + std::log(marginal[b] / total.value());
      const double joint =
          counted(a, b)
              ? std::log((counts.row(static_cast<std::int64_t>(a))[b] + options.smoothing) /
                         total.value())
              : independent;
      scores[b] = options.measure == "pmi" ? joint - independent : joint;
    }
  }
  return result;
}

Expected<PairFactors> PairFactors::create(const PairScores& scores, double weight) {
  if (!(weight >= 0.0) || weight > scores.maxWeight()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("weight {:.6g} makes the factors of pairs differ by more than e^{}; "
                            "choose a weight from 0 to {:.6g}",
                            weight, kMaxLogRange, scores.maxWeight()));
  }
  PairFactors result;
  result.logs_ = Array<double>::zeros(scores.scores.shape());
  result.factors_ = Array<double>::zeros(scores.scores.shape());
  result.log_range_ = weight * scores.range();
  result.shift_ = weight * std::ranges::max(scores.scores.values());
  for (std::int64_t i = 0; i < scores.scores.size(); ++i) {
    const double log = weight * scores.scores.data()[i] - result.shift_;
    result.logs_.mutableData()[i] = log;
    result.factors_.mutableData()[i] = std::exp(log);
  }
  return result;
}

}  // namespace dubito
