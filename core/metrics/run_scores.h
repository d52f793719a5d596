// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/metrics/evaluation.h"
#include "core/metrics/rank_walk.h"
#include "core/metrics/sorted_scores.h"

namespace dubito {

/// What the label of an item says of its prediction.
enum class Outcome : std::uint8_t { kCorrect, kMisclassified, kUnlabelled };

/// One score of every item of a run.
struct ItemScore {
  std::string name;      ///< "confidence", "entropy" or "mutual_information"
  Array<double> values;  ///< [N], in the score's own unit; shares the run's memory where it can
  bool high_is_certain = false;
  /// [N], logRestOf the run for the confidence, which orders it instead; empty for other scores.
  Array<double> log_rest = {};

  /// What orders item `i`: its value, or for the confidence -log(1 - confidence), which does not
  /// saturate.
  [[nodiscard]] double rank(std::int64_t i) const {
    return log_rest.empty() ? values.data()[i] : -log_rest.data()[i];
  }
  /// The order that has certain items first.
  [[nodiscard]] RankOrder certainFirst() const {
    return high_is_certain ? RankOrder::kHighFirst : RankOrder::kLowFirst;
  }
};

/// A run as evaluations use it: a byte an item, besides what the run itself holds.
struct RunScores {
  std::string name;               ///< of the dataset
  std::int64_t classes = 0;       ///< 0: not known
  std::vector<ItemScore> scores;  ///< those the run can give, confidence first
  std::vector<Outcome> outcomes;  ///< [N]
  std::int64_t correct = 0;       ///< items labelled and right
  std::int64_t misclassified = 0;
  std::int64_t unlabelled = 0;

  [[nodiscard]] std::int64_t itemCount() const { return correct + misclassified + unlabelled; }
  [[nodiscard]] std::int64_t labelled() const { return correct + misclassified; }
  [[nodiscard]] const ItemScore& confidence() const { return scores.front(); }
  /// The score of that name, or nullptr.
  [[nodiscard]] const ItemScore* find(const std::string& score) const;
};

/// The confidence that ItemScore::rank stands for.
[[nodiscard]] inline double confidenceOfRank(double rank) {
  return -std::expm1(-rank);
}

/// The ranks of one score, sorted in each group of items.
struct SortedGroups {
  SortedScores correct;
  SortedScores misclassified;
  SortedScores unlabelled;
};
[[nodiscard]] SortedGroups sortGroups(const ItemScore& score, const RunScores& run,
                                      const RunContext& context);
/// The ranks of one score of all items together.
[[nodiscard]] SortedScores sortAll(const ItemScore& score, const RunContext& context);

/// Checks the arrays of a run and gathers its scores; the entropy is computed from the
/// probabilities where the run does not hold it. `fallback_name` names a run whose dataset has no
/// name. Throws std::invalid_argument where the arrays of the run differ in length.
[[nodiscard]] Expected<RunScores> gatherScores(const Run& run, const std::string& fallback_name,
                                               const RunContext& context);

/// The same of every OOD run, under the names given; checks the names.
[[nodiscard]] Expected<std::vector<RunScores>> gatherOodScores(const std::vector<NamedRun>& ood,
                                                               const RunContext& context);

}  // namespace dubito
