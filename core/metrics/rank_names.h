// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace dubito {

/// The two groups that a ranking separates; the first group is positive.
enum class Ranking { kCorrectVsMisclassified, kCorrectVsOod, kInVsOod };

/// The display name of a ranking metric: "AUROC in vs OOD fashion (confidence)". `metric` is
/// "AUROC", "FPR95", ...; an empty `ood` stands for all OOD sets. Leave `score` empty for plots of
/// several scores.
[[nodiscard]] std::string rankMetricName(const std::string& metric, Ranking ranking,
                                         const std::string& ood = {},
                                         const std::string& score = {});

}  // namespace dubito
