// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/labs/method_runner.h"
#include "core/labs/regression/regression_kind.h"

namespace dubito {

/// Lets several methods of the regression laboratory work on the same data. Scores are older than
/// the curve while a method moves.
class RegressionRunner : public MethodRunner<RegressionKind> {
  Q_OBJECT
 public:
  using MethodRunner<RegressionKind>::MethodRunner;

  /// Draws all curves over these inputs; nullopt: those of the data. Nothing is learned again.
  void setView(std::optional<Interval> x);

 protected:
  [[nodiscard]] Paint painter() const override;

 private:
  std::optional<Interval> view_;
};

}  // namespace dubito
