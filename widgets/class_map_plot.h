// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/base/array.h"
#include "core/base/iso_lines.h"
#include "core/base/plot_values.h"
#include "widgets/point_plot.h"

namespace dubito {

/// A quantity over the plane, the points of several classes, and the borders between the classes.
struct ClassMapValue {
  Array<double> values;  ///< [rows, columns], first row at the lowest y; empty: none
  Interval x_range{-1.0, 1.0};
  Interval y_range{-1.0, 1.0};
  Interval scale{0.0, 1.0};     ///< values at the ends of the colours
  bool is_logarithmic = false;  ///< whether the colours follow the logarithm
  QString quantity;             ///< "entropy (nats)", for hovering and tables
  QString x_label;
  QString y_label;
  std::vector<double> point_x;
  std::vector<double> point_y;
  std::vector<int> point_class;  ///< in [0, class_names.size())
  QStringList class_names;
  std::vector<Polyline> border;                         ///< of the prediction
  std::vector<std::vector<Polyline>> function_borders;  ///< of single functions, drawn thin
};

/// A heat map with points that can be added, moved and erased with the mouse.
class ClassMapPlot : public PointPlot {
  Q_OBJECT
 public:
  explicit ClassMapPlot(QWidget* parent = nullptr);
  ~ClassMapPlot() override;

  void setValue(ClassMapValue value);
  [[nodiscard]] const ClassMapValue& value() const { return value_; }
  /// Whether the axes have titles and numbers; plots among others with the same axes do without.
  void setLabelsShown(bool x, bool y);

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 protected:
  void rebuild() override;
  [[nodiscard]] const std::vector<double>& pointX() const override { return value_.point_x; }
  [[nodiscard]] const std::vector<double>& pointY() const override { return value_.point_y; }

 private:
  struct Parts;
  void showMap();
  void showPoints();
  void showBorders();

  ClassMapValue value_;
  bool x_labels_shown_ = true;
  bool y_labels_shown_ = true;
  std::unique_ptr<Parts> parts_;
};

/// Where `value` lies between the ends of the colours, in [0, 1].
[[nodiscard]] double shareOnScale(double value, Interval scale, bool is_logarithmic);

}  // namespace dubito
