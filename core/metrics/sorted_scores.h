// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/run_context.h"

namespace dubito {

struct ItemScore;
struct RunScores;

/// Scores in ascending order, stored as integer keys with the same order. Takes 8 bytes per score,
/// 16 while sorting.
class SortedScores {
 public:
  SortedScores() = default;
  /// Sorts keys computed by keyOf, by radix sort on the context's threads. A cancel takes effect
  /// within a fraction of a pass over the keys. After a cancel, the order is undefined.
  SortedScores(std::vector<std::uint64_t> keys, const RunContext& context);

  /// The integer key of a score, which must not be NaN; -0 is treated as 0.
  [[nodiscard]] static std::uint64_t keyOf(double score) {
    const auto bits = std::bit_cast<std::uint64_t>(score + 0.0);
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
  }
  [[nodiscard]] static double scoreOf(std::uint64_t key) {
    return std::bit_cast<double>((key & kSign) != 0 ? key & ~kSign : ~key);
  }

  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  [[nodiscard]] bool empty() const { return keys_.empty(); }
  [[nodiscard]] const std::vector<std::uint64_t>& keys() const { return keys_; }
  /// The `rank`-th lowest score.
  [[nodiscard]] double operator[](std::size_t rank) const { return scoreOf(keys_[rank]); }

 private:
  static constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

  std::vector<std::uint64_t> keys_;
};

/// The sort keys (ItemScore::rank) of one score, sorted within each group of items.
struct SortedGroups {
  SortedScores correct;
  SortedScores misclassified;
  SortedScores unlabelled;
};

/// One score of a run and of its OOD runs, sorted once for all that ranks by it.
struct SortedScore {
  const ItemScore* score = nullptr;
  SortedGroups in;
  std::vector<std::optional<SortedScores>> ood;  ///< [OOD runs] absent if the run lacks the score

  /// Whether every OOD run has the score.
  [[nodiscard]] bool hasAllOod() const;
};
/// `score` is one of `in`; the result refers to it.
[[nodiscard]] SortedScore sortScore(const ItemScore& score, const RunScores& in,
                                    const std::vector<RunScores>& ood, const RunContext& context);

}  // namespace dubito
