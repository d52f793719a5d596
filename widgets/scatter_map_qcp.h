// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "widgets/qcustomplot_wrapper.h"
#include "widgets/scatter_plot.h"

namespace dubito {

/// Coloured cells below the points of a scatter plot, with a colour scale: point counts, one
/// measure, or named class regions.
class ScatterMap {
 public:
  /// Owned by `plot`; drawn below anything added later.
  explicit ScatterMap(QCustomPlot& plot);

  void showCounts(const ScatterPoints& points);
  void showBackdrop(const ScatterBackdrop& backdrop);
  void hide();

  /// True if the scale is shown; class regions have none.
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
