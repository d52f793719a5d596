// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/compensated_sum.h"
#include "core/base/run_context.h"
#include "core/metrics/quotient_sum.h"
#include "core/metrics/ranking.h"
#include "core/metrics/sorted_scores.h"

namespace dubito {

/// Sorted scores of the positives and the negatives, each in any number of lists. The lists must
/// outlive this object.
struct RankedGroups {
  std::vector<const SortedScores*> positives;
  std::vector<const SortedScores*> negatives;

  [[nodiscard]] std::size_t positiveCount() const { return countOf(positives); }
  [[nodiscard]] std::size_t negativeCount() const { return countOf(negatives); }

 private:
  static std::size_t countOf(const std::vector<const SortedScores*>& lists) {
    std::size_t count = 0;
    for (const SortedScores* const list : lists) {
      count += list->size();
    }
    return count;
  }
};

/// A position in one list of sorted scores.
class RankCursor {
 public:
  RankCursor(const SortedScores& list, RankOrder order, bool is_positive)
      : data_(list.keys().data()),
        at_(order == RankOrder::kLowFirst ? 0 : static_cast<std::ptrdiff_t>(list.size()) - 1),
        step_(order == RankOrder::kLowFirst ? 1 : -1),
        left_(static_cast<std::int64_t>(list.size())),
        is_positive_(is_positive) {}

  [[nodiscard]] bool done() const { return left_ == 0; }
  [[nodiscard]] bool isPositive() const { return is_positive_; }
  [[nodiscard]] std::uint64_t key() const { return data_[at_]; }
  /// Advances past all scores equal to `key` and returns their number.
  std::int64_t pass(std::uint64_t key) {
    // The first comparison is branch-free, because it is unpredictable which of two lists is next.
    std::int64_t count = data_[at_] == key ? 1 : 0;
    at_ += step_ * count;
    left_ -= count;
    while (count > 0 && left_ > 0 && data_[at_] == key) {
      at_ += step_;
      --left_;
      ++count;
    }
    return count;
  }

 private:
  const std::uint64_t* data_;
  std::ptrdiff_t at_;
  std::ptrdiff_t step_;
  std::int64_t left_;
  bool is_positive_;
};

/// Calls visit(score, positives, negatives) for each distinct score in the given order, with the
/// numbers of positives and negatives that have this score. Stops if the context is cancelled.
template <class Visit>
void walkRanks(const RankedGroups& groups, RankOrder order, const RunContext& context,
               const Visit& visit) {
  std::vector<RankCursor> cursors;
  for (const bool is_positive : {true, false}) {
    for (const SortedScores* const list : is_positive ? groups.positives : groups.negatives) {
      if (!list->empty()) {
        cursors.emplace_back(*list, order, is_positive);
      }
    }
  }
  const bool low_first = order == RankOrder::kLowFirst;
  const auto earlier = [low_first](std::uint64_t a, std::uint64_t b) {
    return low_first ? std::min(a, b) : std::max(a, b);
  };
  constexpr std::int64_t kGroupsBetweenChecks = 1 << 16;
  std::int64_t visited = 0;
  const auto keepGoing = [&] {
    return ++visited % kGroupsBetweenChecks != 0 || !context.cancelRequested();
  };
  // The most frequent case: one list of positives and one of negatives.
  if (cursors.size() == 2 && cursors[0].isPositive() != cursors[1].isPositive()) {
    RankCursor positive = cursors[0];
    RankCursor negative = cursors[1];
    while (!positive.done() && !negative.done() && keepGoing()) {
      const std::uint64_t next = earlier(positive.key(), negative.key());
      const std::int64_t positives = positive.pass(next);
      const std::int64_t negatives = negative.pass(next);
      visit(SortedScores::scoreOf(next), positives, negatives);
    }
    cursors = {positive, negative};
  }
  std::erase_if(cursors, [](const RankCursor& cursor) { return cursor.done(); });
  while (!cursors.empty() && keepGoing()) {
    std::uint64_t next = cursors.front().key();
    for (const RankCursor& cursor : cursors) {
      next = earlier(next, cursor.key());
    }
    std::array<std::int64_t, 2> passed{};
    bool any_done = false;
    for (RankCursor& cursor : cursors) {
      passed[cursor.isPositive() ? 0 : 1] += cursor.pass(next);
      any_done |= cursor.done();
    }
    if (any_done) {
      std::erase_if(cursors, [](const RankCursor& cursor) { return cursor.done(); });
    }
    visit(SortedScores::scoreOf(next), passed[0], passed[1]);
  }
}

/// Computes the areas under the ROC and precision-recall curves from the counts at or above each
/// threshold, highest threshold first.
class RankSums {
 public:
  /// `positives` and `negatives` are the total counts, or sums of weights; `true_positives` and
  /// `false_positives` those before the first threshold that is added.
  RankSums(double positives, double negatives, double true_positives = 0.0,
           double false_positives = 0.0)
      : positives_(positives),
        negatives_(negatives),
        true_positives_(true_positives),
        false_positives_(false_positives) {}

