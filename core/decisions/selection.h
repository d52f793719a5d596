// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/run_context.h"

namespace dubito {

/// Selects the items whose predictions are accepted without human review: those with an uncertainty
/// up to a threshold, which is chosen on labelled calibration items (theory, section 11).
struct SelectionOptions {
  /// Required share of correct predictions among the selected items.
  double target = 0.95;
  /// Maximum probability, over calibration sets, of missing the target.
  double delta = 0.1;
  /// "sgr": binary search over the sorted uncertainties, delta split over its rounds (Geifman and
  /// El-Yaniv 2017). "fixed-sequence": a grid of twenty thresholds from the fourth upwards, until
  /// one fails. "bonferroni-grid": the same grid, delta shared by all. "pointwise": the largest
  /// threshold that passes on its own. Because it is searched for, nothing is guaranteed; for
  /// comparison only.
  std::string rule = "sgr";

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// A tested threshold.
struct SelectionStep {
  std::int64_t rank = 0;  ///< of the threshold among the sorted uncertainties, from 1; 0: grid
  double threshold = 0.0;
  std::int64_t selected = 0;  ///< calibration items with uncertainty <= threshold, ties together
  std::int64_t errors = 0;    ///< of them
  bool passed = false;
};

/// Result of a rule.
struct Selection {
  /// False for "pointwise".
  bool guaranteed = true;
  /// Empty: no item can be selected.
  std::optional<double> threshold;
  std::int64_t items = 0;     ///< calibration items
  std::int64_t selected = 0;  ///< calibration items at or below the threshold
  std::int64_t errors = 0;    ///< of them
  /// Clopper-Pearson upper bound of their error rate at confidence 1 - delta, ignoring the search
  /// for the threshold; 1 if none is selected.
  double upper_error_unadjusted = 1.0;
  /// Upper bound on the error rate of what the threshold selects, with the search taken into
  /// account: if guaranteed, holds with probability 1 - delta and is at most 1 - target; 1 if none
  /// is selected. For "pointwise", upper_error_unadjusted.
  double upper_error = 1.0;
  /// The thresholds tested by "sgr" and the grids, in order.
  std::vector<SelectionStep> path;
};

/// Thresholds of the grids: top * j/20, j = 1..20. `top` does not depend on labels.
inline constexpr int kSelectionGrid = 20;
inline constexpr int kFirstOfSequence = 4;

/// Chooses the threshold by `options.rule`. `uncertainty` [N] without NaN; `error` [N] is 1 if the
/// prediction is wrong; `top` > 0 is the largest possible uncertainty. Throws std::invalid_argument
/// for different sizes. kInvalidArgument if N = 0; kCancelled.
[[nodiscard]] Expected<Selection> selectThreshold(std::span<const double> uncertainty,
                                                  std::span<const std::uint8_t> error, double top,
                                                  const SelectionOptions& options,
                                                  RunContext& context);

}  // namespace dubito
