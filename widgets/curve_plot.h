// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/plot_values.h"
#include "widgets/plot_base.h"

namespace dubito {

/// A curve and its style.
struct StyledCurve {
  enum class Role {
    kRun,         ///< result of a run, in the colour of the run
    kReference,   ///< reference, such as an oracle: muted
    kSelection,   ///< curve of the selected items, in the selection colour
    kBackground,  ///< curve of all items while some are selected: muted, without legend entry
  };
  Curve curve;   ///< `name` and `summary` are shown in the legend
  int run = -1;  ///< index for Theme::runColor; -1: the accent colour
  int dash = 0;  ///< 0 solid, 1 dashed, 2 dotted, 3 dash-dot
  Role role = Role::kRun;
  QString short_name = {};  ///< replaces `name` in the legend if it does not fit; may be empty
  /// Of y, one per point: drawn as bars through points that are marked; empty: none.
  std::vector<Interval> intervals = {};
  bool is_band = false;  ///< the intervals are drawn as a translucent area instead of bars
  std::optional<QPointF> mark = {};  ///< drawn as a disc, such as the optimum
  bool is_dots = false;              ///< the points alone, as small dots, without a legend entry
  bool is_thin = false;    ///< for long zigzags, which are slow to draw with the usual width
  bool is_strong = false;  ///< wider than the others, such as the curve of the selected run
  int marker = 0;          ///< repeated along the curve, see runMarker; 0: none
};

/// A horizontal line that can be dragged.
struct CurveLevel {
  double y = 0.0;
  Interval range = {0.0, 1.0};  ///< where it can be dragged to
  QString name = {};            ///< in the legend
};

/// A range of x with a shaded background.
struct CurveShade {
  Interval range;
  QString name;  ///< written at the upper left of the range
};

/// Content of a CurvePlot.
struct CurvePlotValue {
  enum class Kind {
    kRoc,              ///< axes [0, 1], with a diagonal; square if the legend fits
    kPrecisionRecall,  ///< step curves with a horizontal baseline; x axis [0, 1]
    kGeneric           ///< line curves; axis ranges from the data
  };
  Kind kind = Kind::kRoc;
  std::vector<StyledCurve> curves;
  QString summary_name;           ///< heading of the legend: "AUROC", "AP"
  bool summary_is_share = false;  ///< the summaries are shown as percentages
  bool x_is_share = true;         ///< the x axis and its values are shown as percentages
  bool y_is_share = true;
  /// y of the dashed line (for precision-recall, the share of positives); nullopt: none.
  std::optional<double> baseline;
  /// The line that the mouse drags; so does the marker. nullopt: none.
  std::optional<CurveLevel> level = {};
  std::optional<CurveShade> shade = {};  ///< nullopt: none
  /// Of kGeneric: the y axis, so that it stays while the level is dragged; nullopt: from the data.
  std::optional<Interval> y_range = {};
  QString x_label;
  QString y_label;
  QString x_short = {};  ///< replaces x_label if the axis is too short; may be empty
  QString y_short = {};
  QString interval_name = {};  ///< what the intervals are: "95 % interval"
  bool has_legend = true;      ///< false: the title says what the curves are
  /// Without a legend in the window: exported pictures have one, since they leave what explains the
  /// curves behind.
  bool exports_legend = false;
  /// Of kGeneric: logarithmic axes. Points that are not positive are left out.
  bool x_is_logarithmic = false;
  bool y_is_logarithmic = false;
};

/// Plot of ROC, precision-recall, rejection and similar curves. The legend is placed inside the
/// axes where it covers no curve; if there is no such place, above the axes.
class CurvePlot : public PlotBase {
  Q_OBJECT
 public:
  explicit CurvePlot(QWidget* parent = nullptr);
  ~CurvePlot() override;

  void setCurves(CurvePlotValue value);
  [[nodiscard]] const CurvePlotValue& curves() const { return value_; }
  /// Draws a ring at `marker`, the operating point of the threshold; nullopt: none.
  void setMarker(std::optional<QPointF> marker);
  [[nodiscard]] const std::optional<QPointF>& marker() const { return marker_; }

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 Q_SIGNALS:
  /// A point was clicked. Both arguments are indices: into CurvePlotValue::curves and into the
  /// points of that curve. Not emitted for curves of a selection.
  void pointSelected(int curve, int point);
  /// The level is being dragged.
  void levelMoved(double y);
  /// The level was released.
  void levelReleased(double y);

 protected:
  void rebuild() override;
  void exportingChanged() override;
  bool mousePressed(const QPointF& position) override;
  bool mouseMoved(const QPointF& position) override;
  bool mouseReleased(const QPointF& position) override;
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
  /// Shows `value` without a new layout, if it differs from the value shown only in the points of a
  /// selection; else does nothing and returns false.
  [[nodiscard]] bool movesSelection(CurvePlotValue& value);
  [[nodiscard]] bool isUnderLegend(const QPointF& marker) const;
  void clearGraphs();
  /// Adds the graphs of the baseline, the curves, the level and the marker, in drawing order.
  void addGraphs();
  /// Shows everything along the axes, and the baseline across them.
  void showRanges();
  void styleAxes();
  void showLegend();
  [[nodiscard]] bool hasLegend() const {
    return value_.has_legend || (value_.exports_legend && isExporting());
  }
  /// Of a curve, as in the legend; empty if it has none.
  [[nodiscard]] QString summaryText(double summary) const;
  void showLevel();
  /// Whether a press here drags the level.
  [[nodiscard]] bool isOnLevel(const QPointF& position) const;
  void placeLegend();
  /// Places the legend inside the axes where it covers the fewest curve points. Returns false if it
  /// covers a curve everywhere.
  [[nodiscard]] bool placeLegendInside();
  /// Moves the legend above the axes (`outside`) or back inside.
  void moveLegend(bool outside);
  void updateLayout();

  CurvePlotValue value_;
  std::optional<QPointF> marker_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dubito
