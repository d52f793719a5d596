// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/review/pair_counts.h"

namespace dubito {

/// Finds items whose given label is probably wrong, by confident learning (Northcutt, Jiang and
/// Chuang 2021; theory, section 14).
struct LabelErrorOptions {
  /// "prune-by-noise-rate": for every pair (given k, true l), as many items given k as the
  /// calibrated joint counts, those with the largest p_l - p_k. "prune-by-class": for every given
  /// class k, as many items as the calibrated joint counts off the diagonal, those with the lowest
  /// p_k. "both": items that both find. "confident-learning": the items counted off the diagonal of
  /// the confident joint. "predicted-neq-given": every item with a class more probable than its
  /// label by more than 1e-6.
  std::string rule = "prune-by-noise-rate";

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// Confidences closer to their threshold than this count as confident, so that the rounding of the
/// threshold, a mean, does not matter.
inline constexpr double kThresholdTolerance = 1e-6;

/// Result of confident learning; N items of the run, K classes. The first index of counts is the
/// given class, the second the true one.
struct LabelErrors {
  std::int64_t items = 0;     ///< with a given label
  std::int64_t left_out = 0;  ///< without
  /// [K], mean probability of a class over the items given that class, at least 2e-6; infinite for
  /// a class that no item was given.
  std::vector<double> thresholds;
  /// Items by given class and confident class: the most probable one among those whose probability
  /// reaches its threshold. Items without confident class are not counted. The diagonal is at
  /// least 1.
  PairCounts confident_joint;
  /// confident_joint scaled to the number of items given each class, rounded to whole numbers that
  /// keep these row sums. Divided by `items`, the joint distribution.
  PairCounts calibrated_joint;
  /// Items counted off the diagonal of confident_joint, unless the given class is predicted or
  /// within 1e-6 of it: an estimate of the number of wrong labels.
  std::int64_t estimated = 0;
  Array<double> self_confidence;     ///< [N], probability of the given class; NaN without label
  Array<double> normalised_margin;   ///< [N], (p_given - max of the others + 1) / 2; NaN likewise
  std::vector<std::int64_t> issues;  ///< rows found by the rule, ascending
  /// Whether the network was trained on these items (role train): it has learnt wrong labels, too.
  bool trained_on_items = false;
  std::string caveat;  ///< outOfSampleCaveat
};

/// Two passes over the probabilities, O(N K), on the context's threads; the result does not depend
/// on their number. Equal scores are ordered by item id. An item is no issue if no class is
/// more probable than its label by more than 1e-6. kInvalidArgument, naming `name`, if the run has
/// no probabilities no labels, or a single class; kCancelled. Throws std::invalid_argument for a
/// label >= K.
[[nodiscard]] Expected<LabelErrors> findLabelErrors(const Run& run, const std::string& name,
                                                    const LabelErrorOptions& options,
                                                    const RunContext& context);

/// [N] probability of the given class, and (p_given - max of the others + 1) / 2; NaN without
/// label.
struct LabelQuality {
  Array<double> self_confidence;
  Array<double> normalised_margin;
};
/// Part of findLabelErrors; same errors.
[[nodiscard]] Expected<LabelQuality> labelQuality(const Run& run, const std::string& name,
                                                  const RunContext& context);

/// A sentence for the user if the probabilities of a run are, or may be, those of training items,
/// which confident learning is not made for; else empty.
[[nodiscard]] std::string outOfSampleCaveat(const Run& run, const std::string& name);

}  // namespace dubito
