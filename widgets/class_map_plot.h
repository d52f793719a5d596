// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/base/array.h"
#include "core/base/iso_lines.h"
#include "core/base/plot_values.h"
#include "widgets/band_plot.h"
#include "widgets/plot_base.h"

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
class ClassMapPlot : public PlotBase {
  Q_OBJECT
 public:
  using PointTool = BandPlot::PointTool;

  explicit ClassMapPlot(QWidget* parent = nullptr);
  ~ClassMapPlot() override;

  void setValue(ClassMapValue value);
  [[nodiscard]] const ClassMapValue& value() const { return value_; }
  /// Whether the axes have titles and numbers; plots among others with the same axes do without.
  void setLabelsShown(bool x, bool y);
  void setPointTool(PointTool tool);
  [[nodiscard]] PointTool pointTool() const { return tool_; }

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 Q_SIGNALS:
  void pointAdded(double x, double y);
  /// Point `index` is being dragged.
  void pointMoved(int index, double x, double y);
  void pointErased(int index);

 protected:
  void rebuild() override;
  bool mousePressed(const QPointF& position) override;
  bool mouseMoved(const QPointF& position) override;
  bool mouseReleased(const QPointF& position) override;
  void clicked(const QPointF& position) override;

 private:
  struct Parts;
  void showMap();
  void showPoints();
  void showBorders();
  /// The point within reach of `position`; -1: none.
  [[nodiscard]] int pointAt(const QPointF& position) const;
  [[nodiscard]] QPointF placeAt(const QPointF& position) const;
  [[nodiscard]] bool isInside(const QPointF& position) const;

  ClassMapValue value_;
  bool x_labels_shown_ = true;
  bool y_labels_shown_ = true;
  PointTool tool_ = PointTool::kNone;
  int dragged_ = -1;      ///< point being dragged; -1: none
  bool erasing_ = false;  ///< the button is down with the tool kErase
  std::unique_ptr<Parts> parts_;
};

/// Where `value` lies between the ends of the colours, in [0, 1].
[[nodiscard]] double shareOnScale(double value, Interval scale, bool is_logarithmic);

}  // namespace dubito
