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
#include "core/metrics/ranking.h"

namespace dubito {

/// Outcome of an item's prediction.
enum class Outcome : std::uint8_t { kCorrect, kMisclassified, kUnlabelled };

/// One measure of all items of a run, by which they are ranked.
struct ItemScore {
  Measure measure = Measure::kConfidence;
  Array<double> values;  ///< [N], in the measure's unit; shares the run's memory if possible
  /// [N], only for the confidence: logRestOf the run, by which the items are ordered; empty for
  /// other scores.
  Array<double> log_rest = {};

  /// Sort key of item `i`: its value, or for the confidence -log(1 - confidence), which
  /// distinguishes confidences that round to 1.
  [[nodiscard]] double rank(std::int64_t i) const {
    return log_rest.empty() ? values.data()[i] : -log_rest.data()[i];
  }
  /// The order of the sort keys that puts certain items first.
  [[nodiscard]] RankOrder certainFirst() const {
    return highIsCertain(measure) ? RankOrder::kHighFirst : RankOrder::kLowFirst;
  }
  /// The key of the measure, which names it in results.
  [[nodiscard]] const char* name() const { return describe(measure).key; }
};

/// A run as used by evaluations. Takes one byte per item in addition to the run itself.
struct RunScores {
  std::string name;          ///< of the dataset
  std::int64_t classes = 0;  ///< 0: unknown
  /// The confidence, if it is known of every item, then the requested scores that are available.
  std::vector<ItemScore> scores;
  std::vector<Outcome> outcomes;  ///< [N]
  std::int64_t correct = 0;       ///< labelled items with a correct prediction
  std::int64_t misclassified = 0;
  std::int64_t unlabelled = 0;

  [[nodiscard]] std::int64_t itemCount() const { return correct + misclassified + unlabelled; }
  [[nodiscard]] std::int64_t labelled() const { return correct + misclassified; }
  /// nullptr if the confidence of some item is unknown.
  [[nodiscard]] const ItemScore* confidence() const { return find(Measure::kConfidence); }
  /// The score of `measure`, or nullptr.
  [[nodiscard]] const ItemScore* find(Measure measure) const;
};

/// The confidence whose ItemScore::rank is `rank`.
[[nodiscard]] inline double confidenceOfRank(double rank) {
  return -std::expm1(-rank);
}

/// Checks the arrays of a run and collects its confidence and those of `measures` that are
/// available. `fallback_name` is the name of the result if the dataset of the run has none.
/// kMalformed for a number that is not finite. Throws std::invalid_argument if the arrays of the
/// run differ in length.
[[nodiscard]] Expected<RunScores> gatherScores(const Run& run, const std::string& fallback_name,
                                               const std::vector<Measure>& measures,
                                               const RunContext& context);

/// Calls gatherScores for every OOD run, under its given name. kInvalidArgument for duplicate names
/// and the name "all".
[[nodiscard]] Expected<std::vector<RunScores>> gatherOodScores(const std::vector<NamedRun>& ood,
                                                               const std::vector<Measure>& measures,
                                                               const RunContext& context);

}  // namespace dubito
