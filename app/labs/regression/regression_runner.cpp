// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/regression/regression_runner.h"

namespace dubito {

RegressionRunner::Paint RegressionRunner::painter() const {
  return [](const RegressionLab& lab, bool fine, const RegressionPicture* earlier,
            RunContext& context) {
    // Nobody reads numbers that change faster.
    constexpr double kSecondsBetweenScores = 0.5;
    const bool repeats = !fine && earlier != nullptr && lab.done() < lab.total() &&
                         lab.seconds() < earlier->scored_seconds + kSecondsBetweenScores;
    return lab.picture(context, repeats ? earlier : nullptr);
  };
}

}  // namespace dubito
