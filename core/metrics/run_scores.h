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
#include "core/metrics/measure.h"
#include "core/metrics/rank_walk.h"
#include "core/metrics/sorted_scores.h"

namespace dubito {

/// What the label of an item says of its prediction.
enum class Outcome : std::uint8_t { kCorrect, kMisclassified, kUnlabelled };

/// One measure of every item of a run, which ranks them.
struct ItemScore {
  Measure measure = Measure::kConfidence;
  Array<double> values;  ///< [N], in the measure's unit; shares the run's memory where it can
  /// [N], logRestOf the run for the confidence, which orders it instead; empty for other scores.
  Array<double> log_rest = {};

  /// What orders item `i`: its value, or for the confidence -log(1 - confidence), which does not
  /// saturate.
  [[nodiscard]] double rank(std::int64_t i) const {
    return log_rest.empty() ? values.data()[i] : -log_rest.data()[i];
  }
  /// The order that has certain items first.
  [[nodiscard]] RankOrder certainFirst() const {
    return highIsCertain(measure) ? RankOrder::kHighFirst : RankOrder::kLowFirst;
  }
  /// The key of the measure, by which results name it.
  [[nodiscard]] const char* name() const { return describe(measure).key; }
};

/// A run as evaluations use it: a byte per item, besides what the run itself holds.
struct RunScores {
  std::string name;               ///< of the dataset
  std::int64_t classes = 0;       ///< 0: not known
  std::vector<ItemScore> scores;  ///< those asked for that the run can give, confidence first
  std::vector<Outcome> outcomes;  ///< [N]
  std::int64_t correct = 0;       ///< items labelled and right
  std::int64_t misclassified = 0;
  std::int64_t unlabelled = 0;

  [[nodiscard]] std::int64_t itemCount() const { return correct + misclassified + unlabelled; }
  [[nodiscard]] std::int64_t labelled() const { return correct + misclassified; }
  [[nodiscard]] const ItemScore& confidence() const { return scores.front(); }
  /// The score by that measure, or nullptr.
  [[nodiscard]] const ItemScore* find(Measure measure) const;
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

/// Checks the arrays of a run and gathers its confidence and those of `measures` that it can give.
/// `fallback_name` names a run whose dataset has no name. kMalformed if a number is not finite.
/// Throws std::invalid_argument if the arrays of the run differ in length.
[[nodiscard]] Expected<RunScores> gatherScores(const Run& run, const std::string& fallback_name,
                                               const std::vector<Measure>& measures,
                                               const RunContext& context);

/// The same of every OOD run, under the names given; checks the names.
[[nodiscard]] Expected<std::vector<RunScores>> gatherOodScores(const std::vector<NamedRun>& ood,
                                                               const std::vector<Measure>& measures,
                                                               const RunContext& context);

}  // namespace dubito
