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

/// Colours below the points: one number, or one class, in each cell of a grid.
struct ScatterBackdrop {
  Interval x;  ///< edges of the grid
  Interval y;
  int columns = 0;
  int rows = 0;
  std::vector<double> values;  ///< [rows * columns] from the lowest row; NaN: none
  QString name;                ///< for tooltip and CSV: "entropy"
  QString label;               ///< title of the colour scale with the unit
  Interval range{0.0, 1.0};    ///< of the colour scale
  QStringList classes;         ///< if there are any, the values are positions in it

  /// The value of the cell at a point; NaN outside.
  [[nodiscard]] double at(double x_value, double y_value) const;
};

/// Two measures, or coordinates, of many items against each other.
struct ScatterPlotValue {
  struct Group {
    QString name;
    ColorRole role = ColorRole::kAccent;
  };
  std::shared_ptr<const ScatterPoints> points;  ///< null: nothing
  std::vector<Group> groups;                    ///< by the groups' numbers
  std::vector<std::int32_t> drawn;              ///< points drawn one by one, the last on top
  bool is_density = false;                      ///< the counts of all points are drawn below these
  bool has_diagonal = false;                    ///< both axes show the same measure
  std::shared_ptr<const ScatterBackdrop> backdrop;  ///< drawn in place of a density; may be null
  QString x_name;  ///< for tooltip and CSV: "entropy (MAP softmax)"
  QString y_name;
  QString x_label;  ///< axis title with the unit
  QString y_label;
  std::function<QString(std::int32_t)> name_of;  ///< of a point; may be empty
};

/// A rectangle in the coordinates of the data.
struct ScatterRectangle {
  Interval x;
  Interval y;
};

/// Points in the colours and shapes of their groups, their density with some on top, or points over
/// a backdrop. Dragging selects a rectangle, a click chooses the nearest point.
class ScatterPlot : public PlotBase {
  Q_OBJECT
 public:
  explicit ScatterPlot(QWidget* parent = nullptr);
  ~ScatterPlot() override;

  /// Forgets what was marked before.
  void setScatter(ScatterPlotValue value);
  [[nodiscard]] const ScatterPlotValue& scatter() const { return value_; }

  /// Points that stand out against the others, which fade; nothing: none does.
  void setSelected(std::optional<std::vector<std::int32_t>> points);
  [[nodiscard]] const std::optional<std::vector<std::int32_t>>& selected() const {
    return selected_;
  }
  /// Marks a rectangle without a signal.
  void setRectangle(std::optional<ScatterRectangle> rectangle);
  [[nodiscard]] const std::optional<ScatterRectangle>& rectangle() const { return rectangle_; }
  /// A ring around one point; nothing: none.
  void setPrimary(std::optional<std::int32_t> point);
  [[nodiscard]] std::optional<std::int32_t> primary() const { return primary_; }

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 Q_SIGNALS:
  void pointChosen(int point);
  void rectangleSelected(const dubito::ScatterRectangle& rectangle);
  /// A click where no point is, while a rectangle was marked.
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
  /// "entropy 0.31" of the backdrop at a point; empty outside.
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
