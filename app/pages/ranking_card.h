// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/session/workbench.h"
#include "core/analysis/operating_point.h"
#include "widgets/card.h"

namespace dubito {

class CurvePlot;

/// A curve that ranks the items of the shown run by their scores, and beside it that of the
/// selected items. A click on it selects what is kept there.
class RankingCard : public Card {
  Q_OBJECT
 public:
  /// `curves` to choose among, at least one. `name` is the plot's; the workbench outlives the card.
  RankingCard(Workbench& workbench, const QString& name, std::vector<RankingCurve> curves,
              QWidget* parent = nullptr);

 Q_SIGNALS:
  void failed(const QString& message);

 private:
  [[nodiscard]] RankingCurve shown() const { return curves_[chosen_]; }
  /// Of the shown run, in the order of what is drawn.
  [[nodiscard]] const std::vector<Curve>& curvesOfRun() const;
  void showAnalysis();
  void drawCurves();
  void showOperatingPoint();
  /// Selects what is kept at point `point` of curve `curve`, numbers in what is drawn.
  void selectUpTo(int curve, int point);

  Workbench& workbench_;
  Session& session_;
  std::vector<RankingCurve> curves_;
  std::size_t chosen_ = 0;
  CurvePlot* plot_;
};

}  // namespace dubito
