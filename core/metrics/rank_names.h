// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace dubito {

/// Which items a ranking separates; the first ones are positive.
enum class Ranking { kCorrectVsMisclassified, kCorrectVsOod, kInVsOod };

/// The one name of a ranking metric wherever it is shown: "AUROC in vs OOD fashion (confidence)".
/// `metric` is "AUROC", "FPR95", ...; an empty `ood` stands for all OOD sets; an empty `score` is
/// left out, for a plot of several scores.
[[nodiscard]] std::string rankMetricName(const std::string& metric, Ranking ranking,
                                         const std::string& ood = {},
                                         const std::string& score = {});

}  // namespace dubito
