// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/run_context.h"
#include "core/metrics/compensated_sum.h"
#include "core/metrics/ranking.h"
#include "core/metrics/sorted_scores.h"

namespace dubito {

/// Which scores rank first.
enum class RankOrder {
  kHighFirst,
  kLowFirst,
};

/// Sorted scores of positives and of negatives, each in any number of lists that outlive it.
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

/// The place reached in one list.
class RankCursor {
 public:
  RankCursor(const SortedScores& list, RankOrder order, bool is_positive)
      : step_(order == RankOrder::kLowFirst ? 1 : -1), is_positive_(is_positive) {
    const std::uint64_t* const first = list.keys().data();
    const auto size = static_cast<std::ptrdiff_t>(list.size());
    // The lists do not change, and positions, not pointers, pass their ends.
    data_ = first;
    at_ = step_ > 0 ? 0 : size - 1;
    left_ = list.size();
  }

  [[nodiscard]] bool done() const { return left_ == 0; }
  [[nodiscard]] bool isPositive() const { return is_positive_; }
  [[nodiscard]] std::uint64_t key() const { return data_[at_]; }
  /// Passes all scores equal to `key`; returns how many.
  std::int64_t pass(std::uint64_t key) {
    std::int64_t count = 0;
    while (left_ > 0 && data_[at_] == key) {
      at_ += step_;
      --left_;
      ++count;
    }
    return count;
  }

 private:
  const std::uint64_t* data_ = nullptr;
  std::ptrdiff_t at_ = 0;
  std::ptrdiff_t step_ = 1;
  std::size_t left_ = 0;
  bool is_positive_ = false;
};

/// Calls visit(score, positives, negatives) once for each distinct score in the order given; items
/// with equal scores pass together. Stops where the context is cancelled.
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
  constexpr std::int64_t kGroupsBetweenChecks = 1 << 16;
  for (std::int64_t visited = 1; !cursors.empty(); ++visited) {
    if (visited % kGroupsBetweenChecks == 0 && context.cancelRequested()) {
      return;
    }
    std::uint64_t next = cursors.front().key();
    for (std::size_t j = 1; j < cursors.size(); ++j) {
      const std::uint64_t key = cursors[j].key();
      next = (low_first ? key < next : key > next) ? key : next;
    }
    std::array<std::int64_t, 2> passed{};
    for (std::size_t j = 0; j < cursors.size();) {
      passed[cursors[j].isPositive() ? 0 : 1] += cursors[j].pass(next);
      if (cursors[j].done()) {
        cursors.erase(cursors.begin() + static_cast<std::ptrdiff_t>(j));
      } else {
        ++j;
      }
    }
    visit(SortedScores::scoreOf(next), passed[0], passed[1]);
  }
}

/// Areas of a ranking, fed with what lies at or above each threshold, from the highest.
class RankSums {
 public:
  /// `positives` and `negatives`: counts, or weights, of all items.
  RankSums(double positives, double negatives) : positives_(positives), negatives_(negatives) {}

  void add(double true_positives, double false_positives) {
    // Pairs ranked right, by the negatives of each threshold: what lies above wins, ties win half.
    if (false_positives > false_positives_) {
      pairs_.add((false_positives - false_positives_) * 0.5 * (true_positives_ + true_positives));
    }
    if (true_positives > true_positives_) {
      precision_.add((true_positives - true_positives_) *
                     (true_positives / (true_positives + false_positives)));
    }
    true_positives_ = true_positives;
    false_positives_ = false_positives;
  }

  /// NaN where a group is empty.
  [[nodiscard]] double areaUnderRoc() const;
  /// NaN where there is no positive.
  [[nodiscard]] double averagePrecision() const;

 private:
  double positives_;
  double negatives_;
  double true_positives_ = 0.0;
  double false_positives_ = 0.0;
  CompensatedSum pairs_;
  CompensatedSum precision_;
};

/// All rank metrics in one walk, and the areas of selective prediction where `positives` are the
/// correct predictions. The same numbers as from a ThresholdTable, without keeping it.
struct WalkedMetrics {
  RankMetrics rank;
  double aurc = 0.0;
  double augrc = 0.0;
};
[[nodiscard]] WalkedMetrics walkMetrics(const RankedGroups& groups, RankOrder order,
                                        const RunContext& context);

/// The rank metrics alone.
[[nodiscard]] RankMetrics walkRankMetrics(const RankedGroups& groups, RankOrder order,
                                          const RunContext& context);

/// Every distinct score as a threshold, negated where low scores rank first.
[[nodiscard]] ThresholdTable thresholdTableOf(const RankedGroups& groups, RankOrder order,
                                              const RunContext& context);

}  // namespace dubito
