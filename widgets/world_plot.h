// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QPointF>
#include <QSizeF>
#include <memory>
#include <vector>

#include "widgets/plot_base.h"

namespace dubito {

/// A small world from above: walls, items and one agent with eyes.
struct WorldPlotValue {
  /// What an eye sees.
  enum class Sight { kNothing, kWall, kGood, kBad };
  struct Eye {
    QLineF ray;
    Sight sight = Sight::kNothing;
  };
  QSizeF size;  ///< of the world; empty: nothing is shown
  std::vector<QLineF> walls;
  std::vector<QPointF> good;
  std::vector<QPointF> bad;
  double item_radius = 0.0;
  QPointF agent;
  double agent_radius = 0.0;
  std::vector<Eye> eyes;
  std::vector<QPointF> trail;  ///< last places of the agent
};

/// Draws a small world; the same scale in both directions.
class WorldPlot : public PlotBase {
  Q_OBJECT
 public:
  explicit WorldPlot(QWidget* parent = nullptr);
  ~WorldPlot() override;

  void setValue(WorldPlotValue value);
  [[nodiscard]] const WorldPlotValue& value() const;

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 protected:
  void rebuild() override;

 private:
  class Drawing;
  Drawing* drawing_;  ///< owned by the plot
};

}  // namespace dubito
