// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "widgets/plot_base.h"

namespace dubito {

/// A density over [0, 1] on a line of its own.
struct Ridge {
  QString name;
  std::vector<double> x;        ///< ascending, in [0, 1]
  std::vector<double> density;  ///< at x, >= 0
  double mean = 0.0;
  bool filled = false;  ///< belongs to the chosen set
  bool is_true = false;
  /// The density that is drawn at full height, for one that goes to infinity at an edge: what is
  /// higher is cut off, or all the rest would be flat. 0: the largest.
  double top = 0.0;
};

/// Densities one below the other, each drawn to its own height: where they lie and how wide they
/// are is what counts. Filled ones form a set, the others are outlined; a tick marks the mean.
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
