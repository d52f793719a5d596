// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/scatter_points.h"
#include "widgets/plot_base.h"
#include "widgets/theme.h"

namespace dubito {

/// The coloured grid below the points, with one number or one class per cell.
struct ScatterBackdrop {
  Interval x;  ///< edges of the grid
  Interval y;
  int columns = 0;
  int rows = 0;
  std::vector<double> values;  ///< [rows * columns], lowest row first; NaN: no value
  QString name;                ///< name of the values, for tooltip and CSV: "entropy"
  QString label;               ///< title of the colour scale with the unit
  Interval range{0.0, 1.0};    ///< range of the colour scale
  QStringList classes;         ///< if not empty, `values` are indices into this list

  /// Value of the cell at a point; NaN outside the grid.
  [[nodiscard]] double at(double x_value, double y_value) const;
};

/// Content of a ScatterPlot: two measures, or two coordinates, of many items.
struct ScatterPlotValue {
  struct Group {
    QString name;
    ColorRole role = ColorRole::kAccent;
  };
  std::shared_ptr<const ScatterPoints> points;  ///< null: empty plot
  std::vector<Group> groups;                    ///< indexed by group number
  std::vector<std::int32_t> drawn;              ///< points drawn individually, the last on top
  bool is_density = false;    ///< also draws the density of all points, below `drawn`
  bool has_diagonal = false;  ///< draws a diagonal: both axes have the same measure
  std::shared_ptr<const ScatterBackdrop> backdrop;  ///< drawn instead of a density; may be null
  QString x_name;  ///< name of x, for tooltip and CSV: "entropy (MAP softmax)"
  QString y_name;
  QString x_label;  ///< axis title with the unit
  QString y_label;
  std::function<QString(std::int32_t)> name_of;  ///< returns the name of a point; may be empty
};

/// A rectangle in data coordinates.
struct ScatterRectangle {
  Interval x;
  Interval y;
};

/// A scatter plot whose points have the colours and shapes of their groups, optionally over a
/// density or a backdrop. Dragging selects a rectangle, a click selects the nearest point.
class ScatterPlot : public PlotBase {
  Q_OBJECT
 public:
  explicit ScatterPlot(QWidget* parent = nullptr);
  ~ScatterPlot() override;

  /// Replaces the data and clears all marks.
  void setScatter(ScatterPlotValue value);
  [[nodiscard]] const ScatterPlotValue& scatter() const { return value_; }

  /// Highlights points and fades the others; nullopt: no highlight.
  void setSelected(std::optional<std::vector<std::int32_t>> points);
  [[nodiscard]] const std::optional<std::vector<std::int32_t>>& selected() const {
    return selected_;
  }
  /// Marks a rectangle without emitting a signal; nullopt: none.
  void setRectangle(std::optional<ScatterRectangle> rectangle);
  [[nodiscard]] const std::optional<ScatterRectangle>& rectangle() const { return rectangle_; }
  /// Draws a ring around one point; nullopt: none.
  void setPrimary(std::optional<std::int32_t> point);
  [[nodiscard]] std::optional<std::int32_t> primary() const { return primary_; }

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 Q_SIGNALS:
  void pointChosen(int point);
  void rectangleSelected(const dubito::ScatterRectangle& rectangle);
  /// An empty area was clicked while a rectangle was marked.
  void selectionCleared();

 protected:
  void rebuild() override;
  bool mousePressed(const QPointF& position) override;
  bool mouseMoved(const QPointF& position) override;
  bool mouseReleased(const QPointF& position) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Parts;
  void drawMap();
  void addBackdrop(PlotTable& table) const;
  /// Name and value of the backdrop at a point, such as "entropy 0.31"; empty outside the grid.
  [[nodiscard]] QString backdropText(double x, double y) const;
  void drawClouds();
  void placeOverlay();
  void replotOverlay();
  [[nodiscard]] std::optional<std::int32_t> pointAt(const QPointF& position) const;
  [[nodiscard]] ScatterRectangle rectangleBetween(const QPointF& a, const QPointF& b) const;
  [[nodiscard]] QString nameOf(std::int32_t point) const;

  ScatterPlotValue value_;
  std::optional<std::vector<std::int32_t>> selected_;
  std::optional<ScatterRectangle> rectangle_;
  std::optional<std::int32_t> primary_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dubito
