// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/regression/regression_runner.h"

namespace dubito {

void RegressionRunner::setView(std::optional<Interval> x) {
  const bool is_same = x.has_value() == view_.has_value() &&
                       (!x || (x->low == view_->low && x->high == view_->high));
  if (!is_same) {
    view_ = x;
    redraw(false);
  }
}

RegressionRunner::Paint RegressionRunner::painter() const {
  return [view = view_](const RegressionLab& lab, bool fine, const RegressionPicture* earlier,
                        RunContext& context) {
    // Nobody reads numbers that change faster.
    constexpr double kSecondsBetweenScores = 0.5;
    const bool moves = !fine && earlier != nullptr && lab.done() < lab.total() &&
                       lab.seconds() < earlier->scored_seconds + kSecondsBetweenScores;
    // Another view of the same state has the same scores.
    const bool is_scored = earlier != nullptr && lab.done() == earlier->done &&
                           lab.seconds() == earlier->scored_seconds;
    return lab.picture(context, moves || is_scored ? earlier : nullptr, view);
  };
}

}  // namespace dubito
