// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/plot_values.h"
#include "widgets/plot_base.h"

namespace dubito {

/// A curve and its visual style.
struct StyledCurve {
  enum class Role {
    kRun,         ///< the colour of its run
    kReference,   ///< muted: a reference, not a result of a run
    kSelection,   ///< the selection colour: selected items only
    kBackground,  ///< muted, no legend entry: all items while some are selected
  };
  Curve curve;   ///< `name` is the legend entry, `summary` follows it
  int run = -1;  ///< colour: Theme::runColor, or the accent colour for -1
  int dash = 0;  ///< 0 solid, 1 dashed, 2 dotted, 3 dash-dot
  Role role = Role::kRun;
  QString short_name = {};  ///< replaces `name` in the legend if it does not fit; may be empty
};

/// Curves over the unit square (ROC, precision-recall) or over any range (rejection).
struct CurvePlotValue {
  enum class Kind {
    kRoc,              ///< square if the legend fits, diagonal, both axes [0, 1]
    kPrecisionRecall,  ///< steps, horizontal baseline, x [0, 1]
    kGeneric           ///< lines, axis ranges from the data
  };
  Kind kind = Kind::kRoc;
  std::vector<StyledCurve> curves;
  QString summary_name;           ///< heading of the legend: "AUROC", "AP"
  bool summary_is_share = false;  ///< the summaries are shown as percentages
  bool x_is_share = true;         ///< the axis and its values are shown as percentages
  bool y_is_share = true;
  std::optional<double> baseline;  ///< y of the dashed line (the share of positives for PR)
  QString x_label;
  QString y_label;
  QString x_short = {};  ///< used on an axis too short for the label; may be empty
  QString y_short = {};
};

/// ROC, precision-recall and similar curves. The legend is placed where it covers no curve: inside
/// the axes, or above them if there is no such place.
class CurvePlot : public PlotBase {
  Q_OBJECT
 public:
  explicit CurvePlot(QWidget* parent = nullptr);
  ~CurvePlot() override;

  void setCurves(CurvePlotValue value);
  [[nodiscard]] const CurvePlotValue& curves() const { return value_; }
  /// A ring at the operating point of the threshold; nullopt: none.
  void setMarker(std::optional<QPointF> marker);
  [[nodiscard]] const std::optional<QPointF>& marker() const { return marker_; }

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 Q_SIGNALS:
  /// Point `point` of curve `curve` was clicked (indices into the value set). Never emitted for
  /// curves of a selection.
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
  /// The nearest point among the curves for which `counts(curve)` is true.
  template <class Counts>
  [[nodiscard]] Hit nearest(const QPointF& position, const Counts& counts) const;
  void placeLegend();
  /// Places the legend where it covers the fewest curves; false if every place covers one.
  [[nodiscard]] bool placeLegendInside();
  /// Moves the legend above the axes, or back inside.
  void moveLegend(bool outside);
  void updateLayout();

  CurvePlotValue value_;
  std::optional<QPointF> marker_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dubito
