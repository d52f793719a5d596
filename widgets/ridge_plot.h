// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "widgets/plot_base.h"

namespace dubito {

/// A density over [0, 1] on its own baseline.
struct Ridge {
  QString name;
  std::vector<double> x;        ///< ascending, in [0, 1]
  std::vector<double> density;  ///< at x, >= 0
  double mean = 0.0;
  bool filled = false;  ///< member of the highlighted set
  bool is_true = false;
  /// Density drawn at full height; higher values are clipped, because a pole at an edge would
  /// flatten everything else. 0: the maximum.
  double top = 0.0;
};

/// Stacked densities, each scaled to its own height: location and width are what matters. Members
/// of the set are filled, others outlined; a tick marks the mean.
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
