// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "core/base/array.h"
#include "core/base/plot_values.h"
#include "widgets/plot_base.h"

namespace dubito {

/// Covariances between all pairs of inputs of a function.
struct CovariancePlotValue {
  Array<double> values;      ///< [G, G], symmetric, of G >= 2 inputs; empty: none
  Interval range{0.0, 1.0};  ///< from the first to the last input, at equal distances
  QString x_label = {};      ///< of the inputs: "x"
  QString quantity = {};     ///< at the colours, with the unit: "covariance (m²)"
};

/// A covariance matrix as a square heat map over the axis of the inputs, with its colour scale,
/// which begins at 0 or at the lowest covariance, if that is negative. One input can be marked.
class CovariancePlot : public PlotBase {
  Q_OBJECT
 public:
  explicit CovariancePlot(QWidget* parent = nullptr);
  ~CovariancePlot() override;

  void setValue(CovariancePlotValue value);
  [[nodiscard]] const CovariancePlotValue& value() const { return value_; }
  /// Draws a line at the input `x`; nullopt: none.
  void setMark(std::optional<double> x);
  [[nodiscard]] std::optional<double> mark() const { return mark_; }

  /// One row per pair of inputs.
  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 Q_SIGNALS:
  /// The mouse is inside the axes at the input `x`.
  void hovered(double x);

 protected:
  void rebuild() override;
  bool mouseMoved(const QPointF& position) override;

 private:
  struct Parts;
  [[nodiscard]] QString secondLabel() const;
  void showCells();
  void showMark();

  CovariancePlotValue value_;
  std::optional<double> mark_;
  std::unique_ptr<Parts> parts_;
};

/// The index of the input nearest to `x` among `count` >= 1 at equal distances over `range`.
[[nodiscard]] std::size_t nearestInput(Interval range, std::int64_t count, double x);

}  // namespace dubito
