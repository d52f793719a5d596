// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "app/labs/method_runner.h"
#include "core/labs/regression/regression_kind.h"

namespace dubito {

/// Lets several methods of the regression laboratory work on the same data. Scores are older than
/// the curve while a method moves.
class RegressionRunner : public MethodRunner<RegressionKind> {
 public:
  using MethodRunner<RegressionKind>::MethodRunner;

  /// Draws all curves over these inputs; nullopt: those of the data. Nothing is learned again.
  void setView(std::optional<Interval> x) {
    const bool is_same = x.has_value() == view_.has_value() &&
                         (!x || (x->low == view_->low && x->high == view_->high));
    if (!is_same) {
      view_ = x;
      redraw(false);
    }
  }

 protected:
  [[nodiscard]] Paint painter() const override {
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

 private:
  std::optional<Interval> view_;
};

}  // namespace dubito
