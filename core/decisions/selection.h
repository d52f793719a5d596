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

/// Choosing the items whose prediction may stand without a person: those whose uncertainty is at
/// most a threshold, which is chosen on labelled calibration items (theory, section 11).
struct SelectionOptions {
  /// Share of right predictions wanted among the selected items.
  double target = 0.95;
  /// With at most this probability over calibration sets the target is missed.
  double delta = 0.1;
  /// "sgr": binary search over the sorted uncertainties, delta shared by its rounds (Geifman and
  /// El-Yaniv 2017). "fixed-sequence": a grid of twenty thresholds from the fourth upwards, until
  /// one fails. "bonferroni-grid": the same grid, delta shared by all. "pointwise": the largest
  /// threshold that passes by itself. It was searched for, so that nothing is guaranteed; for
  /// contrast alone.
  std::string rule = "sgr";

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// A threshold that was looked at.
struct SelectionStep {
  std::int64_t rank = 0;  ///< of the threshold among the sorted uncertainties, from 1; 0: of a grid
  double threshold = 0.0;
  std::int64_t selected = 0;  ///< calibration items with uncertainty <= threshold, ties together
  std::int64_t errors = 0;    ///< of them
  bool passed = false;
};

/// What a rule chose.
struct Selection {
  /// False for "pointwise".
  bool guaranteed = true;
  /// Empty: no item may be selected.
  std::optional<double> threshold;
  std::int64_t items = 0;     ///< calibration items
  std::int64_t selected = 0;  ///< calibration items at or below the threshold
  std::int64_t errors = 0;    ///< of them
  /// Clopper and Pearson's upper bound of their error rate with confidence 1 - delta, as if the
  /// threshold had not been searched for; 1 if none is selected.
  double upper_error_unadjusted = 1.0;
  /// The thresholds that "sgr" and the grids looked at, in this order.
  std::vector<SelectionStep> path;
};

/// Thresholds of the grids: top * j/20, j = 1..20. `top` is known before any label is.
inline constexpr int kSelectionGrid = 20;
inline constexpr int kFirstOfSequence = 4;

/// Chooses the threshold by `options.rule`. `uncertainty` [N] holds no NaN, `error` [N] is 1 if the
/// prediction is wrong; `top` > 0 is the largest value that an uncertainty can have. Throws
/// std::invalid_argument for sizes that differ. kInvalidArgument if N = 0; kCancelled.
[[nodiscard]] Expected<Selection> selectThreshold(std::span<const double> uncertainty,
                                                  std::span<const std::uint8_t> error, double top,
                                                  const SelectionOptions& options,
                                                  RunContext& context);

}  // namespace dubito
