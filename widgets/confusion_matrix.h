// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QStringList>
#include <QWidget>
#include <optional>

#include "core/base/array.h"
#include "widgets/exporter.h"
#include "widgets/plot_table.h"
#include "widgets/square_view.h"

namespace dubito {

/// Content of a confusion matrix.
struct ConfusionValue {
  QStringList class_names;     ///< [K]
  Array<std::int64_t> counts;  ///< [K, K], rows by true class, columns by predicted class
  // What the rows and columns are called, if not "true class" and "predicted".
  QString row_title = {};
  QString column_title = {};
};

/// A cell of the matrix: the items of true class `label` that are predicted as `predicted`.
struct ConfusionCell {
  int label = 0;
  int predicted = 0;
  friend bool operator==(const ConfusionCell&, const ConfusionCell&) = default;
};

/// Counts by true and predicted class as a grid of cells. Cells on the diagonal (correct) are blue,
/// the others (mistakes) orange. The intensity grows with the share of the true class; for
/// mistakes, with the square root of the share, from an intensity at which a single one of many
/// items is visible. A click or Return selects a cell, the arrow keys move the cursor. Works with
/// two to thousands of classes: if there is no room, counts are omitted and only every n-th class
/// name is shown. The wheel zooms, dragging with Shift moves, a double-click shows all classes.
class ConfusionMatrix : public QWidget {
  Q_OBJECT
 public:
  explicit ConfusionMatrix(QWidget* parent = nullptr);

  void setValue(ConfusionValue value);
  [[nodiscard]] const ConfusionValue& value() const { return value_; }
  /// Selects a cell, which is framed, without emitting a signal; nullopt: none.
  void setSelected(std::optional<ConfusionCell> cell);
  [[nodiscard]] std::optional<ConfusionCell> selected() const { return selected_; }

  /// One row per non-empty cell. Columns: true class, predicted class, items, share of the true
  /// class.
  [[nodiscard]] PlotTable table() const;
  [[nodiscard]] QString csv() const { return toCsv(table()); }
  /// Sets the title and the subtitle drawn above an exported picture.
  void setCaption(const QString& title, const QString& subtitle);
  [[nodiscard]] Exporter& exporter() { return *exporter_; }
  /// Renders the matrix as an SVG of `size` without a caption. Only for widgets that are not
  /// visible.
  [[nodiscard]] QByteArray renderSvg(const QSize& size);

  /// Whether only some of the classes are visible.
  [[nodiscard]] bool isZoomed() const { return !view_.isWhole(); }
  /// Shows all classes.
  void resetZoom();

  /// Centre of a cell in widget coordinates; outside the grid if it is not visible.
  [[nodiscard]] QPointF centreOf(ConfusionCell cell) const;
  /// "true 4, predicted 9: 12 items, 1.22 % of the true class".
  [[nodiscard]] QString describe(ConfusionCell cell) const;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  /// The cells are square.
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;

 Q_SIGNALS:
  void cellChosen(int label, int predicted);
  /// The selected cell was clicked again, which clears the selection.
  void cleared();
  /// The matrix could not be saved.
  void failed(const QString& message);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool event(QEvent* event) override;

 private:
  [[nodiscard]] int classes() const { return static_cast<int>(value_.class_names.size()); }
  [[nodiscard]] std::int64_t countAt(int label, int predicted) const;
  [[nodiscard]] double shareAt(int label, int predicted) const;
  [[nodiscard]] QColor colorAt(int label, int predicted) const;
  [[nodiscard]] std::optional<ConfusionCell> cellAt(const QPointF& position) const;
  /// Space around the grid, in pixels.
  struct Margins {
    double left = 0.0;
    double top = 0.0;
    double right = 0.0;
    double bottom = 0.0;
    int widest_name = 0;
  };
  [[nodiscard]] Margins margins() const;
  /// Places the grid and chooses name_step_ so that the class names fit.
  void layOut(const QSize& area);
  [[nodiscard]] QByteArray encoded(const PictureRequest& request);
  void paintColors();
  /// Side of a cell in pixels.
  [[nodiscard]] double cellSide() const { return grid_.width() / view_.span(); }
  /// Lays out and paints again after a change of the view.
  void viewChanged();
  void paintMatrix(QPainter& painter, double pixel_ratio);
  void paintCells(QPainter& painter, double pixel_ratio);
  void paintNames(QPainter& painter) const;
  void paintCounts(QPainter& painter) const;
  void choose(ConfusionCell cell);

  ConfusionValue value_;
  std::vector<std::int64_t> row_sums_;
  std::optional<ConfusionCell> selected_;
  ConfusionCell cursor_;
  QRectF grid_;
  SquareView view_;
  std::optional<QPointF> dragged_;  ///< last position of the mouse while it moves the view
  int name_step_ = 1;               ///< every name_step_-th class name is drawn
  QString title_;
  QString subtitle_;
  Exporter* exporter_;
  QImage colors_;  ///< one pixel per cell
  QImage scaled_;  ///< `colors_` averaged, if all cells are visible and smaller than a pixel
};

}  // namespace dubito