  void add(double true_positives, double false_positives) {
    // No branch on which of the two grew: it is unpredictable, and adding 0 is exact. Correctly
    // ranked pairs for the negatives of each threshold: positives above win, ties win half.
    pairs_.add((false_positives - false_positives_) * 0.5 * (true_positives_ + true_positives));
    if (true_positives + false_positives > 0.0) {
      precision_.add((true_positives - true_positives_) * true_positives,
                     true_positives + false_positives);
    }
    true_positives_ = true_positives;
    false_positives_ = false_positives;
  }
  /// Adds the sums over the thresholds that follow.
  void append(const RankSums& next) {
    true_positives_ = next.true_positives_;
    false_positives_ = next.false_positives_;
    pairs_.add(next.pairs_);
    precision_.add(next.precision_);
  }

  /// NaN if a group is empty.
  [[nodiscard]] double areaUnderRoc() const;
  /// NaN without positives.
  [[nodiscard]] double averagePrecision() const;

 private:
  double positives_;
  double negatives_;
  double true_positives_;
  double false_positives_;
  CompensatedSum pairs_;
  QuotientSum precision_;
};

/// Computes the areas under the risk-coverage curve. Add the groups of items with equal scores,
/// most certain group first; the errors of a group are treated as evenly spread over it.
class RiskSums {
 public:
  RiskSums() = default;
  /// After `items` items, `errors` of them misclassified, which are not in the sums.
  RiskSums(std::int64_t items, std::int64_t errors) : items_(items), errors_(errors) {}

  /// Adds a group of `items` items, `errors` of them misclassified.
  void add(std::int64_t items, std::int64_t errors) {
    const auto before = static_cast<double>(errors_);
    if (errors_ + errors > 0) {
      if (items == 1) {
        risks_.add(before + static_cast<double>(errors), static_cast<double>(items_ + 1));
      } else {
        addGroup(items, errors);
      }
      // The trapezoids of a straight line.
      generalised_.add(static_cast<double>(items) * (before + 0.5 * static_cast<double>(errors)));
    }
    items_ += items;
    errors_ += errors;
  }
  /// Adds the sums over the items that follow.
  void append(const RiskSums& next) {
    items_ = next.items_;
    errors_ = next.errors_;
    risks_.add(next.risks_);
    generalised_.add(next.generalised_);
  }

  /// Mean over k = 1..N of the risk of the k most certain items.
  [[nodiscard]] double aurc() const { return risks_.value() / static_cast<double>(items_); }
  /// AUGRC: trapezoids of errors(k)/N over k/N, from k = 0.
  [[nodiscard]] double augrc() const {
    const auto n = static_cast<double>(items_);
    return generalised_.value() / (n * n);
  }

 private:
  void addGroup(std::int64_t items, std::int64_t errors) {
    const double slope = static_cast<double>(errors) / static_cast<double>(items);
    for (std::int64_t place = 1; place <= items; ++place) {
      const double expected = static_cast<double>(errors_) + slope * static_cast<double>(place);
      risks_.add(expected, static_cast<double>(items_ + place));
    }
  }

  std::int64_t items_ = 0;
  std::int64_t errors_ = 0;
  QuotientSum risks_;
  CompensatedSum generalised_;
};

/// AURC of a score that ranks all `errors` misclassified items out of `items` last.
[[nodiscard]] inline double oracleAurcOf(std::int64_t items, std::int64_t errors) {
  CompensatedSum sum;
  for (std::int64_t k = items - errors + 1; k <= items; ++k) {
    sum.add(static_cast<double>(k - (items - errors)) / static_cast<double>(k));
  }
  return sum.value() / static_cast<double>(items);
}

/// The rank metrics, and the areas of selective prediction, which are valid only if the positives
/// are the correct predictions. Computed in one pass; the values equal those from a ThresholdTable,
/// without storing one.
[[nodiscard]] SelectiveMetrics walkMetrics(const RankedGroups& groups, RankOrder order,
                                           const RunContext& context);

/// Like walkMetrics, but only the rank metrics.
[[nodiscard]] RankMetrics walkRankMetrics(const RankedGroups& groups, RankOrder order,
                                          const RunContext& context);

/// The table with every distinct score as a threshold, negated if low scores rank first.
[[nodiscard]] ThresholdTable thresholdTableOf(const RankedGroups& groups, RankOrder order,
                                              const RunContext& context);

}  // namespace dubito
