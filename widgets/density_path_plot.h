// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/array.h"
#include "core/base/plot_values.h"
#include "core/base/simplex_values.h"
#include "widgets/plot_base.h"

namespace dubito {

/// A density in the plane as an image. Immutable.
struct PlaneDensity {
  /// [rows, columns] ln of the density relative to its highest value, at the centres of cells over
  /// the ranges, the first row at the lowest y; -inf: 0.
  Array<double> log_density;
  std::vector<DensityLevel> levels;  ///< contours to draw, in units of `log_density`
  Interval x_range{0.0, 1.0};
  Interval y_range{0.0, 1.0};
  QString x_label;
  QString y_label;
};

/// A Gaussian to compare with the density, drawn as ellipses with the shares of its levels.
struct DrawnGaussian {
  QString name;
  std::array<double, 2> mean{};
  std::array<double, 4> covariance{};  ///< row-major
  int style = 0;                       ///< index of colour and dash; 0 and 1 differ most
};

/// States of chains on a density.
struct DensityPathValue {
  std::shared_ptr<const PlaneDensity> density;  ///< null: nothing is shown
  std::vector<QPointF> points;                  ///< accepted states
  /// The last transition in the order of time: from the state before through the steps to the
  /// proposal; or, of a sampler that also integrates backwards, all points of its trajectory.
  /// Empty: none yet.
  std::vector<QPointF> path;
  std::size_t path_start = 0;  ///< index of the state before
  /// Index of the proposal; nullopt: the last point. If it is that of the start, it has no mark.
  std::optional<std::size_t> path_end = {};
  bool path_accepted = false;
  QString path_name = {};  ///< in the legend; empty: DensityPathPlot::pathText()
  /// With which the transition began, in units of x and y per time: an arrow of kMomentumShare of
  /// the shorter range per unit. nullopt: none.
  std::optional<QPointF> momentum = {};
  std::vector<DrawnGaussian> gaussians;
};

/// A density in two dimensions as a heat map with contours, the states that chains have drawn from
/// it, and the way of the last proposal. A click asks for a new start.
class DensityPathPlot : public PlotBase {
  Q_OBJECT
 public:
  /// Range of the colours: from the highest density to a thousandth of it, in nats.
  static constexpr double kDepth = 6.907755278982137;
  /// Length of the arrow of a unit momentum, as a share of the shorter range.
  static constexpr double kMomentumShare = 0.08;

  explicit DensityPathPlot(QWidget* parent = nullptr);
  ~DensityPathPlot() override;

  void setValue(DensityPathValue value);
  [[nodiscard]] const DensityPathValue& value() const { return value_; }

  /// Name of the path in the legend.
  [[nodiscard]] static QString pathText(bool accepted);
  /// Name of the arrow in the legend.
  [[nodiscard]] static QString momentumText();

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 Q_SIGNALS:
  /// The user clicked at (x, y) inside the shown range.
  void startRequested(double x, double y);

 protected:
  void rebuild() override;
  void clicked(const QPointF& position) override;
  void fitLegend(const QSize& room) override;

 private:
  struct Parts;
  void showDensity();
  void showLines();
  void showGaussians();
  void showPath();
  void showMomentum();
  void showLegend();
  [[nodiscard]] bool isInside(const QPointF& position) const;

  DensityPathValue value_;
  std::unique_ptr<Parts> parts_;
};

/// Points of the ellipse that has the probability `share` in (0, 1) of a Gaussian; closed. Empty
/// unless the covariance is positive definite.
[[nodiscard]] std::vector<QPointF> ellipseOf(const DrawnGaussian& gaussian, double share);

}  // namespace dubito
