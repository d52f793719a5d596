// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/plot_values.h"
#include "widgets/plot_base.h"

namespace dubito {

/// A curve and how it is told from others.
struct StyledCurve {
  enum class Role {
    kRun,         ///< in the colour of its run
    kReference,   ///< muted: what is possible, not what a run does
    kSelection,   ///< in the colour of selections: of the selected items alone
    kBackground,  ///< muted and without a legend entry: of all items, while some are selected
  };
  Curve curve;   ///< `name` is the legend entry, `summary` stands beside it
  int run = -1;  ///< colour: Theme::runColor, or the accent colour for -1
  int dash = 0;  ///< 0 solid, 1 dashed, 2 dotted, 3 dash-dot
  Role role = Role::kRun;
  QString short_name = {};  ///< of the legend entry where `name` has no room; may be empty
};

/// Curves over the unit square (ROC, precision-recall) or over any range (rejection).
struct CurvePlotValue {
  enum class Kind {
    kRoc,              ///< square where its legend fits, diagonal, both axes [0, 1]
    kPrecisionRecall,  ///< steps, horizontal baseline, x [0, 1]
    kGeneric           ///< lines, ranges of the data
  };
  Kind kind = Kind::kRoc;
  std::vector<StyledCurve> curves;
  QString summary_name;           ///< heading of the legend: "AUROC", "AP"
  bool summary_is_share = false;  ///< the summaries are shown in per cent
  bool x_is_share = true;         ///< the axis and its values are shown in per cent
  bool y_is_share = true;
  std::optional<double> baseline;  ///< y of the dashed line (the share of positives for PR)
  QString x_label;
  QString y_label;
  QString x_short = {};  ///< stands on an axis too short for the label; may be empty
  QString y_short = {};
};

/// ROC and precision-recall curves with the legend where it covers no curve: between them, or above
/// the axes if there is no such place.
class CurvePlot : public PlotBase {
  Q_OBJECT
 public:
  explicit CurvePlot(QWidget* parent = nullptr);
  ~CurvePlot() override;

  void setCurves(CurvePlotValue value);
  [[nodiscard]] const CurvePlotValue& curves() const { return value_; }
  /// A ring at the operating point that belongs to the threshold; nothing: none.
  void setMarker(std::optional<QPointF> marker);
  [[nodiscard]] const std::optional<QPointF>& marker() const { return marker_; }

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 Q_SIGNALS:
  /// A click near point `point` of curve `curve` (numbers in the value given), which is not one of
  /// a selection.
  void pointSelected(int curve, int point);

 protected:
  void rebuild() override;
  void clicked(const QPointF& position) override;

 private:
  struct Parts;
  struct Hit {
    int curve = -1;
    int point = -1;
  };
  /// The nearest point of the curves for which `counts(curve)` holds.
  template <class Counts>
  [[nodiscard]] Hit nearest(const QPointF& position, const Counts& counts) const;
  void placeLegend();
  /// Puts the legend where it covers the fewest curves; false: it covers one everywhere.
  [[nodiscard]] bool placeLegendInside();
  /// Puts the legend above the axes, or back between the curves.
  void moveLegend(bool outside);
  void updateLayout();

  CurvePlotValue value_;
  std::optional<QPointF> marker_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dubito
