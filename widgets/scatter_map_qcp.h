// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "widgets/qcustomplot_wrapper.h"
#include "widgets/scatter_plot.h"

namespace dubito {

/// Coloured cells below the points of a scatter plot: point counts or the values of a measure, with
/// a colour scale, or class regions with their names.
class ScatterMap {
 public:
  /// Adds the map to `plot`, which owns the plot items, below everything added later.
  explicit ScatterMap(QCustomPlot& plot);

  void showCounts(const ScatterPoints& points);
  void showBackdrop(const ScatterBackdrop& backdrop);
  void hide();

  /// True if the colour scale is shown. Class regions have no colour scale.
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
