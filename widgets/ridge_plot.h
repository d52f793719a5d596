// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "widgets/plot_base.h"

namespace dubito {

/// A density over [0, 1], drawn on a separate baseline.
struct Ridge {
  QString name;
  std::vector<double> x;        ///< ascending, in [0, 1]
  std::vector<double> density;  ///< density at x, >= 0
  double mean = 0.0;
  bool filled = false;   ///< whether the class is in the highlighted set
  bool is_true = false;  ///< whether this is the true class
  /// Density that is drawn at full height; 0: the maximum. Higher densities are clipped, because a
  /// pole at 0 or 1 would flatten the rest of the curve.
  double top = 0.0;
};

/// Densities stacked vertically. Each is scaled to the full height of its row, since only location
/// and width matter. Members of the highlighted set are filled, the others outlined. Ticks mark the
/// means.
class RidgePlot : public PlotBase {
  Q_OBJECT
 public:
  explicit RidgePlot(QWidget* parent = nullptr);
  ~RidgePlot() override;

  void setRidges(std::vector<Ridge> ridges, const QString& x_label);
  [[nodiscard]] const std::vector<Ridge>& ridges() const { return ridges_; }

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 protected:
  void rebuild() override;

 private:
  std::vector<Ridge> ridges_;
  QString x_label_;
};

}  // namespace dubito
