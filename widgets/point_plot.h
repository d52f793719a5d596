// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "widgets/plot_base.h"

namespace dubito {

/// A plot with points that can be added, moved and erased with the mouse. It only says what the
/// user wants; whoever owns the points changes them.
class PointPlot : public PlotBase {
  Q_OBJECT
 public:
  /// What the left button does.
  enum class PointTool {
    kNone,   ///< nothing; dragging moves the view if it is zoomed
    kEdit,   ///< a click adds a point, dragging a point moves it
    kErase,  ///< a click or a stroke erases points
  };

  void setPointTool(PointTool tool);
  [[nodiscard]] PointTool pointTool() const { return tool_; }

 Q_SIGNALS:
  void pointAdded(double x, double y);
  /// Point `index` is being dragged.
  void pointMoved(int index, double x, double y);
  void pointErased(int index);
  /// The button went down with a tool: what follows until the next one is a single change.
  void strokeBegun();

 protected:
  using PlotBase::PlotBase;

  /// Coordinates of the points.
  [[nodiscard]] virtual const std::vector<double>& pointX() const = 0;
  [[nodiscard]] virtual const std::vector<double>& pointY() const = 0;
  /// To be called when the points are others: a point that is gone is no longer dragged.
  void pointsChanged();

  /// The point within reach of `position`; -1: none.
  [[nodiscard]] int pointAt(const QPointF& position) const;
  [[nodiscard]] QPointF valueAt(const QPointF& position) const;
  [[nodiscard]] bool isInside(const QPointF& position) const;

  bool mousePressed(const QPointF& position) override;
  bool mouseMoved(const QPointF& position) override;
  bool mouseReleased(const QPointF& position) override;
  void clicked(const QPointF& position) override;

 private:
  PointTool tool_ = PointTool::kNone;
  int dragged_ = -1;      ///< point being dragged; -1: none
  bool erasing_ = false;  ///< the button is down with the tool kErase
};

}  // namespace dubito
