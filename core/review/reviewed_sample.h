// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/io/run.h"
#include "core/labels/decision.h"
#include "core/labels/label_class.h"
#include "core/review/autolabel.h"

namespace dubito {

/// Queue whose items are a random sample of the undecided items.
inline constexpr const char* kRandomQueue = "random";

/// The items that persons have reviewed in random order: a sample on which a threshold for the
/// others can be chosen. Rows of a run.
struct ReviewedSample {
  std::vector<std::int64_t> rows = {};   ///< with a final decision, ascending
  std::vector<std::uint8_t> error = {};  ///< [rows], 1: the run's prediction is wrong
  /// Ambiguous: no prediction is right or wrong. In no count above.
  std::int64_t unclear = 0;
  /// Skipped or flagged. They are in `rows` as wrong predictions, because leaving out what is
  /// difficult would bias the sample.
  std::int64_t open = 0;
  /// Settled by persons, but from another queue: no random sample. In no count above.
  std::int64_t others = 0;
};

/// An item belongs to the sample if the first decision of a person about it that was not undone
/// comes from the queue "random"; what counts is its present label. `journal` and `labels` are
/// those of one store.
[[nodiscard]] ReviewedSample reviewedSample(const Run& run,
                                            std::span<const RecordedDecision> journal,
                                            std::span<const PresentLabel> labels,
                                            std::span<const LabelClass> classes);

/// The sample as calibration items; `uncertainty` [N] of all items of the run, with largest
/// possible value `top`. Items with NaN are left out.
[[nodiscard]] CalibrationItems calibrationItems(const ReviewedSample& sample,
                                                std::span<const double> uncertainty, double top);

}  // namespace dubito
