// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/run_context.h"

namespace dubito {

/// Options for selecting the items whose predictions are accepted without human review: those whose
/// uncertainty is at most a threshold, which is chosen on labelled calibration items (theory,
/// section 11).
struct SelectionOptions {
  /// Required share of correct predictions among the selected items.
  double target = 0.95;
  /// Maximum probability, over calibration sets, of missing the target.
  double delta = 0.1;
  /// "sgr": binary search over the sorted uncertainties, delta split over its rounds (Geifman and
  /// El-Yaniv 2017). "fixed-sequence": a grid of twenty thresholds from the fourth upwards, until
  /// one fails. "bonferroni-grid": the same grid, delta shared by all. "pointwise": the largest
  /// threshold that passes a test at level delta. Gives no guarantee, because the test ignores the
  /// search; for comparison only.
  std::string rule = "sgr";

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// The rules of SelectionOptions that keep their guarantee: all but "pointwise".
inline constexpr std::array kGuaranteedRules{"sgr", "fixed-sequence", "bonferroni-grid"};

/// A tested threshold.
struct SelectionStep {
  std::int64_t rank = 0;  ///< 1-based, among the sorted uncertainties; 0 for a grid
  double threshold = 0.0;
  std::int64_t selected = 0;  ///< calibration items with uncertainty <= threshold
  std::int64_t errors = 0;    ///< selected items with a wrong prediction
  bool passed = false;
};

/// The chosen threshold.
struct Selection {
  /// False for "pointwise".
  bool guaranteed = true;
  /// Absent if no item can be selected.
  std::optional<double> threshold;
  std::int64_t items = 0;     ///< calibration items
  std::int64_t selected = 0;  ///< calibration items at or below the threshold
  std::int64_t errors = 0;    ///< selected items with a wrong prediction
  /// Clopper-Pearson upper bound on the error rate of the selected items at confidence 1 - delta,
  /// which ignores the search for the threshold; 1 if none is selected.
  double upper_error_unadjusted = 1.0;
  /// Upper bound on the error rate of what the threshold selects, with the search taken into
  /// account: if guaranteed, holds with probability 1 - delta and is at most 1 - target; 1 if none
  /// is selected. For "pointwise", upper_error_unadjusted.
  double upper_error = 1.0;
  /// The thresholds tested by "sgr" and the grids, in order.
  std::vector<SelectionStep> path;
};

/// Number of thresholds of the grids: top * j / kSelectionGrid for j = 1..kSelectionGrid, where
/// `top`, as in selectThreshold, does not depend on the labels.
inline constexpr int kSelectionGrid = 20;
/// The j at which "fixed-sequence" starts.
inline constexpr int kFirstSequenceStep = 4;

/// Chooses the threshold by `options.rule`. `uncertainty` [N] without NaN; `error` [N] is 1 if the
/// prediction is wrong; `top` > 0 is the largest possible uncertainty. Throws std::invalid_argument
/// if the sizes differ or `top` is not positive. kInvalidArgument if N = 0; kCancelled.
[[nodiscard]] Expected<Selection> selectThreshold(std::span<const double> uncertainty,
                                                  std::span<const std::uint8_t> error, double top,
                                                  const SelectionOptions& options,
                                                  RunContext& context);

}  // namespace dubito
