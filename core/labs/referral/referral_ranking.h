// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/labs/referral/referral_options.h"
#include "core/metrics/measure.h"

namespace dubito {

/// Numbers of items at one threshold. Index 0: of the items of the negative class, or of all items
/// if there are not two classes; 1: of the items of the positive class.
struct ReferralCounts {
  /// Value of the measure of the least certain item that is not referred; NaN if all are referred.
  double threshold = 0.0;
  std::array<std::uint32_t, 2> referred{};
  std::array<std::uint32_t, 2> wrong{};  ///< wrong predictions that are not referred

  [[nodiscard]] std::int64_t allReferred() const {
    return std::int64_t{referred[0]} + std::int64_t{referred[1]};
  }
  [[nodiscard]] std::int64_t allWrong() const {
    return std::int64_t{wrong[0]} + std::int64_t{wrong[1]};
  }
};

/// The items of a run in the order of one measure.
struct MeasureRanking {
  Measure measure = Measure::kConfidence;
  /// One per threshold, from referring none to referring all. Items with equal values are referred
  /// together.
  std::vector<ReferralCounts> counts;
  /// Positions in `counts` between which a curve of any cost is straight as far as can be seen,
  /// against the share referred and against the threshold.
  std::vector<std::size_t> drawn;
  /// ROC curves of the items that are not referred, one per share; `summary` is the area.
  std::vector<Curve> roc;
};

/// Everything about the referral of the labelled items of a run that does not depend on costs.
struct ReferralRanking {
  std::int64_t items = 0;       ///< labelled
  std::int64_t unlabelled = 0;  ///< ignored
  std::int64_t classes = 0;
  /// What the ROC curves separate, for their caption.
  std::string roc_groups;
  std::vector<MeasureRanking> measures;  ///< available measures, in the requested order

  /// Wrong predictions among all labelled items.
  [[nodiscard]] std::int64_t errors() const { return measures.front().counts.front().allWrong(); }
};

/// Ranks the labelled items of a run by the measures of `options`; of the costs, nothing is used.
/// ROC curves are those of the positive class by its probability for two classes, else of correct
/// predictions by confidence. kInvalidArgument for invalid options, a run without labelled items or
/// without any of the measures; kMalformed for a number that is not finite.
[[nodiscard]] Expected<ReferralRanking> rankReferral(const Run& run, const ReferralOptions& options,
                                                     RunContext& context);

}  // namespace dubito
