// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/plot_values.h"
#include "widgets/point_plot.h"

namespace dubito {

/// A predicted curve with its uncertainty, and the points it was learned from.
struct BandPlotValue {
  std::vector<double> point_x;  ///< training points
  std::vector<double> point_y;
  std::vector<double> x;  ///< [G] ascending inputs of the curve; empty: no prediction yet
  std::vector<double> mean;
  std::vector<double> std_epistemic;  ///< standard deviation of the curve
  std::vector<double> std_total;      ///< with the noise
  std::vector<Curve> draws;           ///< single functions, without legend
  std::optional<Curve> truth;         ///< drawn dashed
  int color = 0;                      ///< index for Theme::runColor
  int dash = 0;                       ///< of the mean, see StyledCurve
  QString x_label;
  QString y_label;
  Interval x_range{0.0, 1.0};  ///< shown
  Interval y_range{0.0, 1.0};
  bool is_fitted = true;  ///< the ranges are those that fit the data
};

/// Regression in one dimension: points, the mean, a dark band of mean +- 2 standard deviations of
/// the curve (epistemic), and a light band that adds the noise. Points can be added, moved and
/// erased with the mouse. Zooming has no limits: the owner decides which ranges are shown, and
/// is told when the wheel wants others.
class BandPlot : public PointPlot {
  Q_OBJECT
 public:
  explicit BandPlot(QWidget* parent = nullptr);
  ~BandPlot() override;

  void setValue(BandPlotValue value);
  [[nodiscard]] const BandPlotValue& value() const { return value_; }
  /// Shows another part of the plane, without the work of setValue().
  void setView(Interval x, Interval y, bool is_fitted);
  /// Whether the x axis has a title; plots above others with the same axis do without.
  void setXTitleShown(bool shown);

  /// Asks for the ranges that fit the data.
  void resetZoom() override;
  [[nodiscard]] bool isZoomed() const override { return !value_.is_fitted; }

  /// Texts of the legend, which is shown if the plot is high enough: the caption of an export must
  /// say which band is which.
  [[nodiscard]] static QString epistemicText();
  [[nodiscard]] static QString totalText();

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 Q_SIGNALS:
  /// The user has zoomed or moved the view to these ranges.
  void viewChanged(dubito::Interval x, dubito::Interval y);
  /// The user wants the ranges that fit the data.
  void fitRequested();
  /// The mouse is inside the axes at the input `x`.
  void hovered(double x);

 protected:
  void rebuild() override;
  bool mouseMoved(const QPointF& position) override;
  [[nodiscard]] const std::vector<double>& pointX() const override { return value_.point_x; }
  [[nodiscard]] const std::vector<double>& pointY() const override { return value_.point_y; }
  void fitLegend(const QSize& room) override;

 private:
  struct Parts;
  void showRanges();
  /// The user changed the range of an axis.
  void takeRanges();
  void showBands();
  void showDraws();
  void showPoints();
  void showLegend();

  BandPlotValue value_;
  QSize legend_room_;  ///< that the plot is laid out in
  bool x_title_shown_ = true;
  bool showing_ranges_ = false;  ///< the ranges of the axes change by showRanges()
  std::unique_ptr<Parts> parts_;
};

}  // namespace dubito
