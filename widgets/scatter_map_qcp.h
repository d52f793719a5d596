// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "widgets/qcustomplot_wrapper.h"
#include "widgets/scatter_plot.h"

namespace dubito {

/// The coloured cells below the points of a scatter plot, with their colour scale: counts of
/// points, one measure, or regions of classes, which carry their names.
class ScatterMap {
 public:
  /// Belongs to `plot`, and lies below what is added to it later.
  explicit ScatterMap(QCustomPlot& plot);

  void showCounts(const ScatterPoints& points);
  void showBackdrop(const ScatterBackdrop& backdrop);
  void hide();

  /// The scale is shown; regions of classes have none.
  [[nodiscard]] bool hasScale() const { return scale_->visible(); }
  [[nodiscard]] QCPColorScale& scale() const { return *scale_; }
  [[nodiscard]] const QCPColorMap& map() const { return *map_; }
  [[nodiscard]] const std::vector<QCPItemText*>& classNames() const { return class_names_; }

 private:
  void showScale(bool shown);
  void setCells(Interval x, Interval y, int columns, int rows);
  void nameRegions(const ScatterBackdrop& backdrop);
  void dropNames();

  QCustomPlot& plot_;
  QCPColorMap* map_;
  QCPColorScale* scale_;
  std::vector<QCPItemText*> class_names_;
};

}  // namespace dubito
