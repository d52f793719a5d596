// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>

#include "core/labs/referral/referral_lab.h"
#include "widgets/compare_table.h"
#include "widgets/curve_plot.h"

namespace dubito {

/// What the laboratory "Referral" shows. `costs` are those of `ranking`.
struct ReferralPicture {
  std::shared_ptr<const ReferralRanking> ranking;
  ReferralCosts costs;
};

/// Cost per item against the threshold, one curve per measure with its cheapest point.
[[nodiscard]] CurvePlotValue costByThreshold(const ReferralPicture& picture);
/// The same against the share of referred items, with the bound that no measure can beat.
[[nodiscard]] CurvePlotValue costByShare(const ReferralPicture& picture);
/// ROC curves of the items that one measure leaves, by share referred.
[[nodiscard]] CurvePlotValue rocOfMeasure(const ReferralPicture& picture, std::size_t measure);
/// One row per measure, then the rules without a measure.
[[nodiscard]] CompareTableValue referralTable(const ReferralPicture& picture, std::size_t shown);

/// The measure whose cheapest rule costs least.
[[nodiscard]] std::size_t cheapestMeasure(const ReferralCosts& costs);
/// The cheapest rule of one measure, and what it saves.
[[nodiscard]] QString referralSentence(const ReferralPicture& picture, std::size_t measure);
/// What the curves of rocOfMeasure() separate, and which of them do not exist.
[[nodiscard]] QString rocCaption(const ReferralPicture& picture, std::size_t measure);
/// "2 000 labelled items · 31 errors".
[[nodiscard]] QString referralCaption(const ReferralPicture& picture);

}  // namespace dubito
