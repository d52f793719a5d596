// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/metrics/evaluation.h"

namespace dubito {

/// One score of every item of a run.
struct ItemScore {
  std::string name;            ///< "confidence", "entropy" or "mutual_information"
  std::vector<double> values;  ///< [N], in the score's own unit
  bool high_is_certain = false;

  /// The values of `items`, turned so that certain items have high ones.
  [[nodiscard]] std::vector<double> certaintyOf(const std::vector<std::int64_t>& items) const;
};

/// A run as evaluations use it.
struct RunScores {
  std::string name;                            ///< of the dataset
  std::int64_t classes = 0;                    ///< 0: not known
  std::vector<ItemScore> scores;               ///< those the run can give, confidence first
  std::vector<std::int64_t> all_items;         ///< 0 .. N-1
  std::vector<std::int64_t> labelled;          ///< items with a label
  std::vector<std::int64_t> correct;           ///< labelled and right
  std::vector<std::int64_t> misclassified;     ///< labelled and wrong
  std::vector<std::int64_t> unlabelled;        ///< items without a label
  std::vector<std::uint8_t> labelled_correct;  ///< [labelled], 1 where right

  [[nodiscard]] const ItemScore& confidence() const { return scores.front(); }
  /// The score of that name, or nullptr.
  [[nodiscard]] const ItemScore* find(const std::string& score) const;
};

/// Checks the arrays of a run and gathers its scores; the entropy is computed from the
/// probabilities where the run does not hold it. `fallback_name` names a run whose dataset has no
/// name. Throws std::invalid_argument where the arrays of the run differ in length.
[[nodiscard]] Expected<RunScores> gatherScores(const Run& run, const std::string& fallback_name,
                                               const RunContext& context);

/// The same of every OOD run, under the names given; checks the names.
[[nodiscard]] Expected<std::vector<RunScores>> gatherOodScores(const std::vector<NamedRun>& ood,
                                                               const RunContext& context);

}  // namespace dubito
