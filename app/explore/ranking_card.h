// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/session/session.h"
#include "app/workbench/brushing.h"
#include "core/analysis/analysis_sample.h"
#include "core/analysis/operating_point.h"
#include "widgets/card.h"

namespace dubito {

class CurvePlot;

/// Card with a ranking curve (such as the ROC curve) of the run shown and, if items are selected,
/// of the selection. Clicking the curve selects the items retained at that point.
class RankingCard : public Card {
  Q_OBJECT
 public:
  /// `curves` are the choices in the title, at least one. `name` is the object name of the plot.
  /// `session` and `brushing` outlive the card.
  RankingCard(Session& session, Brushing& brushing, const QString& name,
              std::vector<RankingCurve> curves, QWidget* parent = nullptr);
  /// Shows the curves of a sample while no run is shown.
  void showSample(const AnalysisSample& sample);

 Q_SIGNALS:
  void failed(const QString& message);

 private:
  [[nodiscard]] RankingCurve shown() const { return curves_[chosen_]; }
  /// The run shown, or the sample; null if there is neither.
  [[nodiscard]] AnalysisPtr plotted() const;
  /// Curves of `analysis`, in drawing order.
  [[nodiscard]] const std::vector<Curve>& curvesOf(const Analysis& analysis) const;
  void showAnalysis();
  void drawCurves();
  void showOperatingPoint();
  /// Selects the items retained at a point. Both arguments are indices: into the drawn curves and
  /// into the points of that curve.
  void selectRetained(int curve, int point);

  Brushing& brushing_;
  Session& session_;
  AnalysisSample sample_;
  std::vector<RankingCurve> curves_;
  std::size_t chosen_ = 0;
  CurvePlot* plot_;
};

}  // namespace dubito
